// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelYAML
import LaurelWire

/// Runs the tests in a rules file, with the same checks and the same fold as stored events.
extension ProgressEngine {
    /// - Parameter isWanted: returns true for tests to run.
    static func runTests(
        of rules: RuleSet,
        where isWanted: (RuleTest) -> Bool = { _ in true }
    ) -> [RuleTestResult] {
        let plan = FoldPlan(rules: rules)
        return rules.tests.filter(isWanted).map { RuleTestRun(plan: plan, test: $0).result() }
    }

    /// The position in `order` of the first test that fails; nil if all pass. Tests after the first failure are not
    /// run.
    /// - Parameter order: indices of the tests.
    static func firstFailure(_ rules: RuleSet, in order: [Int]) -> Int? {
        let plan = FoldPlan(rules: rules)
        return order.firstIndex { !RuleTestRun(plan: plan, test: rules.tests[$0]).result().passed }
    }
}

private struct RuleTestRun {
    let plan: FoldPlan
    let test: RuleTest

    func result() -> RuleTestResult {
        let position = test.position
        var result = RuleTestResult(file: position.file, line: position.line, column: position.column, name: test.name)
        var table = EventTable()
        var decoder = EventDecoder()
        var number = 0
        for event in test.events {
            for json in event.cloudEvents {
                number += 1
                let outcome = Array(json.utf8).withUnsafeBufferPointer {
                    decoder.decode(line: $0, into: &table, clock: nil)
                }
                guard case .refused(let refusal) = outcome else { continue }
                return obstructed(result, "event \(number) is refused: \(refusal.message)", event.position)
            }
        }
        let instant = instant(after: table)
        let state = fold(table, until: instant.milliseconds)
        let progress = ProgressReader(plan: plan)
            .progress(state, subject: test.learner, language: test.language?.canonicalLanguageTag, at: instant)
        guard let progress else {
            let message = "no event has the language \(test.language ?? ""): there is no such track"
            return obstructed(result, message, test.position)
        }
        let fields = ExpectedFields(progress: LearnerProgress(progress), plan: state.plan)
        result.outcomes = test.expectations.map { compare($0, fields) }
        result.passed = result.outcomes.allSatisfy(\.passed)
        return result
    }

    private func obstructed(_ result: RuleTestResult, _ message: String, _ position: SourcePosition) -> RuleTestResult {
        var result = result
        result.obstacle = diagnostic(at: position, message)
        result.passed = false
        return result
    }

    private func diagnostic(at position: SourcePosition, _ message: String, suggestion: String? = nil) -> Diagnostic {
        Diagnostic(.error, at: position, "test “\(test.name)”: \(message)", suggestion: suggestion)
    }

    /// The instant as written in the test. If the test has none, the result is the instant of the last event, with that
    /// event's offset.
    private func instant(after table: EventTable) -> Timestamp {
        if let at = test.at.flatMap({ try? Timestamp($0) }) { return at }
        let last = (0..<table.count).max { table.milliseconds[$0] < table.milliseconds[$1] }
        return last.map(table.timestamp) ?? Timestamp(milliseconds: 0)
    }

    private func fold(_ table: EventTable, until instant: Int64) -> LearnerState {
        let bound = PlannedTable(table, plan: plan)
        let rows = (0..<table.count).filter { table.milliseconds[$0] <= instant }
        let runs = rows.map { PlannedRows(bound: bound, rows: $0..<$0 + 1) }
        let fold = Fold(plan: plan)
        fold.noteCorrections(runs)
        for span in EventOrder.spans(runs) { fold.fold(span.bound, rows: span.rows) }
        return fold.state
    }

    private func compare(_ expectation: RuleTest.Expectation, _ fields: ExpectedFields) -> RuleTestResult.Outcome {
        let (path, position) = (expectation.path, expectation.position)
        var outcome = RuleTestResult.Outcome(
            path: path,
            line: position.line,
            column: position.column,
            expected: ExplainedExpression.Value(expectation.value),
            got: .null,
            passed: false
        )
        do throws(ExpectedFields.Missing) {
            outcome.got = ExplainedExpression.Value(try fields.value(at: path))
            outcome.passed = outcome.got == outcome.expected
            if outcome.passed { return outcome }
            let message = "`\(path)`: expected \(outcome.expected.json), got \(outcome.got.json)"
            outcome.diagnostic = diagnostic(at: position, message)
        } catch {
            outcome.isKnown = false
            outcome.diagnostic = diagnostic(at: position, error.message, suggestion: error.suggestion)
        }
        return outcome
    }
}

extension ExplainedExpression.Value {
    /// A value of progress that is neither a list nor an object.
    fileprivate init(_ value: JSONValue) {
        self =
            switch value {
            case .boolean(let value): .boolean(value)
            case .integer(let number): .number(Double(number))
            case .double(let number): .number(number)
            case .string(let text): .text(text)
            case .null, .number, .array, .object: .null
            }
    }
}
