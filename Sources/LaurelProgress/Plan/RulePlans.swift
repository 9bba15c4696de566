// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

// The parts of the rules that the fold runs. They are plain values, and pointers into memory that the plan owns, so
// reading them changes no reference count.

/// A metric, and the slots that store it.
struct MetricPlan {
    let change: Aggregate.Change
    let slots: WindowSlots
    /// The index in ``VersionPlan/keyedMetrics``; meaningful only if the metric has keys.
    let keyedIndex: Int

    var isCount: Bool { if case .count = change { true } else { false } }
}

/// The slots of a metric's number, one per window. The total is always stored, other windows only if an expression
/// reads them.
struct WindowSlots {
    /// The slots for each ``WindowPlace``.
    private let lists: UnsafePointer<UnsafeBufferPointer<Int>>

    init(metric index: Int, read: Set<Slot>, layout: FrameLayout, memory: PlanStorage) {
        func slot(_ window: Window) -> Int { layout.slot(ofMetric: index, in: window) }
        let kept = layout.windows.filter { $0 == .total || read.contains(.track(slot($0))) }
        let lists = WindowPlace.all.map { place in
            let open = kept.filter { window in
                switch window {
                case .total, .day, .week: true
                case .session: place.isInSession
                case .season: place.isInSeason
                }
            }
            return memory.keep(open.map(slot))
        }
        self.lists = memory.keep(lists).baseAddress!
    }

    /// The slots that an event changes.
    func all(_ place: WindowPlace) -> UnsafeBufferPointer<Int> { lists[place.index] }
}

extension Metric {
    /// The expression that gives the metric's keys; nil if the metric has no keys.
    var keyProgram: Program? { if case .distinct = aggregate.change { expression } else { key } }
}

struct XPRulePlan {
    /// The maximum per day; infinite without a cap.
    let dailyCap: Double
    /// The bucket of the XP. Not used for a currency.
    let bucket: Int
    /// The index of the currency that the rule awards; −1 for XP.
    let currency: Int
    let period: PeriodPlan

    init(_ rule: XPRule, bucket: Int) {
        period = PeriodPlan(rule.period)
        dailyCap = rule.dailyCap ?? .infinity
        currency = rule.currency ?? -1
        self.bucket = bucket
    }
}

struct AchievementPlan {
    /// The condition; nil if there is none.
    let when: ExpressionSteps?
    let value: ExpressionSteps
    /// The slot that stores the bound. The achievement is evaluated only if its value exceeds the bound: see
    /// ``FoldCore/setBound(of:_:)``.
    let bound: Int
    let thresholds: UnsafeBufferPointer<Double>
    let requires: UnsafeBufferPointer<Int>
    let isPerLanguage: Bool
    let period: PeriodPlan
    /// The changes after which the achievement must be evaluated again, except changes of metrics. For changes of
    /// metrics, see ``TypePlan/readers``.
    let inputs: TrackChanges

    init(_ rule: AchievementRule, index: Int, inputs: TrackChanges, _ writer: inout StepWriter) {
        when = rule.when.map { writer.expression($0) }
        value = writer.expression(rule.value)
        bound = writer.bound(ofAchievement: index)
        thresholds = writer.memory.keep(rule.thresholds)
        requires = writer.memory.keep(rule.requires)
        isPerLanguage = rule.isPerLanguage
        period = PeriodPlan(rule.period)
        self.inputs = inputs
    }

    /// The number of tiers that a value reaches.
    func tiers(reachedBy value: Double) -> Int {
        var tier = 0
        while tier < thresholds.count, thresholds[tier] <= value { tier += 1 }
        return tier
    }
}

/// A rule's period, stored as the numbers of its first and last day.
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

