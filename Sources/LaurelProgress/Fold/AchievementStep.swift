import LaurelEvents
import LaurelRules

/// Step 6: achievements, in whole passes until a pass unlocks nothing.
extension Fold {
    func updateAchievements(_ track: TrackState, _ table: EventTable, _ frame: Frame) {
        if event.kind == .achievementGranted || event.kind == .achievementRevoked { administer(track, table) }
        let candidates = track.language == nil ? plan.overallAchievements : plan.languageAchievements
        guard !candidates.isEmpty else { return }
        var unlocked = true
        while unlocked {
            unlocked = false
            for index in candidates where evaluate(index, track, frame) { unlocked = true }
        }
    }

    /// Returns whether a tier was unlocked.
    private func evaluate(_ index: Int, _ track: TrackState, _ frame: Frame) -> Bool {
        let rule = plan.achievements[index]
        let state = track.achievements[index]
        guard state.tier < rule.thresholds.count, !state.isRevoked else { return false }
        for required in rule.requires where !isUnlocked(required, track) { return false }
        if let when = rule.when, !when.isTrue(frame) { return false }
        let value = rule.value.number(frame)
        guard !value.isNaN else { return false }
        if value > state.best { track.achievements[index].best = value }
        guard value >= rule.thresholds[state.tier] else { return false }
        unlock(index, track, upTo: rule.tiers(reachedBy: value))
        return true
    }

    private func isUnlocked(_ index: Int, _ track: TrackState) -> Bool {
        let rule = plan.achievements[index]
        let home = rule.isPerLanguage ? track : state.tracks[0]
        return home.achievements[index].tier == rule.thresholds.count
    }

    private func unlock(_ index: Int, _ track: TrackState, upTo tier: Int) {
        let gained = tier - track.achievements[index].tier
        track.achievements[index].tier = tier
        track.achievements[index].unlockedAt = event.time
        if let observer { observer.didUnlock(achievement: index, tier: tier, track.language) }
        reward(index, track, tiers: gained)
    }

    /// Credits the reward of so many tiers, or takes it back where negative.
    private func reward(_ index: Int, _ track: TrackState, tiers: Int) {
        let amount = plan.achievements[index].xp * Double(tiers)
        credit(track, plan.achievementsBucket, amount)
        // A language's reward reaches the overall track as well, which has already folded this event.
        if track.language != nil { credit(state.tracks[0], plan.achievementsBucket, amount) }
    }

    /// `achievement.granted` and `achievement.revoked`, in the track that the achievement lives in.
    private func administer(_ track: TrackState, _ table: EventTable) {
        guard let id = scratch.bytes(.achievement, table), let index = plan.achievementIndex[id],
            plan.achievements[index].isPerLanguage == (track.language != nil)
        else { return }
        let tiers = plan.achievements[index].thresholds.count
        if event.kind == .achievementGranted {
            track.achievements[index].isRevoked = false
            if track.achievements[index].tier < tiers { unlock(index, track, upTo: tiers) }
        } else {
            let held = track.achievements[index].tier
            track.achievements[index] = AchievementState(isRevoked: true)
            if let observer { observer.didRevoke(achievement: index, track.language) }
            reward(index, track, tiers: -held)
        }
    }
}
