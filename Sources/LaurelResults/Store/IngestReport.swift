// SPDX-License-Identifier: Apache-2.0

/// The result of an ingest.
public struct IngestReport: Codable, Sendable, Hashable {
    /// The number of events read: the sum of `stored`, `duplicates`, `conflicts` and `refused`.
    public var read = 0
    /// The number of new events, which are now stored.
    public var stored = 0
    /// The number of events that were already stored.
    public var duplicates = 0
    /// The number of events with the identity of a stored event, but other content. The stored event is unchanged. The
    /// new event is in quarantine if there was room.
    public var conflicts = 0
    /// The number of records that are not valid events. They are in quarantine if there was room.
    public var refused = 0
    /// The number of refused or conflicting lines for which quarantine had no room. They are counted, but not stored.
    public var notKept = 0
    /// The names in the events that are in neither the catalogue nor the store's rules, in the order of first use.
    public var unknown: [UnknownName] = []
    /// The number of uses of further unknown names that did not fit into the list.
    public var unknownNotListed = 0
    /// The counts by kind of record; empty for CloudEvents, which have no kinds.
    public var kinds: [Kind] = []
    /// The parts of the inputs that give no event.
    public var leftOut: [LeftOut] = []
    /// The first refused or conflicting lines, at most ``mostProblems``. The JSON leaves them out, because all of them
    /// are in quarantine.
    public var problems: [Problem] = []
    /// The inputs that could not be read to their end. Events before that point are stored and counted. The JSON leaves
    /// them out.
    public var unreadable: [UnreadableInput] = []

    /// The maximum number of ``problems``.
    public static let mostProblems = 20

    /// Creates a value, for previews and tests.
    public init() {}

    /// A line that went to quarantine.
    public struct Problem: Sendable, Hashable {
        /// The name of the input; `standard input` if it has no name.
        public var file: String
        /// The line number in the input, from 1.
        public var line: Int
        /// The error, and how to correct it.
        public var message: String

        /// Creates a value, for previews and tests.
        public init(file: String, line: Int, message: String) {
            (self.file, self.line, self.message) = (file, line, message)
        }
    }

    /// The counts of one kind of record, for formats that have kinds.
    public struct Kind: Codable, Sendable, Hashable {
        /// The kind, in the words of the format's mapping.
        public var what: String
        /// The number of records read, including refused records.
        public var read = 0
        /// The number of new events, which are now stored.
        public var stored = 0
        /// The number of events that were already stored.
        public var duplicates = 0
        /// The number of events that contradict a stored event.
        public var conflicts = 0
        /// The number of records that give no valid event.
        public var refused = 0

        /// Creates a value, for previews and tests.
        public init(what: String) { self.what = what }
    }

    /// A part of the inputs that gives no event.
    public struct LeftOut: Codable, Sendable, Hashable {
        /// The name of the part, in words.
        public var what: String
        /// The number of such parts.
        public var count: Int
        /// The reason why the part gives no event.
        public var why: String

        /// Creates a value, for previews and tests.
        public init(what: String, count: Int, why: String) { (self.what, self.count, self.why) = (what, count, why) }
    }

    /// An input that could not be read to its end.
    public struct UnreadableInput: Sendable, Hashable {
        /// The reason why reading stopped.
        public enum Reason: Sendable, Hashable {
            /// The operating system could not read the input.
            case cannotRead
            /// The input does not have the requested format.
            case otherFormat
            /// The input ends too early, or is damaged.
            case damaged
        }

        /// The reason why reading stopped.
        public var reason: Reason
        /// The name of the input.
        public var file: String
        /// The error, its position, and how to correct it.
        public var message: String

        /// Creates a value, for previews and tests.
        public init(_ reason: Reason, file: String, message: String) {
            (self.reason, self.file, self.message) = (reason, file, message)
        }
    }

    /// A name in the events that is in neither the catalogue nor the store's rules. A learner's id is also listed if it
    /// differs from another learner's id only in its Unicode normal form.
    public struct UnknownName: Codable, Sendable, Hashable {
        /// The kind of the name: `type`, `attribute`, `field`, `achievement` for a granted achievement, or `learner`.
        public var kind: String
        /// The name, as the event spells it.
        public var name: String
        /// The type of the events with this field; nil for types and attributes.
        public var type: String?
        /// The number of events with the name, including duplicates.
        public var count: Int
        /// The name of the input where the name is first used.
        public var file: String
        /// The line number where the name is first used, from 1.
        public var line: Int
        /// The known name that was most likely meant, or the other learner's id; nil if no name is similar.
        public var nearest: String?

        /// Creates a value, for previews and tests.
        public init(kind: String, name: String, type: String?, count: Int, file: String, line: Int, nearest: String?) {
            (self.kind, self.name, self.type, self.count) = (kind, name, type, count)
            (self.file, self.line, self.nearest) = (file, line, nearest)
        }
    }
}

extension IngestReport.UnreadableInput: CustomStringConvertible {
    public var description: String { "\(file): \(message)" }
}

extension IngestReport {
    private enum CodingKeys: CodingKey {
        case unknown, unknownNotListed, kinds, leftOut
    }

    /// Leaves out empty lists, and leaves out the number of unlisted names if it is 0.
    public func encode(to encoder: any Encoder) throws {
        try encodeCounts(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !unknown.isEmpty { try container.encode(unknown, forKey: .unknown) }
        if unknownNotListed > 0 { try container.encode(unknownNotListed, forKey: .unknownNotListed) }
        guard !kinds.isEmpty else { return }
        try container.encode(kinds, forKey: .kinds)
        try container.encode(leftOut, forKey: .leftOut)
    }

    public init(from decoder: any Decoder) throws {
        try decodeCounts(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        unknown = try container.decodeIfPresent([UnknownName].self, forKey: .unknown) ?? []
        unknownNotListed = try container.decodeIfPresent(Int.self, forKey: .unknownNotListed) ?? 0
        kinds = try container.decodeIfPresent([Kind].self, forKey: .kinds) ?? []
        leftOut = try container.decodeIfPresent([LeftOut].self, forKey: .leftOut) ?? []
    }
}

extension IngestReport: EventCounting {}
