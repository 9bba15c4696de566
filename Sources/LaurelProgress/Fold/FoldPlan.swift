import LaurelEvents
package import LaurelRules

/// A rule set arranged for the fold: per event type what it touches, and the slots it fills.
package final class FoldPlan: Sendable {
    package let rules: RuleSet
    /// SHA-256 of the rules file.
    package let rulesHash: [UInt8]
    /// The clock of a fold that has not begun.
    let clock: LocalClock
    let layout: TrackLayout
    /// Buckets in the order of the rules, then those of adjustments and achievements where no rule names them.
    package let buckets: [String]
    let adjustmentBucket: Int
    let achievementsBucket: Int
    /// Per XP rule.
    let bucketOfRule: [Int]
    let metrics: [MetricPlan]
    let scheduler: Scheduler
    let streakTerms: StreakTerms?
    let overallAchievements: [Int]
    let languageAchievements: [Int]
    /// By the id's bytes: Swift's strings are equal where only their Unicode normal form differs.
    let achievementIndex: [[UInt8]: Int]
    /// The first is that of every type that neither the catalogue nor the rules know.
    let types: [TypePlan]
    let typeIndex: [String: Int]
    let eventSlots: Int
    let textSlots: Int
    let roleOfField: [String: FieldRole]
    /// Whether any expression reads `event.type`, and `word.*`.
    let readsType: Bool
    let readsWords: Bool

    package init(rules: RuleSet) {
        self.rules = rules
        rulesHash = SHA256.hash(rules.source)
        clock = LocalClock(
            defaultZone: TimeZoneDatabase.shared.zone(named: rules.calendar.defaultTimezone) ?? .utc,
            dayStartsAt: rules.calendar.dayStartsAtMinutes)
        layout = TrackLayout(rules.layout)
        var buckets: [String] = []
        func bucket(_ name: String) -> Int {
            if let index = buckets.firstIndex(of: name) { return index }
            buckets.append(name)
            return buckets.count - 1
        }
        bucketOfRule = rules.xpRules.map { bucket($0.bucket) }
        adjustmentBucket = bucket("adjustment")
        achievementsBucket = bucket("achievements")
        self.buckets = buckets

        let read = FoldPlan.slotsRead(by: rules)
        readsType = read.contains(.text(FrameLayout.TextName.type.rawValue))
        readsWords = FrameLayout.EventName.wordNames.contains { read.contains(.event($0.rawValue)) }
        let layout = self.layout
        metrics = rules.metrics.enumerated().map { index, metric in
            MetricPlan(
                metric: metric,
                windows: Window.allCases.filter { $0 == .total || read.contains(.track(layout.slot($0, index))) })
        }
        scheduler =
            switch rules.mastery.scheduler {
            case .sm2: .sm2
            case .fsrs(let weights, let retention):
                .fsrs(FSRS(weights: weights, desiredRetention: retention, masteryDays: rules.mastery.masteryDays))
            }
        streakTerms = rules.streak.map {
            StreakTerms(freezeEvery: $0.earnEvery, freezesHeld: $0.hold, restDays: $0.restDays)
        }
        overallAchievements = rules.achievements.indices.filter { !rules.achievements[$0].isPerLanguage }
        languageAchievements = rules.achievements.indices.filter { rules.achievements[$0].isPerLanguage }
        achievementIndex = Dictionary(
            uniqueKeysWithValues: rules.achievements.enumerated().map { (Array($0.element.id.utf8), $0.offset) })

        let names = Set(Catalogue.types.map(\.name)).union(rules.declaredTypes.keys).sorted()
        types = [TypePlan(name: "", rules: rules)] + names.map { TypePlan(name: $0, rules: rules) }
        typeIndex = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset + 1) })
        eventSlots = rules.layout.eventNumberCount
        textSlots = rules.layout.textCount
        roleOfField = Dictionary(uniqueKeysWithValues: FieldRole.allCases.map { ("\($0)", $0) })
    }

    /// The slots that any expression reads: other windows need not be kept.
    private static func slotsRead(by rules: RuleSet) -> Set<Slot> {
        var programs: [Program?] = rules.metrics.flatMap { [$0.expression, $0.filter, $0.key] }
        programs.append(rules.streak?.when)
        programs += rules.xpRules.flatMap { [$0.when, $0.award] }
        programs += rules.achievements.flatMap { [$0.when, $0.value] }
        programs.append(rules.cefr?.score)
        return Set(programs.compactMap(\.self).flatMap(\.usedSlots).map(\.slot))
    }
}

/// A metric and the windows in which it is kept.
struct MetricPlan: Sendable {
    let metric: Metric
    let windows: [Window]

    init(metric: Metric, windows: [Window]) {
        self.metric = metric
        self.windows = windows
    }

    var keepsKeys: Bool { metric.key != nil || metric.aggregate == .distinct }
}

/// What an event of one type touches.
struct TypePlan: Sendable {
    let kind: EventKind
    /// Indexes of metrics and XP rules, in file order.
    let metrics: [Int]
    let xpRules: [Int]
    /// The slots that events of this type fill, with what they hold where the field is absent.
    let loads: [FieldLoad]

    init(name: String, rules: RuleSet) {
        kind = EventKind(rawValue: name) ?? .other
        metrics = rules.metrics.indices.filter { rules.metrics[$0].types.contains(name) }
        xpRules = rules.xpRules.indices.filter { rules.xpRules[$0].types.contains(name) }
        loads = rules.layout.fields(for: name).map(FieldLoad.init)
    }
}

/// One field of `data` that expressions read.
struct FieldLoad: Sendable {
    let name: String
    let type: ValueType
    /// Among the event's numbers, or its texts where `type` is text.
    let slot: Int
    /// What the slot holds where the field is absent; NaN is null.
    let absent: Double

    init(_ use: FrameLayout.FieldUse) {
        name = use.field.name
        type = use.field.type
        slot = use.field.slot
        absent = use.defaultNumber ?? .nan
    }
}

extension FrameLayout.EventName {
    static let wordNames: [FrameLayout.EventName] = [
        .wordIsNew, .wordMastery, .wordMasteryBefore, .wordReviews, .wordIntervalDays, .wordLearnedNow,
    ]
}
