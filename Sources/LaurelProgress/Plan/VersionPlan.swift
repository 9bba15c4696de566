// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelRules

/// One version of the rules, compiled for the fold: a plan for each event type, and the layout of the slots.
///
/// `@unchecked Sendable`: the memory that the parts point to is not written after `init`.
package final class VersionPlan: @unchecked Sendable {
    package let rules: RuleSet
    /// The version's index in the plan.
    package let index: Int
    /// The local day from which the version is in force; nil for the first version, which is in force from the
    /// beginning.
    package let from: LocalDay?
    /// The slots that the version's own rules read.
    let readSlots: Set<Slot>
    /// The slots that are stored: ``readSlots``, and those whose values a later version needs.
    let keptSlots: Set<Slot>
    let keepsMore: Bool
    /// The initial clock of a fold.
    package let clock: LocalClock
    let layout: TrackLayout
    private let xpBuckets: XPBuckets
    /// The metrics' names, in file order.
    let metricNames: NumberNames
    /// The indexes of the metrics with keys, ascending.
    let keyedMetrics: [Int]
    let metrics: UnsafeBufferPointer<MetricPlan>
    /// The metrics that two tracks can share: see ``CommonTrackMetrics``.
    let sharing: CommonTrackMetrics
    let xpRules: UnsafeBufferPointer<XPRulePlan>
    let currencies: [CurrencyPlan]
    let goals: UnsafeBufferPointer<GoalPlan>
    /// The changes that goals read, except changes of metrics.
    let goalChanges: TrackChanges
    /// True if an expression reads a balance or the completions of a goal.
    let readsLearnerNumbers: Bool
    /// The indexes of the currencies by the bytes of their names.
    let currencyIndex: [[UInt8]: Int]
    /// The indexes of the items by the bytes of their names.
    let itemIndex: [[UInt8]: Int]
    /// True if the rules or later rules have achievements that give currencies or freezes.
    let keepsGifts: Bool
    let achievements: UnsafeBufferPointer<AchievementPlan>
    /// Empty lists of unlock times, the initial value for tracks.
    let noUnlockTimes: [[Int64]]
    private let overallAchievements: AchievementScope
    private let languageAchievements: AchievementScope
    /// The plans by type. The first plan is for every type that is neither in the catalogue nor in the rules.
    let types: UnsafeBufferPointer<TypePlan>
    let typeIndex: [String: Int]
    /// The indexes by the bytes of the id. A dictionary of Swift strings would not distinguish ids that differ only in
    /// their Unicode normal form.
    let achievementIndex: [[UInt8]: Int]
    package let scheduler: Scheduler
    /// True if SM-2 schedules reviews.
    let isSM2: Bool
    /// The lowest mastery, 0 … 5, at which a word counts as learned.
    let learnedAt: Int
    /// The streak terms of all versions. If `hasStreak` is false, this version does not use the streak.
    package let streakTerms: StreakSchedule
    let hasStreak: Bool
    let levels: LevelCurve
    /// The steps of `streak.when`.
    let isActive: ExpressionSteps?
    let steps: StepFrame
    let slots = EventSlots()
    /// The fields of `data` that the fold or an expression reads. Other fields need not be decoded.
    package let fieldNames: Set<String>
    let fields: [String: KnownField]
    private let reads: EventReading
    /// The details of words that expressions read.
    let wordDetails: UnsafeBufferPointer<WordDetailPlan>
    /// The fields of `learner.updated` that are stored for expressions.
    let learnerFields: UnsafeBufferPointer<LearnerField>
    /// The names of leagues that expressions read.
    let leagueNames: [LeagueName]
    /// The event types that this version or a later version limits.
    let limitedTypes: [LimitedType]
    /// The experiments that expressions read.
    let experiments: [ExperimentPlan]
    private let seasonNames: TextConstants
    /// The slots of the track's numbers that begin as null.
    let nullSlots: UnsafeBufferPointer<Int>
    let weekStartsOn: Int
    /// The windows that follow the calendar: the day, the week and, if the rules have seasons, the season.
    let calendarWindows: UnsafeBufferPointer<Window>
    private let memory = PlanStorage()

    /// - Parameter context: the properties of the other versions.
    init(rules: RuleSet, _ context: VersionContext) {
        self.rules = rules
        (index, from) = (context.index, context.from)
        clock = LocalClock(rules.calendar)
        weekStartsOn = rules.calendar.weekStartsOn
        calendarWindows = memory.keep(rules.layout.windows.filter(\.isOfCalendar))
        layout = TrackLayout(rules.layout)
        readSlots = VersionPlan.slotsRead(by: rules)
        keptSlots = context.slots(readBy: rules, readSlots)
        keepsMore = keptSlots != readSlots
        reads = EventReading(keptSlots, of: rules)
        wordDetails = memory.keep(WordDetailPlan.read(keptSlots))
        let memory = memory
        let learnerFields = LearnerField.stored(by: rules, later: context.laterLearnerFields)
        self.learnerFields = memory.keep(learnerFields)
        experiments = ExperimentPlan.read(by: rules)
        leagueNames = LeagueName.read(by: rules)
        seasonNames = TextConstants(rules.seasons.map(\.name))
        nullSlots = memory.keep(rules.layout.trackNames.filter(\.mayBeNull).compactMap(rules.layout.slot(of:)))
        var writer = StepWriter(rules, memory: memory)
        xpBuckets = XPBuckets(of: rules, earlier: context.earlierBuckets)
        var parts = PlanParts(rules, read: keptSlots, layout: layout, xpBuckets, &writer)
        metrics = memory.keep(parts.metrics)
        sharing = CommonTrackMetrics(rules, parts, layout, memory: memory)
        limitedTypes = LimitedType.all(of: rules, later: context.laterLimits)
        parts.limitedTypes = limitedTypes
        xpRules = memory.keep(parts.xpRules)
        currencies = parts.currencies
        goals = memory.keep(parts.goals)
        goalChanges = parts.goalInputs.changes
        readsLearnerNumbers = !parts.learnerSlots.isEmpty
        currencyIndex = VersionPlan.indexes(rules.currencies.map { Array($0.name.utf8) })
        itemIndex = VersionPlan.indexes(rules.items.map { Array($0.name.utf8) })
        keepsGifts = rules.givesGifts || context.laterGifts
        metricNames = NumberNames(rules.metrics.map(\.name))
        keyedMetrics = parts.keyedMetrics
        achievements = memory.keep(parts.achievements)
        noUnlockTimes = Array(repeating: [], count: parts.achievements.count)
        overallAchievements = AchievementScope(parts.achievements, perLanguage: false, memory: memory)
        languageAchievements = AchievementScope(parts.achievements, perLanguage: true, memory: memory)
        achievementIndex = VersionPlan.indexes(rules.achievements.map { Array($0.id.utf8) })
        let names = VersionPlan.typeNames(of: rules, limitedTypes)
        fieldNames = Set(names.flatMap { rules.layout.fields(for: $0) }.map(\.field.name))
            .union(FieldRole.names(readWith: wordDetails, rules)).union(learnerFields.map(\.name))
        parts.fields = KnownField.all(fieldNames)
        fields = parts.fields
        parts.learnerFields = learnerFields.enumerated().map { place, field in
            ReadField(slot: place, type: field.type, index: parts.fields[field.name]?.index ?? -1)
        }
        types = memory.keep(names.map { TypePlan(name: $0, rules: rules, parts: parts, &writer) })
        typeIndex = VersionPlan.indexes(names)
        scheduler = Scheduler(rules.mastery)
        isSM2 = if case .sm2 = rules.mastery.scheduler { true } else { false }
        learnedAt = rules.mastery.learnedAt
        streakTerms = rules.streak?.isWeekly == true ? context.streak.byWeek(context.weeks) : context.streak
        hasStreak = rules.streak != nil
        levels = rules.levels
        isActive = rules.streak.map { writer.expression($0.when) }
        steps = writer.frame
    }

    /// The names of types. The first name, which is empty, stands for every unknown type.
    private static func typeNames(of rules: RuleSet, _ limited: [LimitedType]) -> [String] {
        [""] + Set(Catalogue.types.map(\.name)).union(rules.declaredTypes.keys).union(limited.map(\.name)).sorted()
    }

    private static func indexes<Name: Hashable>(_ names: [Name]) -> [Name: Int] {
        Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
    }

    /// The achievements that a track can unlock: the overall track if `isOverall` is true, else a language's track.
    @inline(__always)
    func achievementScope(isOverall: Bool) -> AchievementScope {
        isOverall ? overallAchievements : languageAchievements
    }

    /// The windows of the calendar that contain a local day.
    func windowKeys(on day: LocalDay) -> WindowKeys {
        let week = day.weekStart(firstWeekday: weekStartsOn).number
        guard !rules.seasons.isEmpty else { return WindowKeys(day: day.number, week: week) }
        let season = rules.seasons.firstIndex { $0.days.contains(day) }
        return WindowKeys(day: day.number, week: week, season: season.map(Int32.init) ?? -1)
    }

    /// The name of a season, given by its key; null for no season.
    func seasonName(_ key: Int32) -> TextSlice { key < 0 ? TextSlice() : seasonNames.slices[Int(key)] }

    var languagesHaveAchievements: Bool { !languageAchievements.indexes.isEmpty }

    /// True if a metric's value in a window is stored.
    func keeps(metric index: Int, in window: Window) -> Bool {
        window == .total || keptSlots.contains(.track(rules.layout.slot(ofMetric: index, in: window)))
    }

    /// True if the version's own rules read the metric in the window, or results show it.
    func reads(metric index: Int, in window: Window) -> Bool {
        window == .total || readSlots.contains(.track(rules.layout.slot(ofMetric: index, in: window)))
    }

    /// The slots that at least one expression reads. Windows that are not among them need not be stored.
    static func slotsRead(by rules: RuleSet) -> Set<Slot> {
        let programs = rules.foldedPrograms + [rules.cefr?.score].compactMap(\.self)
        return Set(programs.flatMap(\.usedSlots).map(\.slot))
    }
}

