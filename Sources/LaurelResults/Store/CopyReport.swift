// SPDX-License-Identifier: Apache-2.0

/// What came of copying a store into another.
public struct CopyReport: Codable, Sendable, Hashable {
    /// Of the copy, which are those of the source.
    public var learners: Int
    /// Of the copy, void ones included.
    public var events: Int
    /// Those that were not there before.
    public var copiedEvents: Int
    /// Versions of the rules that were not there before.
    public var copiedRules: Int
    /// Refused lines that were not there before.
    public var copiedLines: Int
    /// Refused lines that the destination's quarantine has no room for.
    public var linesWithoutRoom: Int
    /// Learners whom the source has no more, and whom the copy has lost, too.
    public var erasedLearners: Int
    /// Refused lines that the source has no more, and that the copy has lost, too.
    public var droppedLines: Int
    /// Webhooks that were copied, turned off.
    public var webhooks: Int
    /// Keys, signing keys and webhooks that stayed in the source, because they were not asked for.
    public var secretsLeft: Int
    /// Over all progress, of the source and of the copy.
    public var fingerprint: String

    /// Creates one, for previews and tests.
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

/// How far a copy has come.
public struct CopyProgress: Sendable, Hashable {
    /// What is being done.
    public enum Phase: String, Sendable, Hashable {
        /// Events are stored, and counted.
        case copying
        /// Both stores' events are folded, to be compared.
        case comparing
    }

    /// What is being done.
    public var phase: Phase
    /// Of the phase.
    public var events: Int
    /// Of the phase, about.
    public var eventsTotal: Int

    /// Creates one, for previews and tests.
    public init(phase: Phase, events: Int, eventsTotal: Int) {
        (self.phase, self.events, self.eventsTotal) = (phase, events, eventsTotal)
    }
}
