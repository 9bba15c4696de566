// SPDX-License-Identifier: Apache-2.0

/// The outcome of an ingest.
public struct IngestReport: Codable, Sendable, Hashable {
    /// The sum of the four below.
    public var read = 0
    /// Events that are new, and stored now.
    public var stored = 0
    /// Events that were stored before.
    public var duplicates = 0
    /// Events with the identity of a stored event and other content. The stored event stays; these are in quarantine.
    public var conflicts = 0
    /// What is not an event. It is in quarantine, unless there was no room.
    public var refused = 0
    /// Of the lines refused or in conflict, those that quarantine had no room for: they are counted here, and kept nowhere.
    public var notKept = 0
    /// Names in the events that neither the catalogue nor the store's rules know, in the order of their first use.
    public var unknown: [UnknownName] = []
    /// How often further names were used, of which there are too many to list.
    public var unknownNotListed = 0
    /// By kind; empty for CloudEvents, which say themselves what they are.
    public var kinds: [Kind] = []
    /// What the inputs hold and no event could be made of.
    public var leftOut: [LeftOut] = []
    /// The first of them; not in JSON, for quarantine has them all.
    public var problems: [Problem] = []
    /// Inputs that could not be read to their end; what came before is counted. Not in JSON.
    public var unreadable: [UnreadableInput] = []

    /// How many ``problems`` there are at most.
    public static let mostProblems = 20

    /// Creates one, for previews and tests.
    public init() {}

    /// A line that went to quarantine.
    public struct Problem: Sendable, Hashable {
        /// The input, `standard input` where it has no name.
        public var file: String
        /// From 1.
        public var line: Int
        /// What is wrong, and what would be right.
        public var message: String

        /// Creates one, for previews and tests.
        public init(file: String, line: Int, message: String) {
            (self.file, self.line, self.message) = (file, line, message)
        }
    }

    /// What became of the events of one kind, where a format tells kinds apart.
    public struct Kind: Codable, Sendable, Hashable {
        /// Of what kind they are, in the words of the format's mapping.
        public var what: String
        /// Events made of it.
        public var read = 0
        /// Those that are new.
        public var stored = 0
        /// Those that were stored before.
        public var duplicates = 0
        /// Those that contradict a stored event.
        public var conflicts = 0
        /// Records that no event can be made of.
        public var refused = 0

        /// Creates one, for previews and tests.
        public init(what: String) { self.what = what }
    }

    /// Something in the inputs that no event could be made of.
    public struct LeftOut: Codable, Sendable, Hashable {
        /// What it is.
        public var what: String
        /// How many.
        public var count: Int
        /// Why there is no event for it.
        public var why: String

        /// Creates one, for previews and tests.
        public init(what: String, count: Int, why: String) { (self.what, self.count, self.why) = (what, count, why) }
    }

    /// An input that could not be read to its end.
    public struct UnreadableInput: Sendable, Hashable {
        /// Why it cannot be read.
        public enum Reason: Sendable, Hashable {
            /// The machine could not read it.
            case cannotRead
            /// It is not of the format that was named.
            case otherFormat
            /// It ends too early, or is damaged.
            case damaged
        }

        /// Why.
        public var reason: Reason
        /// Which input.
        public var file: String
        /// What was wrong, where, and what to do.
        public var message: String

        /// Creates one, for previews and tests.
        public init(_ reason: Reason, file: String, message: String) {
            (self.reason, self.file, self.message) = (reason, file, message)
        }
    }

    /// A name that neither the catalogue nor the store's rules know.
    public struct UnknownName: Codable, Sendable, Hashable {
        /// `type`, `attribute` or `field`.
        public var kind: String
        /// As the event spells it.
        public var name: String
        /// Of a field: the type of the events that have it.
        public var type: String?
        /// How many events have it, those stored before among them.
        public var count: Int
        /// Where the first of them stands, lines from 1.
        public var file: String
        /// Its line there, from 1.
        public var line: Int
        /// What was most likely meant.
        public var nearest: String?

        /// Creates one, for previews and tests.
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

    /// What there may be is there only where it is not empty.
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
