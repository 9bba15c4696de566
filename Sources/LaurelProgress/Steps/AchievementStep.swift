// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// Step 6: goals and achievements. They are evaluated in passes, until a pass completes and unlocks nothing.
///
/// Evaluating an achievement with unchanged inputs has no effect, so the first pass skips such achievements. An
/// achievement that reads metrics is evaluated only if its value exceeds its bound.
extension FoldCore {
    /// Evaluates the achievements. Called by a step. Returns true if all achievements were evaluated. The steps that
    /// watch achievements can then be skipped.
    @inline(__always)
    mutating func achieve() -> Bool {
        // Other achievements may require an unlocked achievement or read its reward, so an unlock evaluates all
        // achievements.
        let evaluatesAll =
            track.pointee.unlocksSeen != unlocks
            || !track.pointee.achievementInputs.isDisjoint(with: track.pointee.changes)
        if !plan.goals.isEmpty, track.pointee.isOverall, evaluatesAll || typePlan.pointee.changesGoals, completeGoals()
        {
            settleAchievements(track, after: -1)
            return true
        }
        if evaluatesAll { updateAllAchievements(track) }
        return evaluatesAll
    }

    /// Evaluates an achievement whose value exceeds its bound. Called by a step.
    @inline(never)
    mutating func reach(achievement index: Int) -> Bool {
        guard evaluate(index, track) else { return true }
        settleAchievements(track, after: index)
        return false
    }

    /// Sets the bound of an achievement. Steps report the achievement if its value exceeds the bound. The bound is the
    /// best value so far. It is −∞ if the best value already reaches the next tier, and ∞ if all tiers are unlocked.
    mutating func setBound(of index: Int, _ track: inout TrackValues) {
        let rule = plan.achievements.baseAddress! + index
        let state = track.achievements[index]
        let isOver = state.tier >= rule.pointee.thresholds.count || state.isRevoked
        track.numbers[rule.pointee.bound] =
            isOver ? .infinity : rule.pointee.thresholds[state.tier] <= state.best ? -.infinity : state.best
    }

    @inline(never)
    private mutating func updateAllAchievements(_ track: UnsafeMutablePointer<TrackValues>) {
        // Until now, a track that shares metrics used the overall track's frame. Achievements need its own frame.
        if track == sharingTrack { scratch.see(track) }
        defer { if track == sharingTrack { scratch.return(to: overall) } }
        let changes = track.pointee.unlocksSeen != unlocks ? nil : track.pointee.changes
        let scope = plan.achievementScope(isOverall: track.pointee.isOverall)
        for word in 0..<scope.wordCount {
            var affected = scope.affected(by: changes, typePlan.pointee.readers, word)
            while affected != 0 {
                let index = word &* 64 &+ affected.trailingZeroBitCount
                affected &= affected &- 1
                if evaluate(index, track) { return settleAchievements(track, after: index) }
            }
        }
        track.pointee.changes = .event
        track.pointee.unlocksSeen = unlocks
    }

    /// Completes the pass in which an achievement was unlocked. Then repeats passes until a pass unlocks nothing.
    @inline(never)
    private mutating func settleAchievements(_ track: UnsafeMutablePointer<TrackValues>, after unlocked: Int) {
        let all = plan.achievementScope(isOverall: track.pointee.isOverall).indexes
        for index in all where index > unlocked { _ = evaluate(index, track) }
        var hasUnlocked = true
        while hasUnlocked {
            hasUnlocked = !plan.goals.isEmpty && track.pointee.isOverall && completeGoals()
            for index in all where evaluate(index, track) { hasUnlocked = true }
        }
        track.pointee.changes = .event
        track.pointee.unlocksSeen = unlocks
    }

    /// Evaluates an achievement. Returns true if a tier was unlocked.
    private mutating func evaluate(_ index: Int, _ track: UnsafeMutablePointer<TrackValues>) -> Bool {
        let rule = plan.achievements.baseAddress! + index
        let (tier, isRevoked) = (track.pointee.achievements[index].tier, track.pointee.achievements[index].isRevoked)
        guard tier < rule.pointee.thresholds.count, !isRevoked else { return false }
        if !rule.pointee.period.isAlways, !isInPeriod(index) { return false }
        if observer != nil { notifyWillEvaluate(index, track) }
        for required in rule.pointee.requires where !isUnlocked(required, track) { return false }
        if let when = rule.pointee.when, evaluate(when) != 1 { return false }
        let value = evaluate(rule.pointee.value)
        guard !value.isNaN else { return false }
        if value > track.pointee.achievements[index].best {
            track.pointee.achievements[index].best = value
            setBound(of: index, &track.pointee)
        }
        guard value >= rule.pointee.thresholds[tier] else { return false }
        // XP has a maximum total. XP that was earned earlier must therefore be credited before the reward.
        creditNow()
        unlock(index, &track.pointee, upTo: rule.pointee.tiers(reachedBy: value))
        return true
    }

