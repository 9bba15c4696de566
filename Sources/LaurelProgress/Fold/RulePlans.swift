import LaurelEvents
import LaurelRules

// What the fold runs of each rule: plain values and pointers into memory that the plan owns, so that reading them per
// event touches no reference count.

/// A metric and the slots in which it is kept.
struct MetricPlan {
    let filter: Code?
    /// nil for a `count`.
    let expression: Code?
    let slots: WindowSlots
    let aggregate: Metric.Aggregate
    /// The `by` of a count or sum, or what a `distinct` counts.
    let hasKeys: Bool
    let keyIsText: Bool
    let key: Code?
    /// Its place in ``VersionPlan/keyedMetrics`` where it has keys.
    let keyedPlace: Int
    /// Whether its filter or its expression reads the track's numbers.
    let readsTrack: Bool
    /// Whether it comes to the same in tracks that agree.
    let agrees: Bool

    init(_ metric: Metric, slots: WindowSlots, keyedPlace: Int?, agrees: Bool) {
        self.agrees = agrees
        aggregate = metric.aggregate
        filter = metric.filter?.code
        expression = metric.expression?.code
        let program = metric.keyProgram
        key = program?.code
        hasKeys = program != nil
        keyIsText = program?.staticType == .text
        self.slots = slots
        self.keyedPlace = keyedPlace ?? 0
        readsTrack = [metric.filter, metric.expression].contains { $0?.readsTrack ?? false }
    }

    /// Whether it counts each event of its types and does nothing else.
    var isPlainCount: Bool {
        if case .count = aggregate { filter == nil && !hasKeys } else { false }
    }
    var isShared: Bool { !readsTrack && !hasKeys }
}

/// Where numbers stand, one per window in which they are kept: the total always, others only where an expression reads
/// them. The session's come last, so that they can be left out for events that have none.
struct WindowSlots {
    let start: UnsafePointer<Int>
    private let count: Int
    private let countOutsideSession: Int

    init(outside: [Int], inSession: [Int], memory: PlanMemory) {
        start = memory.keep(outside + inSession).baseAddress!
        count = outside.count + inSession.count
        countOutsideSession = outside.count
    }

    init(metric index: Int, read: Set<Slot>, layout: FrameLayout, memory: PlanMemory) {
        func slot(_ window: Window) -> Int { layout.slot(ofMetric: index, in: window) }
        let others = [Window.day, .week].map(slot).filter { read.contains(.track($0)) }
        let session = slot(.session)
        self.init(
            outside: [slot(.total)] + others,
            inSession: read.contains(.track(session)) ? [session] : [],
            memory: memory
        )
    }

    init(all: [WindowSlots], memory: PlanMemory) {
        self.init(
            outside: all.flatMap { Array($0.all(false)) },
            inSession: all.flatMap { Array($0.all(true).dropFirst($0.countOutsideSession)) },
            memory: memory
        )
    }

    @inline(__always)
    func end(_ isInSession: Bool) -> UnsafePointer<Int> { start + (isInSession ? count : countOutsideSession) }