/// Shorter names for members of the version's parts. Some are used at every event.
extension VersionPlan {
    package var buckets: [String] { xpBuckets.names }
    var ownBucketCount: Int { xpBuckets.ownCount }
    var bucketsByName: [Int] { xpBuckets.byName }
    var adjustmentBucket: Int { xpBuckets.adjustment }
    var achievementsBucket: Int { xpBuckets.achievements }
    var goalsBucket: Int { xpBuckets.goals }

    var readsType: Bool { reads.type }
    var readsClock: Bool { reads.clock }
    var readsDate: Bool { reads.date }
    var readsDay: Bool { reads.day || reads.date || reads.season || !experiments.isEmpty }
    var readsSeason: Bool { reads.season }
    var readsWords: Bool { reads.words }
    var readsMoreOfWords: Bool { reads.moreOfWords }
    var readsWordsElsewhere: Bool { reads.wordsElsewhere }
    var readsMore: Bool { reads.more }
}

/// The parts of the rules from which the plan is built.
struct PlanParts {
    var fields: [String: KnownField] = [:]
    /// The fields of `learner.updated` that are stored. The slot of each is its index among the learner's fields.
    var learnerFields: [ReadField] = []
    var limitedTypes: [LimitedType] = []
    let keyedMetrics: [Int]
    let metrics: [MetricPlan]
    let xpRules: [XPRulePlan]
    let currencies: [CurrencyPlan]
    let goals: [GoalPlan]
    let goalInputs: RuleInputs
    let achievementInputs: [RuleInputs]
    /// The numbers that `streak.when` reads; nil without a streak.
    let streakInputs: RuleInputs?
    let achievements: [AchievementPlan]

