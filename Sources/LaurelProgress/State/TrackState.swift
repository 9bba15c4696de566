// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A learner's state in one achievement.
struct AchievementState: Sendable, Equatable {
    var tier = 0
    var unlockedAt: Int64?
    /// The largest value while `when` and `requires` held.
    var best: Double = 0
    var isRevoked = false
    /// The XP that the achievement gave and that was not taken back.
    var given: Double = 0

    /// True if all values are still the initial ones.
    @inline(__always)
    var isUntouched: Bool {
        tier == 0 && unlockedAt == nil && !isRevoked && best.bitPattern | given.bitPattern == 0
    }
}

/// One track of a learner: the overall one, or that of a language.
///
/// A class over plain memory. The fold works on ``values``, without reference counts and exclusivity checks. Other code
/// reads the values as if they were the track's own.
@dynamicMemberLookup
final class TrackState {
    /// The values. Their address is constant as long as the track lives.
    let values: UnsafeMutablePointer<TrackValues>
    /// The track's version of the rules.
    let plan: VersionPlan

    init(language: [UInt8]?, plan: VersionPlan) {
        self.plan = plan
        values = .allocate(capacity: 1)
        values.initialize(to: TrackValues(language: language, plan: plan))
    }

    /// Resets the track for another learner or language, in the same memory.
    func beginAgain(language: [UInt8]?) {
        var old = values.move()
        values.initialize(to: TrackValues(language: language, plan: plan, memory: old.memory))
        values.pointee.takeLists(of: &old)
    }

    deinit {
        values.pointee.deallocate()
        values.deinitialize(count: 1)
        values.deallocate()
    }

    subscript<Value>(dynamicMember path: KeyPath<TrackValues, Value>) -> Value { values.pointee[keyPath: path] }

    subscript<Value>(dynamicMember path: WritableKeyPath<TrackValues, Value>) -> Value {
        get { values.pointee[keyPath: path] }
        _modify { yield &values.pointee[keyPath: path] }
    }
}

/// The values of a track.
struct TrackValues {
    /// The language; nil for the overall track.
    let language: [UInt8]?
    let isOverall: Bool
    let layout: TrackLayout
    /// The owner of the memory that the pointers below point to.
    fileprivate let memory: TrackMemory
    /// The numbers: see ``TrackLayout``. The rest of the frame that steps work on follows, and belongs to the running
    /// fold.
    let numbers: UnsafeMutablePointer<Double>
    /// The flags by window slot: true if a `max`, or the largest of a `by`, has seen a value.
    let hasValue: UnsafeMutablePointer<Bool>
    /// See ``VersionPlan/keyedMetrics``.
    let keyedMetrics: [Int]
    /// The keys by window, and by the metric's index in `keyedMetrics`.
    var keyed: [[DistinctValues]]
    var sessions = OpenSessions()
    /// The index in `sessions` of the session whose numbers are in `numbers`.
    var currentSession: Int?
    /// The ``EventContext/sessionKey`` of the latest event in the current session; 0 if the ids must be compared.
    var currentSessionKey: UInt64 = 0
    /// The time of the current session's last event, in milliseconds since 1970. ``writeBack()`` copies it to
    /// `sessions`.
    var currentSessionAt: Int64 = 0

