// SPDX-License-Identifier: Apache-2.0

package import LaurelYAML

/// A test that a rules file carries with it.
package struct RuleTest: Sendable {
    /// A value that the test expects.
    package struct Expectation: Sendable {
        /// The field of the progress, dots inside: `total.perfect`, `xpBreakdown.dialog`.
        package let path: String
        package let value: ExpressionValue
        package let place: SourcePlace
    }

    /// An entry of the test's events, which may stand for many.
    package struct Event: Sendable {
        /// How many events it stands for.
        let times: Int
        /// That of the first among the test's events, from 1.
        let number: Int
        /// As written. Where the file leaves it out, `test-1`, `test-2` …
        let id: String?
        /// As written, of the first.
        let time: String
        /// Milliseconds from each to the next.
        let step: Int64
        /// What comes after `id` and `time` in the JSON.
        let members: [String]
        let isRepeated: Bool
        /// That of its type.
        package let place: SourcePlace
    }

    package let name: String
    package let events: [Event]
    package let expectations: [Expectation]
    /// The instant to read as of, as written; nil for after the last event.
    package let at: String?
    /// The track to read; nil for the overall one.
    package let language: String?
    /// That of its name.
    package let place: SourcePlace
    /// The same in bytes of the file.
    let range: Range<Int>
}
