// SPDX-License-Identifier: Apache-2.0

/// The result of copying a store into another.
public struct CopyReport: Codable, Sendable, Hashable {
    /// The number of learners in the copy, the same as in the source.
    public var learners: Int
    /// The number of events in the copy, including void events.
    public var events: Int
    /// The number of events that this copy operation added.
    public var copiedEvents: Int
    /// The number of versions of the rules that this copy operation added.
    public var copiedRules: Int
    /// The number of refused lines that this copy operation added.
    public var copiedLines: Int
    /// The number of refused lines for which the destination's quarantine had no room.
    public var linesWithoutRoom: Int
    /// The number of learners deleted from the copy because the source no longer has them.
    public var erasedLearners: Int
    /// The number of refused lines deleted from the copy because the source no longer has them.
    public var droppedLines: Int
    /// The number of copied webhooks; each is turned off in the copy.
    public var webhooks: Int
    /// The number of keys, signing keys and webhooks that were not copied, because the caller did not ask for them.
    public var secretsLeft: Int
    /// The fingerprint of all progress, the same in the source and in the copy.
    public var fingerprint: String

    /// Creates a value, for previews and tests.
    public init(
        learners: Int = 0,
        events: Int = 0,
        copiedEvents: Int = 0,
        copiedRules: Int = 0,
        copiedLines: Int = 0,
        linesWithoutRoom: Int = 0,
        erasedLearners: Int = 0,
        droppedLines: Int = 0,
        webhooks: Int = 0,
        secretsLeft: Int = 0,
        fingerprint: String = ""
    ) {
        (self.learners, self.events, self.copiedEvents) = (learners, events, copiedEvents)
        (self.copiedRules, self.copiedLines, self.linesWithoutRoom) = (copiedRules, copiedLines, linesWithoutRoom)
        (self.erasedLearners, self.droppedLines) = (erasedLearners, droppedLines)
        (self.webhooks, self.secretsLeft, self.fingerprint) = (webhooks, secretsLeft, fingerprint)
    }
}

/// The progress of a copy.
public struct CopyProgress: Sendable, Hashable {
    /// The phases of a copy.
    public enum Phase: String, Sendable, Hashable {
        /// Events are stored and counted.
        case copying
        /// The events of both stores are folded for comparison.
        case comparing
    }

    /// The present phase.
    public var phase: Phase
    /// The number of events processed in this phase.
    public var events: Int
    /// The approximate number of events to process in this phase.
    public var eventsTotal: Int

    /// Creates a value, for previews and tests.
    public init(phase: Phase, events: Int, eventsTotal: Int) {
        (self.phase, self.events, self.eventsTotal) = (phase, events, eventsTotal)
    }
}
