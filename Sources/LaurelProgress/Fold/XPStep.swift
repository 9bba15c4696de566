import LaurelEvents
import LaurelRules

/// Step 5: XP, computed in the overall track and credited in each.
extension FoldCore {
    /// Computes what the event earns, in the overall track; ``creditEarned(_:)`` credits it.
    mutating func award(_ typePlan: UnsafePointer<TypePlan>, _ columns: EventColumns) {
        earnings.removeAll()
        if let awards = typePlan.pointee.awards {
            scratch.numbers[plan.slots.earned] = 0
            run(awards, scratch.memory, &self)
            scratch.numbers[plan.slots.earned] = .nan
        }
        switch event.kind {
        case .xpAdjusted, .xpDeclared: adjust(columns)
        default: break
        }
    }

    mutating func isInPeriod(rule: Int) -> Bool {
        if plan.xpRules[rule].period.contains(event.day) { return true }
        if let observer { observer.didRest(rule: rule, frame) }
        return false
    }

    mutating func withhold(rule: Int) {
        if let observer { observer.didWithhold(rule: rule, frame) }
    }

    @inline(__always)
    mutating func award(rule index: Int, _ computed: Double) {
        let rule = plan.xpRules.baseAddress! + index
        var amount = wholeAward(computed)
        if rule.pointee.dailyCap < .infinity {
            let awarded = overall.pointee.awardedToday[index]
            amount = min(amount, max(0, rule.pointee.dailyCap - awarded))
            overall.pointee.awardedToday[index] = awarded + amount
        }
        if let observer { observer.didAward(rule: index, computed: computed, amount: amount, frame) }
        guard amount > 0 else { return }
        scratch.numbers[plan.slots.earned] += amount
        earnings.add(amount, to: rule.pointee.bucket)
    }

    /// `xp.adjusted` and `xp.declared`, after the XP rules.
    @inline(never)
    private mutating func adjust(_ columns: EventColumns) {
        if case .xpAdjusted = event.kind {
            if let amount = scratch.number(.amount, columns) { earnings.add(amount, to: plan.adjustmentBucket) }
            return
        }
        guard let total = scratch.number(.total, columns) else { return }
        // The language's track is folded after the overall one: it lacks what this event earns, too.
        let xp = (languageTrack ?? overall).pointee.xp + earnings.sum
        let lacking = max(0, total - xp)
        if let observer { observer.didDeclare(total: total, lacking: lacking) }
        if lacking > 0 { earnings.add(lacking, to: plan.adjustmentBucket) }
    }

    mutating func creditEarned(_ track: inout TrackValues) {
        guard earnings.count > 0 else { return }
        for place in 0..<earnings.count { book(&track, earnings.buckets[place], earnings.amounts[place]) }
        publishLevel(&track)
    }

    mutating func credit(_ track: inout TrackValues, _ bucket: Int, _ amount: Double) {
        book(&track, bucket, amount)
        publishLevel(&track)
    }

    @inline(__always)
    private mutating func book(_ track: inout TrackValues, _ bucket: Int, _ earned: Double) {
        // A total stops where doubles stop holding every whole number: seldom is one near.
        let isFar = earned.magnitude + track.xp.magnitude < mostXP / 2
        let amount = isFar ? earned : max(-mostXP - track.xp, min(earned, mostXP - track.xp))
        guard amount != 0 else { return }
        track.xpByBucket[bucket] += amount
        let (numbers, layout) = (track.numbers, track.layout)
        numbers[layout.xp(layout.total)] += amount
        numbers[layout.xp(layout.day)] += amount
        numbers[layout.xp(layout.week)] += amount
        if track.currentSession != nil { numbers[layout.xp(layout.session)] += amount }
        track.enterDay(event.day)
        track.today.xp += amount
        track.changes.insert(.xp)
        if let observer { observer.didCredit(track.language, bucket: bucket, amount: amount) }
    }

    @inline(__always)
    private mutating func publishLevel(_ track: inout TrackValues) {
        if !track.levelRange.contains(track.xp) { publishLevelAnew(&track) }
    }

    private mutating func publishLevelAnew(_ track: inout TrackValues) {
        let level = plan.rules.levels.level(for: track.xp)
        let start = plan.rules.levels.start(of: level) ?? 0
        let end = plan.rules.levels.start(of: level + 1) ?? .infinity
        // Negative XP is level 1, too, but lies before its start.
        track.levelRange = start..<max(start, end)
        track.numbers[track.layout.level] = Double(level)
    }
}

/// The largest award, and the largest total: up to here doubles hold every whole number.
private let mostXP = 0x1p53

/// What an award comes to before any cap: whole, not negative, at most 2⁵³; 0 for null.
@inline(__always)
package func wholeAward(_ computed: Double) -> Double {
    computed.isFinite ? min(max(0, computed.rounded(.down)), mostXP) : 0
}

/// XP per bucket, in the order in which the buckets were first named.
struct Earnings: ~Copyable {
    private(set) var count = 0
    let buckets: UnsafeMutablePointer<Int>
    let amounts: UnsafeMutablePointer<Double>

    init(bucketCount: Int) {
        buckets = .allocate(capacity: max(1, bucketCount))
        amounts = .allocate(capacity: max(1, bucketCount))
    }

    deinit {
        buckets.deallocate()
        amounts.deallocate()
    }

    mutating func removeAll() { count = 0 }

    var sum: Double { (0..<count).reduce(0) { $0 + amounts[$1] } }

    mutating func add(_ amount: Double, to bucket: Int) {
        for place in 0..<count where buckets[place] == bucket {
            amounts[place] += amount
            return
        }
        buckets[count] = bucket
        // From zero, so that −0 is none.
        amounts[count] = 0 + amount
        count += 1
    }
}
