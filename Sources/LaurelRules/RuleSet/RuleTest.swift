// SPDX-License-Identifier: Apache-2.0

package import LaurelYAML

/// A test in a rules file.
package struct RuleTest: Sendable {
    /// A value that the test expects.
    package struct Expectation: Sendable {
        /// The field of the progress, as a dotted path such as `total.perfect` or `xpBreakdown.dialog`.
        package let path: String
        package let value: ExpressionValue
        package let position: SourcePosition
    }

    /// An entry of the test's events. With `times`, an entry stands for several events.
    package struct Event: Sendable {
        /// The number of events that the entry stands for.
        let times: Int
        /// The number of the entry's first event among the test's events, from 1.
        let number: Int
        /// The id as written. Without an id, the events are called `test-1`, `test-2`, ….
        let id: String?
        /// The time of the first event, as written.
        let time: String
        /// The time from one event of the entry to the next, in milliseconds.
        let step: Int64
        /// The event's JSON members that follow `id` and `time`.
        let members: [String]
        let isRepeated: Bool
        /// The position of the event's type in the file.
        package let position: SourcePosition
    }

    /// The learner of tests without `variant`.
    static let learner = "learner"

    package let name: String
    package let events: [Event]
    package let expectations: [Expectation]
    /// The instant as of which progress is read, as written in the file. If nil, progress is read after the last event.
    package let at: String?
    /// The language of the track; nil for the overall track.
    package let language: String?
    /// The id of the learner whose progress is read. Events without a `subject` belong to the same learner.
    package let learner: String
    /// The position of the test's name in the file.
    package let position: SourcePosition
    /// The byte range of the test in the file.
    let range: Range<Int>
}
