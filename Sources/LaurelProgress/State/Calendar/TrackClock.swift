// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelWire

/// The learner's wall clock according to the latest folded event of a track.
package struct TrackClock: Sendable, Equatable {
    /// The time zone that the event names; empty if it names none.
    var timezone: [UInt8] = []
    /// The offset written in the event's time, used if the zone is unknown: see ``WrittenOffset/code``.
    var offsetCode = WrittenOffset.zuluCode

    init() {}

    /// Creates a clock from the text that ``text(_:)`` returned.
    package init(_ text: String?) {
        guard let text else { return }
        if let offset = WrittenOffset(text) { offsetCode = offset.code } else { timezone = Array(text.utf8) }
    }

    /// The zone of the clock. If the machine does not know the zone, the result is the offset, such as `+05:30`. The
    /// result is nil if the rules' default zone is used.
    /// - Parameter clock: the clock that decides whether the machine knows the zone.
    func text(_ clock: inout LocalClock) -> String? {
        if clock.knows(timezone) { return String(decoding: timezone, as: UTF8.self) }
        return WrittenOffset(code: offsetCode).text
    }

    /// The local time of an instant. An offset written in the instant takes precedence over the learner's clock.
    package func localTime(of instant: Timestamp, _ clock: inout LocalClock) -> LocalTime {
        withParts(at: instant) { clock.localTime(at: instant.milliseconds, offsetCode: $0, timezone: $1) }
    }

    /// The version of the rules in force on the local day of an instant.
    package func version(at instant: Timestamp, in plan: FoldPlan) -> VersionPlan {
        withParts(at: instant) { plan.version(at: instant.milliseconds, offsetCode: $0, timezone: $1) }
    }

    private func withParts<Result>(
        at instant: Timestamp,
        _ body: (Int16, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        if case .minutes = instant.offset {
            return body(instant.offset.code, UnsafeBufferPointer(start: nil, count: 0))
        }
        return timezone.withUnsafeBufferPointer { body(offsetCode, $0) }
    }
}
