// SPDX-License-Identifier: Apache-2.0

package import LaurelYAML

/// A test in a rules file.
package struct RuleTest: Sendable {
    /// A value that the test expects.
    package struct Expectation: Sendable {
        /// The field of the progress, as a dotted path: `total.perfect`, `xpBreakdown.dialog`.
        package let path: String
        package let value: ExpressionValue
        package let place: SourcePlace
    }

    /// An entry of the test's events, which may stand for many events.
    package struct Event: Sendable {
        /// The number of events that the entry stands for.
        let times: Int
        /// The number of the first one among the test's events, from 1.
        let number: Int
        /// The id as written. If the file leaves it out, `test-1`, `test-2` …
        let id: String?
        /// The time of the first event, as written.
        let time: String
        /// The milliseconds from one event to the next.
        let step: Int64
        /// The members after `id` and `time` in the JSON.
        let members: [String]
        let isRepeated: Bool
        /// The place of its type in the file.
        package let place: SourcePlace
    }

    package let name: String
    package let events: [Event]
    package let expectations: [Expectation]
    /// The instant as of which progress is read, as written; nil for after the last event.
    package let at: String?
    /// The track; nil for the overall one.
    package let language: String?
    /// The place of its name in the file.
    package let place: SourcePlace
    /// The place in bytes of the file.
    let range: Range<Int>
}
