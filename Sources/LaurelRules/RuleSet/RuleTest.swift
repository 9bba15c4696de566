/// A test that a rules file carries with it.
package struct RuleTest: Sendable {
    /// A value that the test expects.
    package struct Expectation: Sendable {
        /// The field of the progress, dots inside: `total.perfect`, `xpBreakdown.dialog`.
        package let path: String
        package let value: ExpressionValue
        package let line: Int
        package let column: Int
    }

    package let name: String
    /// One CloudEvent each as JSON text. Where the file leaves them out, `id` is `test-1`, `test-2` …, `source` is
    /// `test` and `subject` is `learner`.
    package let events: [String]
    package let expectations: [Expectation]
    /// The instant to read as of, as written; nil for after the last event.
    package let at: String?
    /// The track to read; nil for the overall one.
    package let language: String?
    package let line: Int
    package let column: Int
}