    @inline(never)
    private mutating func isInPeriod(_ index: Int) -> Bool { plan.achievements[index].period.contains(event.day) }

    @inline(never)
    private mutating func notifyWillEvaluate(_ index: Int, _ track: UnsafeMutablePointer<TrackValues>) {
        var missing: [Int] = []
        for required in plan.achievements[index].requires where !isUnlocked(required, track) {
            missing.append(required)
        }
        observer?.willEvaluate(achievement: index, missing: missing, track.pointee.language, frame)
    }

    private mutating func isUnlocked(_ index: Int, _ track: UnsafeMutablePointer<TrackValues>) -> Bool {
        let home = plan.achievements[index].isPerLanguage ? track : overall
        return home.pointee.achievements[index].tier == plan.achievements[index].thresholds.count
    }

    private mutating func unlock(_ index: Int, _ track: inout TrackValues, upTo tier: Int) {
        let held = track.achievements[index].tier
        if plan.achievements[index].thresholds.count > 1 || !track.unlockTimes[index].isEmpty {
            let missing = tier - track.unlockTimes[index].count
            track.unlockTimes[index] += Array(repeating: event.time, count: missing)
        }
        track.achievements[index].tier = tier
        track.achievements[index].unlockedAt = event.time
        setBound(of: index, &track)
        unlocks += 1
        if let observer { observer.didUnlock(achievement: index, tiers: held + 1...tier, track.language) }
        let amount = plan.rules.achievements[index].xp.sum(of: held + 1...tier)
        track.achievements[index].given += amount
        reward(&track, amount)
        giveOnce(index, tiers: held + 1...tier, &track)
    }

    /// Gives currencies and freezes for the tiers that have never been unlocked before.
    private mutating func giveOnce(_ index: Int, tiers: ClosedRange<Int>, _ track: inout TrackValues) {
        let first = max(tiers.lowerBound, track.achievements[index].tiersGiven + 1)
        guard first <= tiers.upperBound else { return }
        track.achievements[index].tiersGiven = tiers.upperBound
        let gift = plan.rules.achievements[index].gift
        if !gift.isEmpty { give(gift, tiers: first...tiers.upperBound, .achievement(index), &track) }
    }

    /// Credits a reward. A negative amount takes a reward back.
    private mutating func reward(_ track: inout TrackValues, _ amount: Double) {
        credit(&track, plan.achievementsBucket, amount)
        // A language's reward also goes to the overall track, which has already folded this event.
        if !track.isOverall { credit(&overall.pointee, plan.achievementsBucket, amount) }
    }

    /// Applies `achievement.granted` and `achievement.revoked`, in the achievement's track.
    mutating func applyManualAchievement(_ track: inout TrackValues) {
        guard let id = scratch.bytes(.achievement, columns), let index = plan.achievementIndex[id],
            plan.achievements[index].isPerLanguage != track.isOverall
        else { return }
        let tiers = plan.achievements[index].thresholds.count
        if case .achievementGranted = event.kind {
            // A grant also lifts a revocation, even if nothing is unlocked now. The achievement can then be unlocked
            // again.
            unlocks += 1
            track.achievements[index].isRevoked = false
            setBound(of: index, &track)
            if track.achievements[index].tier < tiers { unlock(index, &track, upTo: tiers) }
        } else {
            let given = track.achievements[index].given
            let tiersGiven = track.achievements[index].tiersGiven
            track.achievements[index] = AchievementState(isRevoked: true, tiersGiven: tiersGiven)
            track.unlockTimes[index] = []
            setBound(of: index, &track)
            unlocks += 1
            if let observer { observer.didRevoke(achievement: index, given: given, track.language) }
            reward(&track, -given)
        }
    }
}