    init(
        _ rules: RuleSet,
        read: Set<Slot>,
        layout: TrackLayout,
        _ buckets: XPBuckets,
        _ writer: inout StepWriter
    ) {
        let keyedMetrics = rules.metrics.indices.filter { rules.metrics[$0].keyProgram != nil }
        self.keyedMetrics = keyedMetrics
        let memory = writer.memory
        metrics = rules.metrics.enumerated().map { index, metric in
            MetricPlan(
                change: metric.aggregate.change,
                slots: WindowSlots(metric: index, read: read, layout: rules.layout, memory: memory),
                keyedIndex: keyedMetrics.firstIndex(of: index) ?? 0
            )
        }
        let inputs = rules.achievements.map { RuleInputs($0, layout: layout) }
        achievementInputs = inputs
        streakInputs = rules.streak.map { RuleInputs([$0.when], layout: layout) }
        achievements = rules.achievements.enumerated().map { index, rule in
            AchievementPlan(rule, index: index, inputs: inputs[index].changes, &writer)
        }
        currencies = rules.currencies.map { CurrencyPlan($0, rules.layout) }
        goals = rules.goals.map { GoalPlan($0, rules.layout, &writer) }
        goalInputs = rules.goalInputs(layout)
        xpRules = zip(rules.xpRules, buckets.ofRules).map { XPRulePlan($0, bucket: $1) }
    }
}

