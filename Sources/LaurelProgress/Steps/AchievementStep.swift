// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// Step 6: achievements, in whole passes until a pass unlocks nothing.
///
/// If the inputs of an achievement are unchanged, evaluating it again has no effect. The first pass therefore evaluates
/// only achievements whose inputs may have changed. An achievement that reads metrics is evaluated only if its value
/// exceeds its bound.
extension FoldCore {
    /// Evaluates the achievements; a step calls it. Returns true if the achievements need not be watched.
    @inline(__always)
    mutating func achieve() -> Bool {
        // An unlocked achievement may be required by others, and its reward may be read. All achievements are then
        // evaluated.
        let evaluatesAll =
            track.pointee.unlocksSeen != unlocks
            || !track.pointee.achievementInputs.isDisjoint(with: track.pointee.changes)
        if evaluatesAll { updateAllAchievements(track) }
        return evaluatesAll
    }

    /// Evaluates an achievement whose value exceeds its bound; a step calls it.
    @inline(never)
    mutating func reach(achievement index: Int) -> Bool {
        guard evaluate(index, track) else { return true }
        settleAchievements(track, after: index)
        return false
    }

    /// Sets the value above which steps report an achievement: its best value. The bound is −∞ if the best value
    /// already reaches the next tier, and ∞ if no tier is left.
    mutating func setBound(of index: Int, _ track: inout TrackValues) {
        let rule = plan.achievements.baseAddress! + index
        let state = track.achievements[index]
        let isOver = state.tier >= rule.pointee.thresholds.count || state.isRevoked
        track.numbers[rule.pointee.bound] =
            isOver ? .infinity : rule.pointee.thresholds[state.tier] <= state.best ? -.infinity : state.best
    }

    @inline(never)
    private mutating func updateAllAchievements(_ track: UnsafeMutablePointer<TrackValues>) {
        // Up to here, a track that shares metrics used the overall track's frame.
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

    /// Finishes the pass in which an achievement was unlocked, and repeats passes until one unlocks nothing.
    @inline(never)
    private mutating func settleAchievements(_ track: UnsafeMutablePointer<TrackValues>, after unlocked: Int) {
        let all = plan.achievementScope(isOverall: track.pointee.isOverall).indexes
        for index in all where index > unlocked { _ = evaluate(index, track) }
        var hasUnlocked = true
        while hasUnlocked {
            hasUnlocked = false
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
        if observer != nil { tellWillEvaluate(index, track) }
        for required in rule.pointee.requires where !isUnlocked(required, track) { return false }
        if let when = rule.pointee.when, evaluate(when) != 1 { return false }
        let value = evaluate(rule.pointee.value)
        guard !value.isNaN else { return false }
        if value > track.pointee.achievements[index].best {
            track.pointee.achievements[index].best = value
            setBound(of: index, &track.pointee)
        }
        guard value >= rule.pointee.thresholds[tier] else { return false }
        // The reward may take the room for XP that is still to be credited.
        creditNow()
        unlock(index, &track.pointee, upTo: rule.pointee.tiers(reachedBy: value))
        return true
    }

    @inline(never)
    private mutating func isInPeriod(_ index: Int) -> Bool { plan.achievements[index].period.contains(event.day) }

    @inline(never)
    private mutating func tellWillEvaluate(_ index: Int, _ track: UnsafeMutablePointer<TrackValues>) {
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
        let amount = plan.achievements[index].xp * Double(tier - held)
        track.achievements[index].given += amount
        reward(&track, amount)
    }

    /// Credits a reward, or takes it back if it is negative.
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
            // Even if nothing is unlocked now, a revoked achievement can be unlocked again.
            unlocks += 1
            track.achievements[index].isRevoked = false
            setBound(of: index, &track)
            if track.achievements[index].tier < tiers { unlock(index, &track, upTo: tiers) }
        } else {
            let given = track.achievements[index].given
            track.achievements[index] = AchievementState(isRevoked: true)
            track.unlockTimes[index] = []
            setBound(of: index, &track)
            unlocks += 1
            if let observer { observer.didRevoke(achievement: index, given: given, track.language) }
            reward(&track, -given)
        }
    }
}
