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

    /// An event that the test feeds.
    package struct Event: Sendable {
        /// A CloudEvent. Where the file leaves them out, `id` is `test-1`, `test-2` …, `source` is `test` and `subject`
        /// is `learner`.
        package let json: String
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
