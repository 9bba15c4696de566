// SPDX-License-Identifier: Apache-2.0

/// The result of an ingest.
public struct IngestReport: Codable, Sendable, Hashable {
    /// The number of events that were read: the sum of `stored`, `duplicates`, `conflicts` and `refused`.
    public var read = 0
    /// The number of events that were new, and are stored now.
    public var stored = 0
    /// The number of events that were stored already.
    public var duplicates = 0
    /// The number of events that have the identity of a stored event, but other content. The stored event stays. The
    /// new event went to quarantine, if it had room.
    public var conflicts = 0
    /// The number of records that are no valid event. They went to quarantine, if it had room.
    public var refused = 0
    /// The number of refused or conflicting lines that quarantine had no room for. They are counted, but stored
    /// nowhere.
    public var notKept = 0
    /// Names in the events that neither the catalogue nor the store's rules know, in the order of first use.
    public var unknown: [UnknownName] = []
    /// The number of uses of further unknown names, after the list was full.
    public var unknownNotListed = 0
    /// The counts by kind of record; empty for CloudEvents, which have no kinds.
    public var kinds: [Kind] = []
    /// The parts of the inputs from which no event can be made.
    public var leftOut: [LeftOut] = []
    /// The first lines that were refused or are in conflict, at most ``mostProblems``. The JSON leaves them out,
    /// because quarantine has them all.
    public var problems: [Problem] = []
    /// The inputs that could not be read to their end. Events before that point are counted. The JSON leaves them out.
    public var unreadable: [UnreadableInput] = []

    /// The largest number of ``problems``.
    public static let mostProblems = 20

    /// Creates a value, for previews and tests.
    public init() {}

    /// A line that went to quarantine.
    public struct Problem: Sendable, Hashable {
        /// The name of the input; `standard input` if it has none.
        public var file: String
        /// The line in the input, from 1.
        public var line: Int
        /// The mistake, and its correction.
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
        /// The number of records that were read, refused ones included.
        public var read = 0
        /// The number of events that were new, and are stored now.
        public var stored = 0
        /// The number of events that were stored already.
        public var duplicates = 0
        /// The number of events that contradict a stored event.
        public var conflicts = 0
        /// The number of records from which no valid event can be made.
        public var refused = 0

        /// Creates a value, for previews and tests.
        public init(what: String) { self.what = what }
    }

    /// A part of the inputs from which no event can be made.
    public struct LeftOut: Codable, Sendable, Hashable {
        /// The name of the part, in words.
        public var what: String
        /// The number of such parts.
        public var count: Int
        /// The reason why no event can be made of it.
        public var why: String

        /// Creates a value, for previews and tests.
        public init(what: String, count: Int, why: String) { (self.what, self.count, self.why) = (what, count, why) }
    }

    /// An input that could not be read to its end.
    public struct UnreadableInput: Sendable, Hashable {
        /// The reason why reading stopped.
        public enum Reason: Sendable, Hashable {
            /// The operating system could not read it.
            case cannotRead
            /// It is not in the format that was named.
            case otherFormat
            /// It ends too early, or is damaged.
            case damaged
        }

        /// The reason why reading stopped.
        public var reason: Reason
        /// The name of the input.
        public var file: String
        /// The mistake, its place, and how to correct it.
        public var message: String

        /// Creates a value, for previews and tests.
        public init(_ reason: Reason, file: String, message: String) {
            (self.reason, self.file, self.message) = (reason, file, message)
        }
    }

    /// A name in the events that neither the catalogue nor the store's rules know. A learner's id is also listed if it
    /// differs from another learner's only in its Unicode normal form.
    public struct UnknownName: Codable, Sendable, Hashable {
        /// The kind of the name: `type`, `attribute`, `field`, `achievement` for one that is granted, or `learner`.
        public var kind: String
        /// The name, as the event spells it.
        public var name: String
        /// The type of the events with this field; nil for types and attributes.
        public var type: String?
        /// The number of events that have it, duplicates included.
        public var count: Int
        /// The name of the input where it stands first.
        public var file: String
        /// The line where it stands first, from 1.
        public var line: Int
        /// The known name that was most likely meant, or the other learner's id; nil if none is similar.
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

    /// Leaves out lists that are empty, and the number of names that are not listed at 0.
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
