// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules

/// Folds events, and computes all results of them.
enum Folding {
    static let instant = Timestamp(milliseconds: 1_770_400_000_000)

    @discardableResult
    static func fold(_ table: EventTable, _ plan: FoldPlan, after state: LearnerState? = nil) -> LearnerState {
        let fold = Fold(plan: plan, state: state)
        let run = PlannedRows(bound: PlannedTable(table, plan: plan), rows: 0..<table.count)
        fold.noteCorrections([run])
        for span in EventOrder.spans([run]) { fold.fold(span.bound, rows: span.rows) }
        read(fold.state, plan)
        let bytes = fold.state.encoded()
        FuzzTarget.expect(LearnerState(decoding: bytes, plan: plan) != nil, "a state that cannot be read back")
        return fold.state
    }

    static func read(_ state: LearnerState, _ plan: FoldPlan) {
        let reader = ProgressReader(plan: plan)
        for language in [nil] + reader.languages(state).map(Optional.some) {
            _ = reader.progress(state, subject: "ana", language: language, at: instant)
        }
        _ = reader.projection(state)
        _ = state.fingerprint
    }
}

/// Rules that use most features.
enum RichRules {
    static let plan = Result {
        FoldPlan(rules: try RuleSet(yaml: TextTargets.rulesText.bytes, file: "rules.yaml") { $0 == "UTC" })
    }
}