    /// The words of the track's language, once one was met; for the overall track, words without a language. The
    /// learner's state owns them.
    var vocabulary: UnsafeMutablePointer<VocabularyWords>?
    var streak = Streak()
    /// The day for which `numbers` has the streak; nil if the streak has changed since.
    var publishedStreakDay: LocalDay?
    /// A day that is known to be active.
    var activeDay: LocalDay?
    /// The XP range of the level in `numbers`. Outside it, the level is looked up again.
    var levelRange = 0.0..<0.0
    let achievements: UnsafeMutableBufferPointer<AchievementState>
    /// The times when tiers were reached, by achievement, if ``AchievementState/unlockedAt`` is not enough. Tiers that
    /// were revoked are included.
    var unlockTimes: [[Int64]]
    /// The changes since the achievements were last evaluated.
    var changes = TrackChanges.all
    /// The changes that the track's achievements read; all of them while there is an observer.
    var achievementInputs = TrackChanges.all
    /// The value of ``FoldCore/unlocks`` when the achievements were last evaluated.
    var unlocksSeen = -1
    /// The XP by bucket of the plan.
    let xpByBucket: UnsafeMutableBufferPointer<Double>
    /// The XP that each rule awarded in the day window.
    let awardedToday: UnsafeMutableBufferPointer<Double>
    /// The days, ascending. While events are folded, ``today`` is newer than its row here.
    var days: [DayProjection] = []
    /// The present day's row, once ``enterDay(_:)`` has set it.
    var today = DayProjection(day: LocalDay(number: 0))
    /// The index of `today` in `days`; nil if there is no present day.
    private var todayPlace: Int?
    /// The days changed since this state was made, decoded or settled, some perhaps twice. They are not part of the
    /// state itself.
    private(set) var touchedDays: [LocalDay] = []
    var counts = TrackCounts()
    /// The time and the local day of the latest event that could make a day count.
    var lastPractice: (at: Int64, day: LocalDay)?
    var lastOffsetSeconds: Int32 = 0
    /// The clock information of the last event, until ``writeBack(_:)`` looks it up in the event's table.
    var lastClockSource = ClockSource.elsewhere
    var lastClock = TrackClock()
    var lastDay: LocalDay?
    var lastWeek: LocalDay?

    /// The declared CEFR level, 0 for A1 … 5 for C2.
    var declaredLevel: Int?

    init(language: [UInt8]?, plan: VersionPlan) {
        self.init(language: language, plan: plan, memory: TrackMemory(plan))
        keyed = Array(repeating: Array(repeating: DistinctValues(), count: plan.keyedMetrics.count), count: 4)
    }

    /// Takes the memory of lists from another track of the same plan, without their contents.
    fileprivate mutating func takeLists(of old: inout TrackValues) {
        swap(&keyed, &old.keyed)
        for window in keyed.indices {
            for place in keyed[window].indices where keyed[window][place].count > 0 {
                keyed[window][place].removeAll()
            }
        }
        swap(&sessions, &old.sessions)
        sessions.removeAll()
        swap(&days, &old.days)
        days.removeAll(keepingCapacity: true)
        swap(&touchedDays, &old.touchedDays)
        touchedDays.removeAll(keepingCapacity: true)
        streak = Streak(inMemoryOf: &old.streak)
    }

    fileprivate init(language: [UInt8]?, plan: VersionPlan, memory: TrackMemory) {
        self.language = language
        isOverall = language == nil
        layout = plan.layout
        self.memory = memory
        memory.clear(plan)
        numbers = memory.numbers.baseAddress!
        hasValue = memory.hasValue.baseAddress!
        achievements = memory.achievements
        xpByBucket = memory.xpByBucket
        awardedToday = memory.awardedToday
        keyedMetrics = plan.keyedMetrics
        keyed = []
        unlockTimes = plan.noUnlockTimes
    }

    /// Frees the memory. The owner must call it exactly once.
    mutating func deallocate() { memory.deallocate() }

    func hasLanguage(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        language?.withUnsafeBufferPointer { $0.hasSameBytes(as: name) } ?? false
    }

    /// The times when tiers of an achievement were reached, revoked ones included.
    func unlockTimes(of index: Int) -> [Int64] {
        unlockTimes[index].isEmpty ? achievements[index].unlockedAt.map { [$0] } ?? [] : unlockTimes[index]
    }

    var xp: Double { numbers[layout.xpSlots.total] }

    /// Makes a day the present one, with a new row if it has none.
    /// - Complexity: O(1) for the present and the latest day; O(days) for an earlier one, to which a traveller may
    ///   return.
    @inline(__always)
    mutating func enterDay(_ day: LocalDay) {
        if todayPlace == nil || today.day.number != day.number { changeDay(to: day) }
    }

    /// Copies the present day and session, which the fold keeps apart for speed, back to their lists.
    mutating func writeBack(_ columns: EventColumns) {
        if lastClockSource.timezone != ClockSource.elsewhere.timezone {
            let zone = columns.bytes(lastClockSource.timezone)
            if !lastClock.timezone.withUnsafeBufferPointer({ $0.hasSameBytes(as: zone) }) {
                lastClock.timezone = Array(zone)
            }
            lastClock.offsetCode = lastClockSource.offsetCode
            lastClockSource = .elsewhere
        }
        endDay()
        if let currentSession { sessions[currentSession].lastEventAt = currentSessionAt }
    }

