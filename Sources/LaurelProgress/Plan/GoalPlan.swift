// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// A goal, as the fold uses it.
struct GoalPlan {
    let value: ExpressionSteps
    let target: ExpressionSteps
    /// The condition; nil if there is none.
    let when: ExpressionSteps?
    let window: Window
    let period: PeriodPlan
    /// The slot of the number of completions among a track's numbers; nil if no expression reads it.
    let slot: Int?

    init(_ rule: GoalRule, _ layout: FrameLayout, _ writer: inout StepWriter) {
        value = writer.expression(rule.value)
        target = writer.expression(rule.target)
        when = rule.when.map { writer.expression($0) }
        window = rule.every
        period = PeriodPlan(rule.period)
        slot = layout.slot(of: .goal(rule.id))
    }
}

extension GoalRule {
    var programs: [Program] { [value, target, when].compactMap(\.self) }
}

extension RuleSet {
    /// The numbers that goals read, and the changes that start a new window of a goal.
    func goalInputs(_ layout: TrackLayout) -> RuleInputs {
        var inputs = RuleInputs(goals.flatMap(\.programs), layout: layout)
        for goal in goals { inputs.add(goal.every.change) }
        return inputs
    }
}