/// The plan for events of one type.
struct TypePlan {
    let kind: EventKind
    /// The index of the type among ``VersionPlan/limitedTypes``; −1 if no version limits it.
    let limit: Int
    // Properties of the kind, looked up once.
    let isFoldedSeparately: Bool
    let concernsWord: Bool
    /// True if events of this type change words, or change how later events affect words.
    let changesWords: Bool
    let countsPerTrack: Bool
    let isTimed: Bool
    /// The number of lines, and the number of reviews, that such an event adds.
    let lines: Int
    let reviews: Int
    /// True if such an event can make a day active.
    let isPractice: Bool
    /// The compiled steps 3 to 6 of the fold. For each ``WindowPlace`` there are two programs: first that of the
    /// overall track, then that of a language's track.
    private let programs: UnsafePointer<UnsafePointer<Step>>
    /// The achievements that read at least one of the metrics that events of this type change.
    let readers: AchievementSet
    /// True if a goal reads a metric that events of this type change.
    let changesGoals: Bool
    /// True if such an event ends a session, which also ends the stretch.
    let endsSession: Bool
    /// True if a language's track that shares the overall track's metrics needs no steps of its own for such an
    /// event.
    let sharesAllSteps: Bool
    /// The fields that expressions may read at events of this type: numbers, then texts.
    let numberLoads: UnsafeBufferPointer<ReadField>
    let textLoads: UnsafeBufferPointer<ReadField>
    /// The fields that are stored with the learner: see ``PlanParts/learnerFields``. The list is empty
    /// for all types except `learner.updated`.
    let learnerFields: UnsafeBufferPointer<ReadField>

    init(name: String, rules: RuleSet, parts: PlanParts, _ writer: inout StepWriter) {
        kind = EventKind(rawValue: name) ?? .other
        limit = parts.limitedTypes.firstIndex { $0.name == name } ?? -1
        isFoldedSeparately = kind.isFoldedSeparately || limit >= 0
        (concernsWord, countsPerTrack) = (kind.concernsWord, kind.countsPerTrack)
        changesWords = concernsWord || kind == .schedulerFitted
        isTimed = kind.isTimed
        (lines, reviews) = (kind == .lineSpoken ? 1 : 0, kind == .reviewGraded ? 1 : 0)
        let type = TypeParts(name, kind, rules, parts)
        isPractice = type.isPractice
        programs = writer.programs(type, of: rules)
        readers = AchievementSet(type.readers, of: parts.achievements.count, memory: writer.memory)
        changesGoals = !parts.goalInputs.metrics.isDisjoint(with: type.metrics)
        endsSession = kind == .sessionEnded
        sharesAllSteps = !countsPerTrack && !parts.achievements.contains(where: \.isPerLanguage)
        let uses = rules.layout.fields(for: name)
        let loads = rules.layout.fields.filter { type.reads($0) }.map { field in
            ReadField(field, uses.first { $0.field == field }, parts.fields)
        }
        numberLoads = writer.memory.keep(loads.filter { $0.type != .text })
        textLoads = writer.memory.keep(loads.filter { $0.type == .text })
        learnerFields = writer.memory.keep(kind == .learnerUpdated ? parts.learnerFields : [])
    }

    @inline(__always)
    func program(isOverall: Bool, _ place: WindowPlace) -> UnsafePointer<Step> {
        programs[(isOverall ? 0 : WindowPlace.count) + place.index]
    }
}

/// The parts of the rules that apply to events of one type.
struct TypeParts {
    let kind: EventKind
    let parts: PlanParts
    /// The indexes of the rules, in file order.
    let metrics: [Int]
    let awards: [Int]
    /// The indexes of the achievements that read one of the metrics.
    let readers: [Int]
    /// The fold's own steps, in execution order.
    private let builtInSteps: [BuiltInStep]
    /// True if such an event can make a day active. If `streak.when` reads only metrics, the event must change at least
    /// one of them. With other rules, or without a streak, every event can do so, except bookkeeping.
    let isPractice: Bool
    /// The slots that expressions may read at events of the type.
    private let readSlots: Set<Slot>

