// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// Goals as of an instant.
extension ProgressReader {
    /// The goals that can be completed on a local day, in file order. A goal whose target is null or not above 0 is left
    /// out.
    /// - Parameter balances: the learner's balances on that day.
    func goals(
        _ state: LearnerState,
        subject: String,
        on day: LocalDay,
        _ balances: [Balance]
    ) -> [GoalProgress]? {
        let plan = state.plan
        guard !plan.goals.isEmpty else { return nil }
        let keys = plan.windowKeys(on: day)
        let texts = NoEventTexts(plan, subject: subject, on: day)
        let drawn = plan.drawnGoals(of: subject, in: keys)
        return state.tracks[0].withNumbers(of: state, on: day, balances) { numbers in
            plan.goals.indices.compactMap { index in
                let rule = plan.rules.goals[index]
                guard plan.goals[index].period.contains(day), drawn[index],
                    let window = plan.goalWindow(rule.every, keys)
                else { return nil }
                func number(_ program: Program) -> Double { self.number(program, numbers, of: state, texts) }
                let target = number(rule.target)
                guard target > 0 else { return nil }
                let value = number(rule.value)
                let completedAt = state.goals[index].completion(in: window)
                return GoalProgress(
                    id: rule.id,
                    names: rule.names,
                    every: rule.every.name,
                    window: plan.name(of: window, rule.every),
                    value: value.isNaN ? 0 : value,
                    target: target,
                    progress: completedAt != nil ? 1 : min(1, max(0, (value.isNaN ? 0 : value) / target)),
                    completedAt: completedAt,
                    times: state.goals[index].times
                )
            }
        }
    }
}

extension TrackState {
    /// Calls a closure with the track's numbers as of a local day. Windows that do not contain the day are empty.
    fileprivate func withNumbers<Result>(
        of state: LearnerState,
        on day: LocalDay,
        _ balances: [Balance],
        _ body: (UnsafePointer<Double>) -> Result
    ) -> Result {
        withNumbers(of: state, balances) { current in
            var numbers = Array(UnsafeBufferPointer(start: current, count: plan.layout.count))
            let keys = plan.windowKeys(on: day)
            for window in plan.calendarWindows where values.pointee.windowKeys?[window] != keys[window] {
                let start = plan.layout.start(of: window)
                for slot in start..<start + plan.layout.stride { numbers[slot] = 0 }
            }
            if plan.hasStreak {
                let streak = values.pointee.streak.value(at: day, plan.streakTerms)
                numbers[plan.layout.currentStreak] = Double(streak.current)
                numbers[plan.layout.longestStreak] = Double(streak.longest)
            }
            if let slot = plan.layout.daysSinceActive {
                numbers[slot] = values.pointee.streak.daysSinceActive(on: day)
            }
            return numbers.withUnsafeBufferPointer { body($0.baseAddress!) }
        }
    }
}

/// The local day as of which expressions are evaluated without an event, and the texts that depend on the day.
struct NoEventTexts {
    /// The day as a number; NaN if expressions cannot read it.
    let number: Double
    /// The slots of the texts.
    let slots: [Int]
    let texts: TextConstants

    /// Creates an instance without a day.
    init() { (number, slots, texts) = (.nan, [], TextConstants([])) }

    init(_ plan: VersionPlan, subject: String, on day: LocalDay) {
        number = Double(day.number)
        let experiments = plan.rules.layout.experiments
        slots = [plan.slots.date, plan.slots.season] + experiments.map(\.slot)
        let season = plan.windowKeys(on: day).season
        texts = TextConstants(
            [day.description, season < 0 ? nil : plan.rules.seasons[Int(season)].name]
                + experiments.map { slot in
                    plan.rules.experiments.first { $0.name == slot.name }.flatMap { experiment in
                        guard experiment.period.place(of: day) == .within else { return nil }
                        return experiment.variant(of: subject).map { experiment.variants[$0].name }
                    }
                }
        )
    }
}
