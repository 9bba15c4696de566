// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// What a learner has unlocked of one achievement, and how near the next tier is.
struct AchievementState: Sendable, Equatable {
    var tier = 0
    var unlockedAt: Int64?
    /// The largest value while `when` and `requires` held.
    var best: Double = 0
    var isRevoked = false
    /// The XP that it gave and that was not taken back.
    var given: Double = 0

    /// True if all of it is as at the beginning.
    @inline(__always)
    var isUntouched: Bool {
        tier == 0 && unlockedAt == nil && !isRevoked && best.bitPattern | given.bitPattern == 0
    }
}

/// One track of a learner: the overall one or that of a language.
///
/// A class over plain memory: the fold works on ``values``, which takes neither reference counts nor checks that nobody
/// else is at it; everything else reads the values as if they were the track's own.
@dynamicMemberLookup
final class TrackState {
    /// Stays where it is as long as the track lives.
    let values: UnsafeMutablePointer<TrackValues>
    /// The version of the rules that it is in.
    let plan: VersionPlan

    init(language: [UInt8]?, plan: VersionPlan) {
        self.plan = plan
        values = .allocate(capacity: 1)
        values.initialize(to: TrackValues(language: language, plan: plan))
    }

    /// Makes it another track, of which nothing is known, in the same memory.
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

/// What there is to know of a track.
struct TrackValues {
    /// nil for the overall track.
    let language: [UInt8]?
    let isOverall: Bool
    let layout: TrackLayout
    /// Owns what the pointers below point to.
    fileprivate let memory: TrackMemory
    /// See ``TrackLayout``; behind them the rest of the frame that steps work on, which belongs to the fold at work.
    let numbers: UnsafeMutablePointer<Double>
    /// Per window slot: whether a `max`, or the largest of a `by`, has seen a value.
    let hasValue: UnsafeMutablePointer<Bool>
    /// ``VersionPlan/keyedMetrics``.
    let keyedMetrics: [Int]
    /// Per window, by the keyed metric's place in `keyedMetrics`.
    var keyed: [[DistinctValues]]
    var sessions = OpenSessions()
    /// Index into `sessions` of the one whose numbers stand in `numbers`.
    var currentSession: Int?
    /// ``EventContext/sessionKey`` of the event that last met the current session; 0: compare the ids.
    var currentSessionKey: UInt64 = 0
    /// The current session's last event, in milliseconds since 1970; `sessions` is told by ``writeBack()``.
    var currentSessionAt: Int64 = 0

    /// The words of the track's language, once met; for the overall track those without a language. The learner owns it.
    var vocabulary: UnsafeMutablePointer<VocabularyWords>?
    var streak = Streak()
    /// The day for which the streak stands in `numbers`; nil if it has changed since.
    var publishedStreakDay: LocalDay?
    /// A day that is known to be active.
    var activeDay: LocalDay?
    /// The XP at which the level in `numbers` starts and ends: it is looked up again beyond them.
    var levelRange = 0.0..<0.0
    let achievements: UnsafeMutableBufferPointer<AchievementState>
    /// Per achievement, where ``AchievementState/unlockedAt`` does not tell it all: when each tier was reached that ever
    /// was, more than there are now perhaps.
    var unlockTimes: [[Int64]]
    /// What has changed since the achievements were last evaluated.
    var changes = TrackChanges.all
    /// Of what the achievements of the track read; all while there is an observer.
    var achievementInputs = TrackChanges.all
    /// ``FoldCore/unlocks`` when they were.
    var unlocksSeen = -1
    /// Per bucket of the plan.
    let xpByBucket: UnsafeMutableBufferPointer<Double>
    /// What each XP rule has awarded in the day window.
    let awardedToday: UnsafeMutableBufferPointer<Double>
    /// Ascending by day; while events are folded, ``today`` is ahead of it.
    var days: [DayProjection] = []
    /// The day being worked on, once ``enterDay(_:)`` has named it.
    var today = DayProjection(day: LocalDay(number: 0))
    /// Where in `days` it belongs; nil if none is being worked on.
    private var todayPlace: Int?
    /// The days changed since this state was made, decoded or settled, some perhaps twice: no part of the state itself.
    private(set) var touchedDays: [LocalDay] = []
    var counts = TrackCounts()
    /// The latest event that could make a day count: its time and its local day.
    var lastPractice: (at: Int64, day: LocalDay)?
    var lastOffsetSeconds: Int32 = 0
    /// What the last event says of the clock on the wall, until ``writeBack(_:)`` looks it up in the event's table.
    var lastClockSource = ClockSource.elsewhere
    /// The zone that the last event names, empty if it names none, and its ``WrittenOffset/code``.
    private(set) var lastTimezone: [UInt8] = []
    private(set) var lastOffsetCode = WrittenOffset.zuluCode
    var lastDay: LocalDay?
    var lastWeek: LocalDay?

