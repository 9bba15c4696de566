import LaurelRules

// What the fold runs of each rule: plain values and pointers into memory that the plan owns, so that reading them per
// event touches no reference count.

/// A metric and the slots in which it is kept.
struct MetricPlan {
    let aggregate: Metric.Aggregate
    let filter: Code?
    let expression: Code?
    /// The `by` of a count or sum, or what a `distinct` counts.
    let key: Code?
    let keyIsText: Bool
    /// Its place in ``FoldPlan/keyedMetrics`` where it has a key.
    let keyedPlace: Int
    /// Where its values stand, one per window in which it is kept: the total always, others only where an expression
    /// reads them. The session's comes last.
    let slots: UnsafeBufferPointer<Int>
    /// Without the session's, for events that have none.
    let slotsOutsideSession: UnsafeBufferPointer<Int>
    /// Whether its filter or its expression reads the track's numbers; else both tracks see the same.
    let readsTrack: Bool

    init(_ metric: Metric, index: Int, windows: [Window], keyedPlace: Int?, layout: FrameLayout, memory: PlanMemory) {
        aggregate = metric.aggregate
        filter = metric.filter?.code
        expression = metric.expression?.code
        let program = metric.keyProgram
        key = program?.code
        keyIsText = program?.staticType == .text
        self.keyedPlace = keyedPlace ?? 0
        let outside = windows.filter { $0 != .session }.map { layout.slot(ofMetric: index, in: $0) }
        let inside = windows.contains(.session) ? [layout.slot(ofMetric: index, in: .session)] : []
        slots = memory.keep(outside + inside)
        slotsOutsideSession = UnsafeBufferPointer(rebasing: slots[..<outside.count])
        readsTrack = [metric.filter, metric.expression].contains { $0?.readsTrack ?? false }
    }
}

extension Metric {
    /// What gives its keys, if it keeps any.
    var keyProgram: Program? { aggregate == .distinct ? expression : key }
}

extension Program {
    var readsTrack: Bool {
        usedSlots.contains { if case .track = $0.slot { true } else { false } }
    }
}

struct XPRulePlan {
    /// Its index among all XP rules.
    let index: Int
    let when: Code?
    let award: Code
    /// Infinite where there is none.
    let dailyCap: Double
    let bucket: Int

    init(_ rule: XPRule, index: Int, bucket: Int) {
        self.index = index
        when = rule.when?.code
        award = rule.award.code
        dailyCap = rule.dailyCap ?? .infinity
        self.bucket = bucket
    }
}

struct AchievementPlan {
    let when: Code?
    let value: Code
    let thresholds: UnsafeBufferPointer<Double>
    let requires: UnsafeBufferPointer<Int>
    let isPerLanguage: Bool
    let xp: Double
    /// The changes upon which it must be evaluated again, those of metrics at events of their types aside.
    let inputs: TrackChanges

    init(_ rule: AchievementRule, inputs: TrackChanges, memory: PlanMemory) {
        when = rule.when?.code
        value = rule.value.code
        thresholds = memory.keep(rule.thresholds)
        requires = memory.keep(rule.requires)
        isPerLanguage = rule.isPerLanguage
        xp = rule.xp
        self.inputs = inputs
    }

    /// How many tiers a value reaches.
    func tiers(reachedBy value: Double) -> Int {
        var tier = 0
        while tier < thresholds.count, thresholds[tier] <= value { tier += 1 }
        return tier
    }
}

/// What an event of one type touches.
struct TypePlan {
    let kind: EventKind
    /// In file order.
    let metrics: UnsafeBufferPointer<MetricPlan>
    let xpRules: UnsafeBufferPointer<XPRulePlan>
    /// Per achievement: whether it reads a metric that events of this type change.
    let achievements: UnsafeBufferPointer<Bool>
    /// The slots that events of this type fill.
    let loads: UnsafeBufferPointer<FieldLoad>
    /// Whether `session.started` lends this type's events what they lack, so that tracks may see different values.
    let borrows: Bool

    init(
        name: String,
        rules: RuleSet,
        metrics: [MetricPlan],
        xpRules: [XPRulePlan],
        achievements: [AchievementInputs],
        memory: PlanMemory
    ) {
        kind = EventKind(rawValue: name) ?? .other
        let touched = rules.metrics.indices.filter { rules.metrics[$0].types.contains(name) }
        self.metrics = memory.keep(touched.map { metrics[$0] })
        self.xpRules = memory.keep(
            rules.xpRules.indices.filter { rules.xpRules[$0].types.contains(name) }.map { xpRules[$0] }
        )
        self.achievements = memory.keep(achievements.map { !$0.metrics.isDisjoint(with: touched) })
        loads = memory.keep(rules.layout.fields(for: name).map(FieldLoad.init))
        borrows = kind == .sessionEnded
    }
}

/// One field of `data` that expressions read.
struct FieldLoad {
    /// Among the event's texts where `isText`, else among its numbers.
    let slot: Int
    let isText: Bool
    /// What a number's slot holds where the field is absent; NaN is null.
    let absent: Double
    /// The fold's own name for the field, if it has one.
    let role: FieldRole?

    init(_ use: FrameLayout.FieldUse) {
        slot = use.field.slot
        isText = use.field.type == .text
        absent = use.defaultNumber ?? .nan
        role = FieldRole.named[use.field.name]
    }
}

/// What an achievement's value and condition read.
struct AchievementInputs {
    private(set) var metrics: Set<Int> = []
    private(set) var changes: TrackChanges = []

    init(_ rule: AchievementRule, layout: TrackLayout) {
        for named in rule.value.usedSlots + (rule.when?.usedSlots ?? []) {
            guard case .track(let slot) = named.slot else {
                changes.insert(.event)
                continue
            }
            if slot < layout.windowCount { readsWindow(slot, layout) } else { readsNumber(slot, layout) }
        }
    }

    private mutating func readsWindow(_ slot: Int, _ layout: TrackLayout) {
        let place = slot % layout.stride
        if place == layout.stride - 1 { changes.insert(.xp) } else { metrics.insert(place) }
        switch slot - place {
        case layout.session: changes.insert(.session)
        case layout.day: changes.insert(.day)
        case layout.week: changes.insert(.week)
        default: break
        }
    }

    private mutating func readsNumber(_ slot: Int, _ layout: TrackLayout) {
        switch slot {
        case layout.currentStreak, layout.longestStreak: changes.insert(.streak)
        case layout.level: changes.insert(.xp)
        case layout.wordsKnown, layout.wordsLearned, layout.wordsMastered: changes.insert(.words)
        default: changes.insert(.event)
        }
    }
}

/// Owns the arrays that plans point into; what it keeps lives as long as it does.
final class PlanMemory: @unchecked Sendable {
    // Written only while the plan that owns it is made.
    private var release: [() -> Void] = []

    func keep<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
        let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(1, elements.count))
        _ = buffer.initialize(fromContentsOf: elements)
        release.append {
            buffer.baseAddress?.deinitialize(count: elements.count)
            buffer.deallocate()
        }
        return UnsafeBufferPointer(rebasing: buffer[0..<elements.count])
    }

    deinit {
        for release in release { release() }
    }
}