    /// See ``LearnerState/settle()``.
    mutating func settle() {
        touchedDays = []
        // The key is valid in one fold only.
        currentSessionKey = 0
    }

    /// Takes the parts that do not depend on the rules from the track of another version.
    mutating func takeCommon(of old: inout TrackValues) {
        vocabulary = old.vocabulary
        streak = old.streak
        days = old.days
        today = old.today
        todayPlace = old.todayPlace
        touchedDays = old.touchedDays
        let words = counts.words
        counts = old.counts
        counts.words = words
        lastPractice = old.lastPractice
        lastOffsetSeconds = old.lastOffsetSeconds
        lastClock = old.lastClock
        (lastDay, lastWeek) = (old.lastDay, old.lastWeek)
        declaredLevel = old.declaredLevel
    }

    mutating func take(_ words: WordCounts) {
        counts.words = words
        numbers[layout.wordsKnown] = Double(words.known)
        numbers[layout.wordsLearned] = Double(words.learned)
        numbers[layout.wordsMastered] = Double(words.mastered)
    }

    /// Marks the days that count for the streak, which were noted under a version without one.
    mutating func markActiveDays() {
        for run in streak.active.runs {
            for number in run {
                enterDay(LocalDay(number: number))
                today.isActive = true
            }
        }
        endDay()
    }

    private mutating func endDay() {
        if let todayPlace { days[todayPlace] = today }
        todayPlace = nil
    }

    @inline(never)
    private mutating func changeDay(to day: LocalDay) {
        if let todayPlace { days[todayPlace] = today }
        // A traveller may return to the same days often.
        if touchedDays.count > 2 * days.count { touchedDays = Array(Set(touchedDays)) }
        touchedDays.append(day)
        var index = days.count
        while index > 0, days[index - 1].day > day { index -= 1 }
        if index > 0, days[index - 1].day == day {
            index -= 1
        } else {
            days.insert(DayProjection(day: day), at: index)
        }
        todayPlace = index
        today = days[index]
    }
}

/// The lists of a track, whose lengths the plan decides.
private struct TrackMemory {
    let numbers: UnsafeMutableBufferPointer<Double>
    let hasValue: UnsafeMutableBufferPointer<Bool>
    let achievements: UnsafeMutableBufferPointer<AchievementState>
    let xpByBucket: UnsafeMutableBufferPointer<Double>
    let awardedToday: UnsafeMutableBufferPointer<Double>

    /// Allocates memory, which must be cleared before use.
    init(_ plan: VersionPlan) {
        numbers = .allocate(capacity: plan.steps.numberCount)
        plan.steps.initialize(numbers: numbers.baseAddress!)
        hasValue = .allocate(capacity: plan.layout.windowCount)
        achievements = .allocate(capacity: plan.achievements.count)
        xpByBucket = .allocate(capacity: plan.buckets.count)
        awardedToday = .allocate(capacity: plan.xpRules.count)
    }

    /// Resets the memory to that of a track without events.
    func clear(_ plan: VersionPlan) {
        numbers.baseAddress!.update(repeating: 0, count: plan.layout.count)
        numbers[plan.layout.level] = 1
        hasValue.initialize(repeating: false)
        achievements.initialize(repeating: AchievementState())
        xpByBucket.initialize(repeating: 0)
        awardedToday.initialize(repeating: 0)
    }

    func deallocate() {
        numbers.deallocate()
        hasValue.deallocate()
        achievements.deallocate()
        xpByBucket.deallocate()
        awardedToday.deallocate()
    }
}

/// The changes of a track's numbers that achievements can read. Metrics change only by events of their types;
/// ``TypePlan/achievements`` handles them.
struct TrackChanges: OptionSet {
    let rawValue: UInt8

    /// The event itself, which is set at every event.
    static let event = TrackChanges(rawValue: 1)
    static let session = TrackChanges(rawValue: 2)
    static let day = TrackChanges(rawValue: 4)
    static let week = TrackChanges(rawValue: 8)
    /// XP in any window, and the level.
    static let xp = TrackChanges(rawValue: 16)
    static let streak = TrackChanges(rawValue: 32)
    static let words = TrackChanges(rawValue: 64)
    static let all = TrackChanges(rawValue: .max)
}
