// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// The first part of each pass of step 6: goals, which only the overall track has.
extension FoldCore {
    /// Evaluates the goals in file order. Returns true if one was completed.
    @inline(never)
    mutating func completeGoals() -> Bool {
        var hasCompleted = false
        for index in plan.goals.indices where isReached(index) {
            complete(index)
            hasCompleted = true
        }
        return hasCompleted
    }

    private mutating func isReached(_ index: Int) -> Bool {
        let goal = plan.goals.baseAddress! + index
        guard let window = plan.goalWindow(goal.pointee.window, event.windowKeys),
            learner.goals[index].isOpen(in: window), goal.pointee.period.contains(event.day),
            !goal.pointee.isPooled || isDrawn(index)
        else { return false }
        if let when = goal.pointee.when, evaluate(when) != 1 { return false }
        let target = evaluate(goal.pointee.target)
        // A comparison with null is false.
        return target > 0 && evaluate(goal.pointee.value) >= target
    }

    /// True if the goal's pool draws it in the present window. When a window begins, the pool draws again.
    private mutating func isDrawn(_ index: Int) -> Bool {
        if goalDraw.keys != event.windowKeys || goalDraw.stamp != tableStamp {
            goalDraw = (event.windowKeys, tableStamp, plan.drawnGoals(of: learner.subject, in: event.windowKeys))
        }
        return goalDraw.drawn[index]
    }

    private mutating func complete(_ index: Int) {
        // XP is limited in total. XP that was earned earlier must be credited before the reward.
        creditNow()
        guard let window = plan.goalWindow(plan.goals[index].window, event.windowKeys) else { return }
        learner.goals[index].complete(in: window, at: event.time)
        let rule = plan.rules.goals[index]
        if let observer { observer.didComplete(goal: index) }
        credit(&overall.pointee, plan.goalsBucket, rule.xp)
        if !rule.gift.isEmpty { give(rule.gift, tiers: 1...1, .goal(index), &overall.pointee) }
        publishLearnerNumbers(overall)
    }
}