    func all(_ isInSession: Bool) -> UnsafeBufferPointer<Int> {
        UnsafeBufferPointer(start: start, count: end(isInSession) - start)
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
    let period: PeriodPlan

    init(_ rule: XPRule, index: Int, bucket: Int) {
        self.index = index
        period = PeriodPlan(rule.period)
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
    let period: PeriodPlan
    /// The changes upon which it must be evaluated again, those of metrics at events of their types aside.
    let inputs: TrackChanges

    init(_ rule: AchievementRule, inputs: TrackChanges, memory: PlanMemory) {
        when = rule.when?.code
        value = rule.value.code
        thresholds = memory.keep(rule.thresholds)
        requires = memory.keep(rule.requires)
        isPerLanguage = rule.isPerLanguage
        xp = rule.xp
        period = PeriodPlan(rule.period)
        self.inputs = inputs
    }

    /// How many tiers a value reaches.
    func tiers(reachedBy value: Double) -> Int {
        var tier = 0
        while tier < thresholds.count, thresholds[tier] <= value { tier += 1 }
        return tier
    }
}

/// A rule's period, as the numbers of its first and last day.
struct PeriodPlan {
    private let first: Int32
    private let last: Int32
    let isAlways: Bool

    init(_ period: Period) {
        first = period.from?.number ?? .min
        last = period.through?.number ?? .max
        isAlways = period == .always
    }

    @inline(__always)
    func contains(_ day: LocalDay) -> Bool { day.number >= first && day.number <= last }
}

/// The achievements of the overall track, or those of every language's.
struct AchievementScope {
    /// In file order.
    let indexes: UnsafeBufferPointer<Int>
    /// What any of them reads.
    let inputs: TrackChanges

    init(_ achievements: [AchievementPlan], perLanguage: Bool, memory: PlanMemory) {
        let own = achievements.indices.filter { achievements[$0].isPerLanguage == perLanguage }
        indexes = memory.keep(own)
        inputs = own.reduce(into: []) { $0.formUnion(achievements[$1].inputs) }
    }
}

/// What an event of one type touches.
struct TypePlan {
    let kind: EventKind
    /// The slots of the metrics that count each event of the type.
    let countSlots: WindowSlots
    /// The others that read nothing of the track.
    let sharedMetrics: UnsafeBufferPointer<MetricPlan>
    /// The rest, in file order.
    let ownMetrics: UnsafeBufferPointer<MetricPlan>
    /// In file order.
    let xpRules: UnsafeBufferPointer<XPRulePlan>
    /// Whether any of them acts on some days only.
    let xpHasPeriods: Bool
    /// The achievements that read a metric that events of this type change.
    let overallAchievements: UnsafeBufferPointer<Int>
    let languageAchievements: UnsafeBufferPointer<Int>
    /// Whether events of this type are about achievements themselves.
    let administersAchievements: Bool
    /// The fields that events of this type may have and expressions read, those of numbers and of texts apart.
    let numberLoads: UnsafeBufferPointer<FieldLoad>
    let textLoads: UnsafeBufferPointer<FieldLoad>
    /// Whether `session.started` lends this type's events what they lack, so that tracks may see different values.
    let borrows: Bool

    init(name: String, rules: RuleSet, parts: PlanParts, memory: PlanMemory) {
        kind = EventKind(rawValue: name) ?? .other
        let touched = rules.metrics.indices.filter { rules.metrics[$0].types.contains(name) }
        let own = touched.map { parts.metrics[$0] }
        let plainCounts = own.filter(\.isPlainCount)
        countSlots = WindowSlots(all: plainCounts.map(\.slots), memory: memory)
        sharedMetrics = memory.keep(own.filter { $0.isShared && !$0.isPlainCount })
        ownMetrics = memory.keep(own.filter { !$0.isShared })
        self.xpRules = memory.keep(
            rules.xpRules.indices.filter { rules.xpRules[$0].types.contains(name) }.map { parts.xpRules[$0] }
        )
        xpHasPeriods = xpRules.contains { !$0.period.isAlways }
        let readers = parts.achievements.indices.filter {
            !parts.achievementInputs[$0].metrics.isDisjoint(with: touched)
        }
        overallAchievements = memory.keep(readers.filter { !parts.achievements[$0].isPerLanguage })
        languageAchievements = memory.keep(readers.filter { parts.achievements[$0].isPerLanguage })
        administersAchievements = kind == .achievementGranted || kind == .achievementRevoked
        let uses = rules.layout.fields(for: name)
        numberLoads = memory.keep(uses.filter { $0.field.type != .text }.map(FieldLoad.init))
        textLoads = memory.keep(uses.filter { $0.field.type == .text }.map(FieldLoad.init))
        borrows = kind == .sessionEnded
    }
}

extension TypePlan {
    /// The achievements of a track's scope that read a metric that events of this type change, in file order.
    @inline(__always)
    func readers(_ track: borrowing TrackValues) -> UnsafeBufferPointer<Int> {
        track.isOverall ? overallAchievements : languageAchievements
    }
}

/// One field of `data` that expressions read.
struct FieldLoad {
    /// Among the event's texts or its numbers.
    let slot: Int
    /// What a number's slot holds where the field is absent; NaN is null.
    let absent: Double
    /// The fold's own name for the field, if it has one.
    let role: FieldRole?

    init(_ use: FrameLayout.FieldUse) {
        slot = use.field.slot
        absent = use.defaultNumber ?? .nan
        role = FieldRole.named[use.field.name]
    }
}

/// What an achievement's value and condition read.
struct AchievementInputs {
    private(set) var metrics: Set<Int> = []
    private(set) var changes: TrackChanges = []

    init(_ rule: AchievementRule, layout: TrackLayout) {
        // The day alone may let it be evaluated.
        if rule.period != .always { changes.insert(.event) }
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
