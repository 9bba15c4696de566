// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The progress of a replay, or of another operation on the events of all learners.
public struct ReplayProgress: Sendable, Hashable {
    /// The number of finished learners.
    public var learnersDone = 0
    /// The number of learners to process.
    public var learnersTotal = 0
    /// The number of events folded so far.
    public var events = 0

    /// Creates a value, for previews and tests.
    public init() {}
}

/// The result of a replay, or of a check of the stored progress.
public struct ReplayReport: Sendable, Hashable {
    /// The number of folded learners.
    public var learners = 0
    /// The number of events read, including void events.
    public var events = 0
    /// The duration in seconds.
    public var seconds = 0.0
    /// The hash of all progress, in hexadecimal. Equal events under equal rules have equal fingerprints.
    public var fingerprint = ""
    /// True if another version of the program computed the stored progress. That progress is then neither read nor
    /// compared. The JSON omits this property.
    public var isOutdated = false
    /// True if progress was only compared with the stored progress, and nothing was written.
    public var isCheck = false
    /// The differences between the stored progress and the progress recomputed from events, in sentences; empty after a
    /// replay.
    public var differences: [String] = []

    /// Creates a value, for previews and tests.
    public init() {}

    /// Events per second, rounded to a whole number; 0 if no time passed.
    public var eventsPerSecond: Double { seconds > 0 ? (Double(events) / seconds).rounded() : 0 }
}

extension ReplayReport: Codable {
    private enum CodingKeys: CodingKey {
        case learners, events, seconds, eventsPerSecond, fingerprint, differences
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(learners, forKey: .learners)
        try container.encode(events, forKey: .events)
        try container.encode(seconds, forKey: .seconds)
        try container.encode(eventsPerSecond, forKey: .eventsPerSecond)
        try container.encode(fingerprint, forKey: .fingerprint)
        if isCheck { try container.encode(differences, forKey: .differences) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        learners = try container.decode(Int.self, forKey: .learners)
        events = try container.decode(Int.self, forKey: .events)
        seconds = try container.decode(Double.self, forKey: .seconds)
        fingerprint = try container.decode(String.self, forKey: .fingerprint)
        isCheck = container.contains(.differences)
        differences = try container.decodeIfPresent([String].self, forKey: .differences) ?? []
    }
}

/// The result of a check of a store.
public struct VerificationReport: Codable, Sendable, Hashable {
    /// The number of learners that the store records; nil if damage makes it unreadable.
    public var learners: Int?
    /// The number of events that the store records; nil if damage makes it unreadable.
    public var events: Int?
    /// The number of the store's blocks; nil if damage makes it unreadable.
    public var blocks: Int?
    /// The problems, in sentences; empty if the store is undamaged.
    public var problems: [String]
    /// Remarks that need no action, in sentences.
    public var remarks: [String]

    /// Creates a value, for previews and tests.
    public init(problems: [String], remarks: [String]) { (self.problems, self.remarks) = (problems, remarks) }

    private enum CodingKeys: OmittableKey {
        case learners, events, blocks, problems, remarks

        var isOmittedIfNil: Bool { true }
    }
}

/// The result of exporting a damaged store.
public struct SalvageReport: Codable, Sendable, Hashable {
    /// A learner for whom the number of readable events differs from the number that the store recorded.
    public struct Loss: Codable, Sendable, Hashable {
        /// The learner's id; nil if the id is lost.
        public var learner: String?
        /// The number of events that the store recorded; nil if that number is lost. If the learner's id is lost, the
        /// number of readable events that could not be exported without the id.
        public var counted: Int?
        /// The number of exported events.
        public var found: Int
        /// The loss in one sentence.
        public var description: String

        /// Creates a value, for previews and tests.
        public init(learner: String?, counted: Int?, found: Int, description: String) {
            (self.learner, self.counted, self.found) = (learner, counted, found)
            self.description = description
        }
    }

    /// The number of exported events.
    public var events: Int
    /// The losses, in byte order of the ids, lost ids last; empty if nothing is missing.
    public var losses: [Loss]

    /// Creates a value, for previews and tests.
    public init(events: Int, losses: [Loss]) { (self.events, self.losses) = (events, losses) }
}

/// A line in quarantine, which was refused or contradicts a stored event.
public struct QuarantinedLine: Codable, Sendable, Hashable, Identifiable {
    /// The line's number in the store. Numbers ascend in the order of arrival.
    public var id: Int
    /// The stable code of the reason, such as `invalid-json`.
    public var reason: String
    /// The error, and how to correct it.
    public var message: String
    /// The name of the input; nil if the input has no name.
    public var file: String?
    /// The line number in the input, from 1; nil if it is unknown.
    public var line: Int?
    /// The time when the line was put into quarantine.
    public var receivedAt: Date
    /// The id of the event; nil if it could not be read.
    public var eventId: String?
    /// The source of the event; nil if it could not be read.
    public var source: String?
    /// The learner of the event; nil if it could not be read.
    public var learner: String?
    /// The length of the line in bytes.
    public var bytes: Int

    /// Creates a value, for previews and tests.
    public init(id: Int, reason: String, message: String, receivedAt: Date, bytes: Int) {
        (self.id, self.reason, self.message) = (id, reason, message)
        (self.receivedAt, self.bytes) = (receivedAt, bytes)
    }
}

/// The number of lines in quarantine with the same reason.
public struct QuarantineCount: Codable, Sendable, Hashable {
    /// The code of the reason, such as `invalid-json`.
    public var reason: String
    /// The number of lines.
    public var lines: Int

    /// Creates a value, for previews and tests.
    public init(reason: String, lines: Int) { (self.reason, self.lines) = (reason, lines) }
}

/// The size of a store.
public struct StoreSize: Codable, Sendable, Hashable {
    /// The number of learners with events.
    public var learners: Int
    /// The number of stored events, including void events.
    public var events: Int
    /// The number of events that are not in blocks yet.
    public var tailEvents: Int
    /// The number of compressed blocks. They contain all events except ``tailEvents``.
    public var blocks: Int
    /// The number of lines in quarantine.
    public var quarantined: Int
    /// The size of the database file in bytes, without its write-ahead log; 0 for a store in memory.
    public var bytes: Int

    /// Creates a value, for previews and tests.
    public init(learners: Int, events: Int, tailEvents: Int, blocks: Int, quarantined: Int, bytes: Int) {
        (self.learners, self.events, self.tailEvents) = (learners, events, tailEvents)
        (self.blocks, self.quarantined, self.bytes) = (blocks, quarantined, bytes)
    }
}