    init(_ name: String, _ kind: EventKind, _ rules: RuleSet, _ parts: PlanParts) {
        (self.kind, self.parts) = (kind, parts)
        let metrics = rules.metrics.indices.filter { rules.metrics[$0].types.contains(name) }
        self.metrics = metrics
        awards = rules.xpRules.indices.filter { rules.xpRules[$0].types.contains(name) }
        readers = parts.achievements.indices.filter {
            !parts.achievementInputs[$0].metrics.isDisjoint(with: metrics)
        }
        let isCounted = parts.streakInputs.map { !$0.metrics.isDisjoint(with: metrics) } ?? false
        let readsMore = parts.streakInputs.map { !$0.readsOnlyMetrics } ?? true
        isPractice = isCounted || readsMore && Catalogue.type(named: name)?.isBookkeeping != true
        let awarded = awards.filter { parts.xpRules[$0].currency >= 0 }
        builtInSteps =
            (parts.currencies.hasRefills ? [.refill] : []) + kind.builtInSteps
            + (!awarded.isEmpty || kind.changesBalances && rules.hasBalances ? [.settleBalances] : [])
        let own = metrics.flatMap { rules.metrics[$0].programs } + awards.flatMap { rules.xpRules[$0].programs }
        readSlots = Set((own + rules.programsOfAllTypes).flatMap(\.usedSlots).map(\.slot))
    }

    /// True if an XP rule reads `earned`, the XP that previous rules awarded for the event.
    var readsEarned: Bool { readSlots.contains(.event(FrameLayout.EventName.earned.rawValue)) }

    func reads(_ field: FrameLayout.FieldSlot) -> Bool {
        readSlots.contains(field.type == .text ? .text(field.slot) : .event(field.slot))
    }

    /// The achievements that the steps of a track watch; nil if the track can never unlock an achievement.
    func watched(_ track: ProgramTrack) -> [Int]? {
        let isThere = parts.achievements.contains { $0.isPerLanguage != track.isOverall }
        if track.isOverall, !parts.goals.isEmpty { return readers.filter { !parts.achievements[$0].isPerLanguage } }
        return isThere ? readers.filter { parts.achievements[$0].isPerLanguage != track.isOverall } : nil
    }

    func builtInSteps(_ position: BuiltInStep.Position, _ track: ProgramTrack) -> [BuiltInStep] {
        builtInSteps.filter { builtIn in
            builtIn.position == position && (track.isOverall || !builtIn.isOverall)
        }
    }
}

/// The numbers that expressions of a rule read.
struct RuleInputs {
    private(set) var metrics: Set<Int> = []
    private(set) var changes: TrackChanges = []

    init(_ rule: AchievementRule, layout: TrackLayout) {
        self.init([rule.value, rule.when].compactMap(\.self), layout: layout)
        // The achievement may become available when its period begins, without any other change.
        if rule.period != .always { changes.insert(.event) }
    }

    init(_ programs: [Program], layout: TrackLayout) {
        for named in programs.flatMap(\.usedSlots) {
            guard case .track(let slot) = named.slot else {
                changes.insert(.event)
                continue
            }
            if slot < layout.windowCount {
                readsWindow(slot, layout)
            } else if named.isOfLearner {
                changes.insert(.learner)
            } else {
                readsNumber(slot, layout)
            }
        }
    }

    mutating func add(_ change: TrackChanges) { changes.insert(change) }

    /// True if the expressions read at least one metric, in any window, and nothing else.
    var readsOnlyMetrics: Bool { !metrics.isEmpty && changes.isSubset(of: [.session, .day, .week, .season]) }

    private mutating func readsWindow(_ slot: Int, _ layout: TrackLayout) {
        let place = slot % layout.stride
        if place == layout.stride - 1 { changes.insert(.xp) } else { metrics.insert(place) }
        if let window = Window(rawValue: slot / layout.stride) { changes.insert(window.change) }
    }

    private mutating func readsNumber(_ slot: Int, _ layout: TrackLayout) {
        switch slot {
        case layout.currentStreak, layout.longestStreak, layout.daysSinceActive: changes.insert(.streak)
        case layout.level: changes.insert(.xp)
        case layout.wordsKnown, layout.wordsLearned, layout.wordsMastered: changes.insert(.words)
        default: changes.insert(.event)
        }
    }
}

extension NamedSlot {
    /// True for a number that belongs to the learner and is copied to each track: a balance, or a goal's completions.
    fileprivate var isOfLearner: Bool {
        [FrameLayout.TrackName.balancePrefix, FrameLayout.TrackName.goalPrefix].contains(where: name.hasPrefix)
    }
}

/// Owns the arrays that plans point to. The arrays live as long as the storage.
final class PlanStorage: @unchecked Sendable {
    // Written only while the plan that owns the storage is being built.
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
