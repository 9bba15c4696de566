import LaurelRules

// What the fold runs of each rule: plain values and pointers into memory that the plan owns, so that reading them per
// event touches no reference count.

/// A metric and the windows in which it is kept.
struct MetricPlan {
    let aggregate: Metric.Aggregate
    let filter: Code?
    let expression: Code?
    /// The `by` of a count or sum, or what a `distinct` counts.
    let key: Code?
    let keyIsText: Bool
    /// Bit 1 << window: kept in it. The total always is; others only where an expression reads them.
    let windows: UInt8

    init(_ metric: Metric, windows: UInt8) {
        aggregate = metric.aggregate
        filter = metric.filter?.code
        expression = metric.expression?.code
        let program = metric.aggregate == .distinct ? metric.expression : metric.key
        key = program?.code
        keyIsText = program?.staticType == .text
        self.windows = windows
    }

    func isKept(in window: Window) -> Bool { windows & (1 << UInt8(window.rawValue)) != 0 }
}

struct XPRulePlan {
    let when: Code?
    let award: Code
    /// Infinite where there is none.
    let dailyCap: Double
    let bucket: Int

    init(_ rule: XPRule, bucket: Int) {
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

    init(_ rule: AchievementRule, memory: PlanMemory) {
        when = rule.when?.code
        value = rule.value.code
        thresholds = memory.keep(rule.thresholds)
        requires = memory.keep(rule.requires)
        isPerLanguage = rule.isPerLanguage
        xp = rule.xp
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
    /// Indexes of metrics and XP rules, in file order.
    let metrics: UnsafeBufferPointer<Int>
    let xpRules: UnsafeBufferPointer<Int>
    /// The slots that events of this type fill.
    let loads: UnsafeBufferPointer<FieldLoad>

    init(name: String, rules: RuleSet, memory: PlanMemory) {
        kind = EventKind(rawValue: name) ?? .other
        metrics = memory.keep(rules.metrics.indices.filter { rules.metrics[$0].types.contains(name) })
        xpRules = memory.keep(rules.xpRules.indices.filter { rules.xpRules[$0].types.contains(name) })
        loads = memory.keep(rules.layout.fields(for: name).map(FieldLoad.init))
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
