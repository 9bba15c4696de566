import LaurelEvents
import LaurelRules

/// Step 5: XP, computed in the overall track and credited in each.
extension Fold {
    /// Computes what the event earns; ``creditEarned(_:)`` credits it.
    func award(_ overall: TrackState, _ typePlan: TypePlan, _ table: EventTable, _ frame: Frame) {
        for bucket in touchedBuckets { earnedByBucket[bucket] = 0 }
        touchedBuckets.removeAll(keepingCapacity: true)
        if event.kind == .xpAdjusted, let amount = scratch.number(.amount, table) {
            earn(amount, in: plan.adjustmentBucket)
        }
        guard !typePlan.xpRules.isEmpty else { return }
        var earned = 0.0
        for index in typePlan.xpRules {
            let rule = plan.xpRules[index]
            scratch.numbers[FrameLayout.EventName.earned.rawValue] = earned
            if let when = rule.when, !when.isTrue(frame) {
                if let observer { observer.didWithhold(rule: index, frame) }
                continue
            }
            let computed = rule.award.number(frame)
            var amount = computed.isFinite ? max(0, computed.rounded(.down)) : 0
            if rule.dailyCap < .infinity {
                amount = min(amount, max(0, rule.dailyCap - overall.awardedToday[index]))
                overall.awardedToday[index] += amount
            }
            if let observer { observer.didAward(rule: index, computed: computed, amount: amount, frame) }
            guard amount > 0 else { continue }
            earned += amount
            earn(amount, in: rule.bucket)
        }
        scratch.numbers[FrameLayout.EventName.earned.rawValue] = .nan
    }

    private func earn(_ amount: Double, in bucket: Int) {
        earnedByBucket[bucket] += amount
        if !touchedBuckets.contains(bucket) { touchedBuckets.append(bucket) }
    }

    func creditEarned(_ track: TrackState) {
        for bucket in touchedBuckets { credit(track, bucket, earnedByBucket[bucket]) }
    }

    func credit(_ track: TrackState, _ bucket: Int, _ amount: Double) {
        guard amount != 0 else { return }
        track.xpByBucket[bucket] += amount
        for window in Window.allCases where window != .session || track.currentSession != nil {
            track.numbers[track.layout.xp(window)] += amount
        }
        track.days[track.dayIndex(event.day)].xp += amount
        publishLevel(track)
        if let observer { observer.didCredit(track.language, bucket: bucket, amount: amount) }
    }

    private func publishLevel(_ track: TrackState) {
        guard !track.levelRange.contains(track.xp) else { return }
        let level = plan.rules.levels.level(for: track.xp)
        let start = plan.rules.levels.start(of: level) ?? 0
        let end = plan.rules.levels.start(of: level + 1) ?? .infinity
        // Negative XP is level 1, too, but lies before its start.
        track.levelRange = start..<max(start, end)
        track.numbers[track.layout.level] = Double(level)
    }
}