    /// 0 A1 … 5 C2.
    var declaredLevel: Int?

    init(language: [UInt8]?, plan: VersionPlan) {
        self.init(language: language, plan: plan, memory: TrackMemory(plan))
        keyed = Array(repeating: Array(repeating: DistinctValues(), count: plan.keyedMetrics.count), count: 4)
    }

    /// Takes the memory of lists of another track of the same plan, but nothing that stands in them.
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

    /// To be called once, by the owner.
    mutating func deallocate() { memory.deallocate() }

    func hasLanguage(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        language?.withUnsafeBufferPointer { $0.hasSameBytes(as: name) } ?? false
    }

    /// When each tier of an achievement was reached that ever was.
    func unlockTimes(of index: Int) -> [Int64] {
        unlockTimes[index].isEmpty ? achievements[index].unlockedAt.map { [$0] } ?? [] : unlockTimes[index]
    }

    var xp: Double { numbers[layout.xpSlots.total] }

    /// Lets ``today`` be a day's row, made if there is none.
    /// - Complexity: O(1) for the day at hand and the latest; O(days) for one that a traveller comes back to.
    @inline(__always)
    mutating func enterDay(_ day: LocalDay) {
        if todayPlace == nil || today.day.number != day.number { changeDay(to: day) }
    }

    /// Brings what the fold keeps apart for speed, the day and the session at hand, back to where they are read.
    mutating func writeBack(_ columns: EventColumns) {
        if lastClockSource.timezone != ClockSource.elsewhere.timezone {
            let zone = columns.bytes(lastClockSource.timezone)
            if !lastTimezone.withUnsafeBufferPointer({ $0.hasSameBytes(as: zone) }) { lastTimezone = Array(zone) }
            lastOffsetCode = lastClockSource.offsetCode
            lastClockSource = .elsewhere
        }
        endDay()
        if let currentSession { sessions[currentSession].lastEventAt = currentSessionAt }
    }

    /// Takes over what the last event said of the clock on the wall.
    mutating func setLastClock(timezone: [UInt8], offsetCode: Int16) {
        (lastTimezone, lastOffsetCode) = (timezone, offsetCode)
    }

    /// See ``LearnerState/settle()``.
    mutating func settle() {
        touchedDays = []
        // Keys are a fold's own.
        currentSessionKey = 0
    }

    /// Going over: takes what does not depend on the rules.
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
        setLastClock(timezone: old.lastTimezone, offsetCode: old.lastOffsetCode)
        (lastDay, lastWeek) = (old.lastDay, old.lastWeek)
        declaredLevel = old.declaredLevel
    }

    mutating func take(_ words: WordCounts) {
        counts.words = words
        numbers[layout.wordsKnown] = Double(words.known)
        numbers[layout.wordsLearned] = Double(words.learned)
        numbers[layout.wordsMastered] = Double(words.mastered)
    }

    /// Marks the days that count for the streak, noted under a version without one.
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
        // A traveller goes to and fro.
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

/// The lists of a track that are as long as the plan says.
private struct TrackMemory {
    let numbers: UnsafeMutableBufferPointer<Double>
    let hasValue: UnsafeMutableBufferPointer<Bool>
    let achievements: UnsafeMutableBufferPointer<AchievementState>
    let xpByBucket: UnsafeMutableBufferPointer<Double>
    let awardedToday: UnsafeMutableBufferPointer<Double>

    /// Holds nothing yet: to be cleared first.
    init(_ plan: VersionPlan) {
        numbers = .allocate(capacity: plan.steps.numberCount)
        plan.steps.initialize(numbers: numbers.baseAddress!)
        hasValue = .allocate(capacity: plan.layout.windowCount)
        achievements = .allocate(capacity: plan.achievements.count)
        xpByBucket = .allocate(capacity: plan.buckets.count)
        awardedToday = .allocate(capacity: plan.xpRules.count)
    }

    /// Makes it that of a track of which nothing is known.
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

/// Which of a track's numbers have changed, as far as achievements can read them. Metrics change by events of their types
/// only and are accounted for in ``TypePlan/achievements``.
struct TrackChanges: OptionSet {
    let rawValue: UInt8

    /// The event itself: true at every event.
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
