// SPDX-License-Identifier: Apache-2.0

/// How much may wait in an outbox, and what happens beyond it.
public struct OutboxLimits: Sendable, Hashable {
    /// What gives way when the outbox is full.
    public enum WhenFull: Sendable, Hashable {
        /// The new event: recording it throws ``OutboxError/Code/full``, and nothing recorded before is lost.
        case refuse
        /// The oldest events that are not being sent: they are lost, and counted in ``DeliveryProgress/dropped``.
        case dropOldest
    }

    /// Events that may wait; 1 or more.
    public var events: Int
    /// Bytes of events that may wait. The files may take about twice as much for a while.
    public var bytes: Int
    /// What becomes of an event that there is no room for.
    public var whenFull: WhenFull

    /// Each property says what its parameter means.
    public init(events: Int = 100_000, bytes: Int = 64 << 20, whenFull: WhenFull = .refuse) {
        self.events = events
        self.bytes = bytes
        self.whenFull = whenFull
    }
}