extension PlanParts {
    /// The slots whose values are copied to each track from the learner: balances, and completions of goals.
    var learnerSlots: [Int] { currencies.compactMap(\.slot) + goals.compactMap(\.slot) }
}

extension LocalClock {
    init(_ calendar: RulesCalendar) {
        self.init(
            defaultZone: TimeZoneDatabase.shared.zone(named: calendar.defaultTimezone) ?? .utc,
            dayStartsAt: calendar.dayStartsAtMinutes
        )
    }
}

extension StreakTerms {
    /// The terms of a streak rule. Without a streak rule, no day is a rest day and no freeze is earned. A granted
    /// freeze is stored, as under a streak rule without `freezes`.
    init(_ rule: StreakRule?) {
        guard let rule else {
            self.init(freezeEvery: nil, freezesHeld: 1, restDays: 0)
            return
        }
        self.init(
            freezeEvery: rule.earnEvery,
            freezesHeld: rule.hold,
            freezesAtStart: rule.freezesAtStart,
            restDays: rule.restDays
        )
    }
}

extension Scheduler {
    init(_ rule: MasteryRule) {
        switch rule.scheduler {
        case .sm2: self = .sm2
        case .fsrs(let weights, let retention):
            self = .fsrs(
                FSRS(
                    weights: weights,
                    desiredRetention: retention,
                    masteryDays: rule.masteryDays,
                    countsCalendarDays: rule.countsCalendarDays
                )
            )
        }
    }
}

/// The slots of the values that expressions read, except the event's fields. They are computed once.
struct EventSlots: Sendable {
    let hour = FrameLayout.EventName.localHour.rawValue
    let minute = FrameLayout.EventName.localMinute.rawValue
    let weekday = FrameLayout.EventName.localWeekday.rawValue
    let day = FrameLayout.EventName.localDay.rawValue
    let wordIsNew = FrameLayout.EventName.wordIsNew.rawValue
    let wordMastery = FrameLayout.EventName.wordMastery.rawValue
    let wordMasteryBefore = FrameLayout.EventName.wordMasteryBefore.rawValue
    let wordReviews = FrameLayout.EventName.wordReviews.rawValue
    let wordIntervalDays = FrameLayout.EventName.wordIntervalDays.rawValue
    let wordLearnedNow = FrameLayout.EventName.wordLearnedNow.rawValue
    // The slots of texts.
    let type = FrameLayout.TextName.type.rawValue
    let session = FrameLayout.TextName.session.rawValue
    let language = FrameLayout.TextName.language.rawValue
    let date = FrameLayout.TextName.localDate.rawValue
    let season = FrameLayout.TextName.seasonName.rawValue
}
