import LaurelEvents
import LaurelProgress
package import LaurelRules

/// Runs the tests that a rules file carries, through the same checks and the same fold as everything else.
extension ProgressEngine {
    package static func runTests(of rules: RuleSet) -> [RuleTestResult] {
        let plan = FoldPlan(rules: rules)
        return rules.tests.map { test in
            RuleTestResult(name: test.name, line: test.line, failures: RuleTestRun(plan: plan, test: test).failures())
        }
    }
}

private struct RuleTestRun {
    let plan: FoldPlan
    let test: RuleTest

    func failures() -> [RuleTestResult.Failure] {
        var table = EventTable()
        var decoder = EventDecoder()
        for (index, event) in test.events.enumerated() {
            let result = Array(event.utf8).withUnsafeBufferPointer {
                decoder.decode(line: $0, into: &table, clock: .max / 2)
            }
            if case .refused(let refusal) = result {
                return [failure(test.line, test.column, "event \(index + 1) is refused: \(refusal.message)")]
            }
        }
        guard let instant = instant(after: table) else {
            return [failure(test.line, test.column, "`at` is not an RFC 3339 time")]
        }
        return compare(fold(table, until: instant.milliseconds), at: instant)
    }

    /// As written, or that of the last event with its own offset.
    private func instant(after table: EventTable) -> Timestamp? {
        if let at = test.at { return try? Timestamp(at) }
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

    private func compare(_ state: LearnerState, at instant: Timestamp) -> [RuleTestResult.Failure] {
        let progress = ProgressReader(plan: plan)
            .progress(state, subject: "learner", language: test.language, at: instant)
        guard let progress else {
            return [failure(test.line, test.column, "there is no track for language \(test.language ?? "")")]
        }
        let document = progress.json
        return test.expectations.compactMap { expectation in
            let found = lookUp(expectation.path, in: document)
            guard let found else {
                return failure(
                    expectation.line,
                    expectation.column,
                    "`\(expectation.path)` is no field of the progress"
                )
            }
            guard !equal(found, expectation.value) else { return nil }
            return failure(
                expectation.line,
                expectation.column,
                "`\(expectation.path)`: expected \(expectation.value.spelled), got \(found.json)"
            )
        }
    }

    /// The value at a path; `total.NAME` is a metric, and a bucket or achievement that is not there counts as 0 and locked.
    private func lookUp(_ path: String, in progress: JSONValue) -> JSONValue? {
        var parts = path.split(separator: ".").map(String.init)
        if parts.first == "total" { parts[0] = "metrics" }
        guard case .object(let fields) = progress, let first = parts.first, var value = fields[first] else {
            return nil
        }
        for part in parts.dropFirst() {
            switch value {
            case .object(let members): value = members[part] ?? (first == "xpBreakdown" ? .integer(0) : .null)
            case .array(let elements):
                let match = elements.first { element in
                    if case .object(let members) = element { members["id"] == .string(part) } else { false }
                }
                value = match ?? .null
            default: return nil
            }
        }
        return value
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

    private func failure(_ line: Int, _ column: Int, _ message: String) -> RuleTestResult.Failure {
        RuleTestResult.Failure(line: line, column: column, message: message)
    }
}

extension ExpressionValue {
    var spelled: String {
        switch self {
        case .null: "null"
        case .number(let number): Int64(exactly: number).map(String.init) ?? "\(number)"
        case .boolean(let value): value ? "true" : "false"
        case .text(let text): "\"\(text)\""
        }
    }
}
