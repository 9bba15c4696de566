// SPDX-License-Identifier: Apache-2.0

/// The maximum number of events of a type that a person can make in a span of time. Further events are flagged.
package struct PlausibleLimit: Sendable {
    /// The spans, by their names in rules files.
    package enum Span: String, CaseIterable, Sendable {
        case second, minute, hour, day

        /// The length in milliseconds.
        package var milliseconds: Int64 {
            switch self {
            case .second: 1_000
            case .minute: 60_000
            case .hour: 3_600_000
            case .day: 86_400_000
            }
        }
    }

    /// The event type.
    package let type: String
    /// The largest number of events that is plausible, 0 … ``largest``.
    package let atMost: Int
    package let span: Span

    /// The largest allowed limit. A learner's state stores the times of up to this number of events.
    package static let largest = 10_000
}
