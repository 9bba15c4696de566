import LaurelEvents
import LaurelProgress
package import LaurelRules

/// Runs the tests that a rules file carries, through the same checks and the same fold as everything else.
extension ProgressEngine {
    /// - Parameter isWanted: Which tests to run.
    package static func runTests(
        of rules: RuleSet,
        where isWanted: (RuleTest) -> Bool = { _ in true }
    ) -> [RuleTestResult] {
        let plan = FoldPlan(rules: rules)
        return rules.tests.filter(isWanted).map { RuleTestRun(plan: plan, test: $0).result() }
    }

    /// Whether a test fails; the tests behind the first that does are not run.
    static func fails(_ rules: RuleSet) -> Bool {
        let plan = FoldPlan(rules: rules)
        return rules.tests.contains { !RuleTestRun(plan: plan, test: $0).result().passed }
    }
}

private struct RuleTestRun {
    let plan: FoldPlan
    let test: RuleTest

    func result() -> RuleTestResult {
        var result = RuleTestResult(name: test.name, place: test.place)
        var table = EventTable()
        var decoder = EventDecoder()
        var number = 0
        for event in test.events {
            for json in event.cloudEvents {
                number += 1
                let outcome = Array(json.utf8).withUnsafeBufferPointer {
                    decoder.decode(line: $0, into: &table, clock: .max / 2)
                }
                guard case .refused(let refusal) = outcome else { continue }
                result.obstacle = ("event \(number) is refused: \(refusal.message)", event.place)
                return result
            }
        }
        let instant = instant(after: table)
        let state = fold(table, until: instant.milliseconds)
        let progress = ProgressReader(plan: plan)
            .progress(state, subject: "learner", language: test.language, at: instant)
        guard let progress else {
            let message = "no event has the language \(test.language ?? ""): there is no such track"
            result.obstacle = (message, test.place)
            return result
        }
        let fields = ExpectedFields(progress: progress, plan: state.plan)
        result.outcomes = test.expectations.map { compare($0, fields) }
        return result
    }

    /// As written, or that of the last event with its own offset.
    private func instant(after table: EventTable) -> Timestamp {
        if let at = test.at.flatMap({ try? Timestamp($0) }) { return at }
        let last = (0..<table.count).max { table.milliseconds[$0] < table.milliseconds[$1] }
        return last.map(table.timestamp) ?? Timestamp(milliseconds: 0)
    }

    private func fold(_ table: EventTable, until instant: Int64) -> LearnerState {
        let bound = BoundTable(table, plan: plan)
        let rows = (0..<table.count).filter { table.milliseconds[$0] <= instant }
        let runs = rows.map { BoundRun(bound: bound, rows: $0..<$0 + 1) }
        let fold = Fold(plan: plan)
        fold.noteCorrections(runs)
        for span in EventOrder.spans(runs) { fold.fold(span.bound, rows: span.rows) }
        return fold.state
    }

    private func compare(_ expectation: RuleTest.Expectation, _ fields: ExpectedFields) -> RuleTestResult.Outcome {
        var outcome = RuleTestResult.Outcome(
            path: expectation.path,
            expected: expectation.value.spelled,
            passed: false,
            place: expectation.place
        )
        do throws(ExpectedFields.Missing) {
            let found = try fields.value(at: expectation.path)
            outcome.got = found.json
            outcome.passed = equal(found, expectation.value)
        } catch {
            outcome.problem = error.message
            outcome.suggestion = error.suggestion
        }
        return outcome
    }

    private func equal(_ found: JSONValue, _ expected: ExpressionValue) -> Bool {
        switch (found, expected) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        case (.integer(let one), .number(let other)): Double(one) == other
        case (.double(let one), .number(let other)): one == other
        case (.string(let one), .text(let other)): one == other
        default: false
        }
    }
}

extension ExpressionValue {
    fileprivate var spelled: String {
        switch self {
        case .null: "null"
        case .number(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
        case .boolean(let value): value ? "true" : "false"
        case .text(let text): JSONValue.string(text).json
        }
    }
}
