// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How a client behaves; what is not set is fit for a phone.
public struct ClientConfiguration: Sendable {
    /// How much may wait.
    public var limits: OutboxLimits
    /// The most events in a batch; 1 or more.
    public var batchEvents: Int
    /// The most bytes in a batch; one event may be more.
    public var batchBytes: Int
    /// The time when a delivery that failed is tried again.
    public var retry: RetryPolicy
    /// What waiting goes by.
    public var clock: any Clock<Duration>
    /// The time when events happen that are recorded without a time.
    public var now: @Sendable () -> Date
    /// Where the learner's wall clock hangs: its offset is written into each event's time, and decides the event's local day.
    public var timeZone: @Sendable () -> TimeZone
    /// From 0 to 1, for the jitter.
    public var random: @Sendable () -> Double

    /// Each property says what its parameter means.
    public init(
        limits: OutboxLimits = OutboxLimits(),
        batchEvents: Int = 500,
        batchBytes: Int = 512 << 10,
        retry: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        timeZone: @escaping @Sendable () -> TimeZone = { TimeZone.autoupdatingCurrent },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.limits = limits
        self.batchEvents = batchEvents
        self.batchBytes = batchBytes
        self.retry = retry
        self.clock = clock
        self.now = now
        self.timeZone = timeZone
        self.random = random
    }
}

/// Who practises, what and in which session: what events have in common.
public struct PracticeContext: Sendable, Hashable {
    /// The learner's id, 1 to 256 bytes.
    public var learner: String
    /// BCP 47 tag of the language being learned.
    public var language: String?
    /// The practice session's id, 1 to 128 bytes.
    public var session: String?

    /// Who practises, what, and in which session.
    public init(learner: String, language: String? = nil, session: String? = nil) {
        self.learner = learner
        self.language = language
        self.session = session
    }
}

/// What an event is known by; ``LearningEvent/eventRetracted(source:id:)`` takes it back.
public struct EventIdentity: Sendable, Hashable {
    /// This installation of the app.
    public let source: String
    /// The event's own.
    public let id: String

    /// Each property says what its parameter means.
    public init(source: String, id: String) {
        self.source = source
        self.id = id
    }
}
