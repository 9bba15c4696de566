// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// The first part of each pass of step 6: goals, which only the overall track has.
extension FoldCore {
    /// Evaluates the open goals in file order. Returns true if one was completed.
    @inline(never)
    mutating func completeGoals() -> Bool {
        if openGoals.keys != event.windowKeys || openGoals.stamp != tableStamp { findOpenGoals() }
        var (position, hasCompleted) = (0, false)
        while position < openGoals.indexes.count {
            let index = openGoals.indexes[position]
            if isReached(index) {
                openGoals.indexes.remove(at: position)
                complete(index)
                hasCompleted = true
            } else {
                position += 1
            }
        }
        return hasCompleted
    }

    /// Finds the goals that may be completed in the present windows. When a window begins, each pool chooses its goals
    /// again.
    private mutating func findOpenGoals() {
        let (keys, day) = (event.windowKeys, event.day)
        let drawn = plan.rules.pools.isEmpty ? nil : plan.drawnGoals(of: learner.subject, in: keys)
        let indexes = plan.goals.indices.filter { index in
            guard drawn?[index] ?? true, plan.goals[index].period.contains(day),
                let window = plan.goalWindow(plan.goals[index].window, keys)
            else { return false }
            return learner.goals[index].isOpen(in: window)
        }
        openGoals = (keys, tableStamp, indexes)
    }

    private mutating func isReached(_ index: Int) -> Bool {
        let goal = plan.goals.baseAddress! + index
        if let when = goal.pointee.when, evaluate(when) != 1 { return false }
        let target = evaluate(goal.pointee.target)
        // A comparison with null is false.
        return target > 0 && evaluate(goal.pointee.value) >= target
    }

    private mutating func complete(_ index: Int) {
        // XP has a maximum total. XP that was earned earlier must therefore be credited before the reward.
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
