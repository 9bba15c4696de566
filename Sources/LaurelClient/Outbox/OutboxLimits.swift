// SPDX-License-Identifier: Apache-2.0

/// The limits of an outbox, and the behaviour when it is full.
public struct OutboxLimits: Sendable, Hashable {
    /// The events that are lost when the outbox is full.
    public enum WhenFull: Sendable, Hashable {
        /// The outbox refuses the new event: recording it throws ``OutboxError/Code/full``. No earlier event is lost.
        case refuse
        /// The outbox drops the oldest events that are not being sent. ``DeliveryProgress/dropped`` counts them.
        case dropOldest
    }

    /// The maximum number of waiting events; 1 or more.
    public var events: Int
    /// The maximum number of bytes of waiting events. The files may temporarily need about twice as much.
    public var bytes: Int
    /// The behaviour when the outbox is full.
    public var whenFull: WhenFull

    /// Creates limits. The properties describe the parameters.
    public init(events: Int = 100_000, bytes: Int = 64 << 20, whenFull: WhenFull = .refuse) {
        self.events = events
        self.bytes = bytes
        self.whenFull = whenFull
    }
}
