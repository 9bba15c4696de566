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
            let rule = plan.rules.xpRules[index]
            scratch.numbers[FrameLayout.EventName.earned.rawValue] = earned
            if let when = rule.when, !when.isTrue(frame) {
                observer?.didWithhold(rule: index, frame)
                continue
            }
            let computed = rule.award.number(frame)
            var amount = computed.isFinite ? max(0, computed.rounded(.down)) : 0
            if let cap = rule.dailyCap {
                amount = min(amount, max(0, cap - overall.awardedToday[index]))
                overall.awardedToday[index] += amount
            }
            observer?.didAward(rule: index, computed: computed, amount: amount, frame)
            guard amount > 0 else { continue }
            earned += amount
            earn(amount, in: plan.bucketOfRule[index])
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
        track.numbers[track.layout.level] = Double(plan.rules.levels.level(for: track.xp))
        observer?.didCredit(track.language, bucket: bucket, amount: amount)
    }
}
