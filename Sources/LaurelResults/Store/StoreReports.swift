// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How far a replay, or anything else that folds everyone's events, has come.
public struct ReplayProgress: Sendable, Hashable {
    /// Learners that are done.
    public var learnersDone = 0
    /// Learners there are.
    public var learnersTotal = 0
    /// Events folded so far.
    public var events = 0

    /// Creates one, for previews and tests.
    public init() {}
}

/// What a replay did, or a check found.
public struct ReplayReport: Sendable, Hashable {
    /// Learners folded.
    public var learners = 0
    /// Events read, void ones included.
    public var events = 0
    /// How long it took.
    public var seconds = 0.0
    /// Hexadecimal: equal events and rules, equal fingerprint.
    public var fingerprint = ""
    /// The stored progress was computed by an older program: it is not read, and not compared. Not in JSON.
    public var isOutdated = false
    /// Whether it was compared with what is stored, instead of written.
    public var isCheck = false
    /// In what the stored progress differs from what the events give, in sentences; only a check has any.
    public var differences: [String] = []

    /// Creates one, for previews and tests.
    public init() {}

    /// 0 if it took no time.
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

/// What a check of a store found.
public struct VerificationReport: Codable, Sendable, Hashable {
    /// How much there is; nil if damage hides it.
    public var learners: Int?
    /// Events that were read; nil if they could not be.
    public var events: Int?
    /// Blocks that were read; nil if they could not be.
    public var blocks: Int?
    /// What is wrong, in sentences; empty if the store is sound.
    public var problems: [String]
    /// Remarks that are not problems, in sentences.
    public var remarks: [String]

    /// Creates one, for previews and tests.
    public init(problems: [String], remarks: [String]) { (self.problems, self.remarks) = (problems, remarks) }

    private enum CodingKeys: OmittableKey {
        case learners, events, blocks, problems, remarks

        var isOmittedIfNil: Bool { true }
    }
}

/// What could be exported from a damaged store.
public struct SalvageReport: Codable, Sendable, Hashable {
    /// A learner with fewer or more events found than were counted.
    public struct Loss: Codable, Sendable, Hashable {
        /// The learner's id; nil if the name is lost.
        public var learner: String?
        /// nil if that number is lost.
        public var counted: Int?
        /// How many were sound.
        public var found: Int
        /// The same in a sentence.
        public var description: String

        /// Creates one, for previews and tests.
        public init(learner: String?, counted: Int?, found: Int, description: String) {
            (self.learner, self.counted, self.found) = (learner, counted, found)
            self.description = description
        }
    }

    /// Sound events.
    public var events: Int
    /// By name; empty if nothing is missing.
    public var losses: [Loss]

    /// Creates one, for previews and tests.
    public init(events: Int, losses: [Loss]) { (self.events, self.losses) = (events, losses) }
}

/// A line that was refused, or contradicts a stored event.
public struct QuarantinedLine: Codable, Sendable, Hashable, Identifiable {
    /// Ascending in the order of arrival.
    public var id: Int
    /// A short code, for grouping.
    public var reason: String
    /// A message for people.
    public var message: String
    /// The input it came from; nil if it has no name.
    public var file: String?
    /// From 1.
    public var line: Int?
    /// When it was refused.
    public var receivedAt: Date
    /// What the line says of itself, as far as it could be read.
    public var eventId: String?
    /// Of the event; nil if it could not be read.
    public var source: String?
    /// Of the event; nil if it could not be read.
    public var learner: String?
    /// Its length in bytes.
    public var bytes: Int

    /// Creates one, for previews and tests.
    public init(id: Int, reason: String, message: String, receivedAt: Date, bytes: Int) {
        (self.id, self.reason, self.message) = (id, reason, message)
        (self.receivedAt, self.bytes) = (receivedAt, bytes)
    }

    private enum CodingKeys: String, CodingKey {
        case id, reason, message, file, line, receivedAt, eventId, source
        case learner = "subject"
        case bytes
    }
}

/// How many lines are in quarantine for a reason.
public struct QuarantineCount: Codable, Sendable, Hashable {
    /// Such as `invalid-json`.
    public var reason: String
    /// How many lines.
    public var lines: Int

    /// Creates one, for previews and tests.
    public init(reason: String, lines: Int) { (self.reason, self.lines) = (reason, lines) }
}

/// How much a store holds.
public struct StoreSize: Codable, Sendable, Hashable {
    /// Learners with events.
    public var learners: Int
    /// Events stored, void ones included.
    public var events: Int
    /// Events not yet in a block.
    public var tailEvents: Int
    /// Compressed blocks of events.
    public var blocks: Int
    /// Lines in quarantine.
    public var quarantined: Int
    /// Of the file; 0 for a store in memory.
    public var bytes: Int

    /// Creates one, for previews and tests.
    public init(learners: Int, events: Int, tailEvents: Int, blocks: Int, quarantined: Int, bytes: Int) {
        (self.learners, self.events, self.tailEvents) = (learners, events, tailEvents)
        (self.blocks, self.quarantined, self.bytes) = (blocks, quarantined, bytes)
    }
}
