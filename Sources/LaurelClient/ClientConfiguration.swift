// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The settings of a client. The defaults suit a phone.
public struct ClientConfiguration: Sendable {
    /// The limits of the outbox.
    public var limits: OutboxLimits
    /// The maximum number of events in a batch; 1 or more.
    public var batchEvents: Int
    /// The maximum size of a batch, in bytes. A single larger event is sent in a separate batch.
    public var batchBytes: Int
    /// The waiting times before a failed delivery is retried.
    public var retry: RetryPolicy
    /// The clock that measures waiting times.
    public var clock: any Clock<Duration>
    /// Returns the time for events that are recorded without a time.
    public var now: @Sendable () -> Date
    /// The time zone of the learner's clock. Its offset is written into each event's time, and decides the event's
    /// local day.
    public var timeZone: @Sendable () -> TimeZone
    /// Returns a random number from 0 to 1, for the jitter of retries.
    public var random: @Sendable () -> Double

    /// Creates a configuration. The properties describe the parameters.
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

/// The attributes that events share: the learner, the language and the session.
public struct PracticeContext: Sendable, Hashable {
    /// The learner's id, 1 to 256 bytes.
    public var learner: String
    /// The BCP 47 tag of the language being learned; nil for none.
    public var language: String?
    /// The practice session's id, 1 to 128 bytes; nil outside sessions.
    public var session: String?

    /// Creates a context. The properties describe the parameters.
    public init(learner: String, language: String? = nil, session: String? = nil) {
        self.learner = learner
        self.language = language
        self.session = session
    }
}

/// The identity of an event. ``LearningEvent/eventRetracted(source:id:)`` needs it to void the event.
public struct EventIdentity: Sendable, Hashable {
    /// The source of the event: the installation of the app that recorded it.
    public let source: String
    /// The event's id.
    public let id: String

    /// Creates an identity. The properties describe the parameters.
    public init(source: String, id: String) {
        self.source = source
        self.id = id
    }
}
