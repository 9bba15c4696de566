// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// A learner's state in an achievement.
struct AchievementState: Sendable, Equatable {
    var tier = 0
    var unlockedAt: Int64?
    /// The largest value that the achievement had while `when` and `requires` were true.
    var best: Double = 0
    var isRevoked = false
    /// The XP that the achievement awarded, minus the XP that a revocation took back.
    var given: Double = 0
    /// The number of tiers whose gifts were given, revoked tiers included.
    var tiersGiven = 0

    /// True if all values are still the initial ones.
    @inline(__always)
    var isUntouched: Bool {
        tier == 0 && unlockedAt == nil && !isRevoked && best.bitPattern | given.bitPattern == 0
    }
}

/// One track of a learner: the overall track, or a language's track.
///
/// A class over plain memory. The fold uses ``values`` directly, without reference counts and exclusivity checks. Other
/// code reads members of the values as if they were members of the track.
@dynamicMemberLookup
final class TrackState {
    /// The values. Their address does not change during the track's lifetime.
    let values: UnsafeMutablePointer<TrackValues>
    /// The version of the rules under which the values are folded.
    let plan: VersionPlan

    init(language: [UInt8]?, plan: VersionPlan) {
        self.plan = plan
        values = .allocate(capacity: 1)
        values.initialize(to: TrackValues(language: language, plan: plan))
    }

    /// Resets the track for another learner or language, and reuses the memory.
    func beginAgain(language: [UInt8]?) {
        var old = values.move()
        values.initialize(to: TrackValues(language: language, plan: plan, memory: old.memory))
        values.pointee.reuseLists(of: &old)
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
    /// The numbers: see ``TrackLayout``. The memory after them holds the other numbers of the frame. It belongs to the
    /// running fold.
    let numbers: UnsafeMutablePointer<Double>
    /// Flags by window slot. True if a `max` metric, or a metric with `by`, already has a value in the window.
    let hasValue: UnsafeMutablePointer<Bool>
    /// The metrics with keys: see ``VersionPlan/keyedMetrics``.
    let keyedMetrics: [Int]
    /// The keys of metrics: first by window, then by the metric's index in `keyedMetrics`.
    var keyed: [[DistinctValues]]
    var sessions = OpenSessions()
    /// The index in `sessions` of the current session, whose numbers are in `numbers`; nil without a current session.
    var currentSession: Int?
    /// The ``EventContext/sessionKey`` of the current session's latest event. If 0 or different, the sessions' ids must
    /// be compared.
    var currentSessionKey: UInt64 = 0
    /// The time of the current session's last event, in milliseconds since 1970. ``writeBack(_:)`` copies it to
    /// `sessions`.
    var currentSessionAt: Int64 = 0

    /// The words of the track's language; nil until the first word. The overall track has the words of events without a
    /// language. The learner's state owns the memory.
    var vocabulary: UnsafeMutablePointer<VocabularyWords>?
    var streak = Streak()
    /// The day as of which `numbers` contains the streak; nil if the streak has changed since then.
    var publishedStreakDay: LocalDay?
    /// The latest day for which `streak.when` was found to be true; nil before the first.
    var activeDay: LocalDay?
    /// The XP range of the level in `numbers`. If the XP leaves this range, the level is looked up again.
    var levelRange = 0.0..<0.0
    let achievements: UnsafeMutableBufferPointer<AchievementState>
    /// For each achievement, the times when tiers were reached, in milliseconds since 1970. Revoked tiers are included.
    /// An empty list means that ``AchievementState/unlockedAt`` is the only time.
    var unlockTimes: [[Int64]]
    /// The changes since the achievements were last evaluated.
    var changes = TrackChanges.all
    /// The changes that the track's achievements read. With an observer: all changes.
    var achievementInputs = TrackChanges.all
    /// The value of ``FoldCore/unlocks`` when the achievements were last evaluated.
    var unlocksSeen = -1
    /// The XP by index of the bucket.
    let xpByBucket: UnsafeMutableBufferPointer<Double>
    /// The XP that each rule awarded on the present day.
    let awardedToday: UnsafeMutableBufferPointer<Double>
    /// The days, ascending. While events are folded, the entry of the present day may be out of date; use ``today``
    /// instead.
    var days: [DayProjection] = []
    /// The present day's row. Valid once ``enterDay(_:)`` was called.
    var today = DayProjection(day: LocalDay(number: 0))
    /// The index of `today` in `days`; nil if ``enterDay(_:)`` was not called yet.
    private var todayIndex: Int?
    /// The days changed since this state was created, decoded or settled. A day may occur more than once. The list is
    /// not part of the state's bytes.
    private(set) var touchedDays: [LocalDay] = []
    var counts = TrackCounts()
    /// The time (in milliseconds since 1970) and local day of the latest event that could make a day active; nil before
    /// the first such event.
    var lastPractice: (at: Int64, day: LocalDay)?
    var lastOffsetSeconds: Int32 = 0
    /// The last event's clock information, as indexes into the event's table. ``writeBack(_:)`` converts it to
    /// `lastClock`.
    var lastClockSource = ClockSource.unavailable
    var lastClock = TrackClock()
    /// The windows that were open at the last event; nil before the first event.
    var windowKeys: WindowKeys?

    /// The events and XP that are flagged as implausible.
    var flagged = FlaggedTotals()

    /// The declared CEFR level, from 0 for A1 to 5 for C2; nil if the learner declared none.
    var declaredLevel: Int?

    init(language: [UInt8]?, plan: VersionPlan) {
        self.init(language: language, plan: plan, memory: TrackMemory(plan))
        keyed = Array(
            repeating: Array(repeating: DistinctValues(), count: plan.keyedMetrics.count),
            count: plan.rules.layout.windows.count
        )
    }

    /// Reuses the memory of the lists of another track of the same plan. Their contents are removed.
    fileprivate mutating func reuseLists(of old: inout TrackValues) {
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

    /// Frees the memory. The owner must call this method exactly once.
    mutating func deallocate() { memory.deallocate() }

    func hasLanguage(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        language?.withUnsafeBufferPointer { $0.hasSameBytes(as: name) } ?? false
    }

    /// The times when tiers of an achievement were reached, in milliseconds since 1970. Revoked tiers are included.
    func unlockTimes(of index: Int) -> [Int64] {
        unlockTimes[index].isEmpty ? achievements[index].unlockedAt.map { [$0] } ?? [] : unlockTimes[index]
    }

    var xp: Double { numbers[layout.xpSlots.total] }

    /// The local day of the last event; nil before the first event.
    var lastDay: LocalDay? { windowKeys.map { LocalDay(number: $0.day) } }

    /// Makes a day the present day. Adds a row if the day has none.
    /// - Complexity: O(1) for the present and the latest day. O(days) for an earlier day, which occurs when a traveller
    ///   crosses time zones.
    @inline(__always)
    mutating func enterDay(_ day: LocalDay) {
        if todayIndex == nil || today.day.number != day.number { changeDay(to: day) }
    }

    /// Writes the present day, session and clock back to the lists that store them. During the fold, they are in
    /// separate copies for speed.
    mutating func writeBack(_ columns: EventColumns) {
        if lastClockSource.timezone != ClockSource.unavailable.timezone {
            let zone = columns.bytes(lastClockSource.timezone)
            if !lastClock.timezone.withUnsafeBufferPointer({ $0.hasSameBytes(as: zone) }) {
                lastClock.timezone = Array(zone)
            }
            lastClock.offsetCode = lastClockSource.offsetCode
            lastClockSource = .unavailable
        }
        endDay()
        if let currentSession { sessions[currentSession].lastEventAt = currentSessionAt }
    }

    /// Clears the values that are valid only within a fold: see ``LearnerState/settle()``.
    mutating func settle() {
        touchedDays = []
        // The key is valid only within one fold.
        currentSessionKey = 0
    }

    /// Moves the values that do not depend on the rules to this track, from the track of another version.
    mutating func adoptCommon(of old: inout TrackValues) {
        vocabulary = old.vocabulary
        streak = old.streak
        days = old.days
        today = old.today
        todayIndex = old.todayIndex
        touchedDays = old.touchedDays
        let words = counts.words
        counts = old.counts
        counts.words = words
        lastPractice = old.lastPractice
        lastOffsetSeconds = old.lastOffsetSeconds
        lastClock = old.lastClock
        windowKeys = old.windowKeys
        declaredLevel = old.declaredLevel
        flagged = old.flagged
    }

    mutating func take(_ words: WordCounts) {
        counts.words = words
        numbers[layout.wordsKnown] = Double(words.known)
        numbers[layout.wordsLearned] = Double(words.learned)
        numbers[layout.wordsMastered] = Double(words.mastered)
    }

    /// Sets `isActive` in the rows of all active days. A version without a streak records active days, but does not set
    /// `isActive`.
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
        if let todayIndex { days[todayIndex] = today }
        todayIndex = nil
    }

    @inline(never)
    private mutating func changeDay(to day: LocalDay) {
        if let todayIndex { days[todayIndex] = today }
        // A traveller may switch between the same days often. Duplicates are removed, so that the list stays short.
        if touchedDays.count > 2 * days.count { touchedDays = Array(Set(touchedDays)) }
        touchedDays.append(day)
        var index = days.count
        while index > 0, days[index - 1].day > day { index -= 1 }
        if index > 0, days[index - 1].day == day {
            index -= 1
        } else {
            days.insert(DayProjection(day: day), at: index)
        }
        todayIndex = index
        today = days[index]
    }
}

/// The lists of a track, whose lengths depend on the plan.
private struct TrackMemory {
    let numbers: UnsafeMutableBufferPointer<Double>
    let hasValue: UnsafeMutableBufferPointer<Bool>
    let achievements: UnsafeMutableBufferPointer<AchievementState>
    let xpByBucket: UnsafeMutableBufferPointer<Double>
    let awardedToday: UnsafeMutableBufferPointer<Double>

    /// Allocates memory. The caller must clear it before use.
    init(_ plan: VersionPlan) {
        numbers = .allocate(capacity: plan.steps.numberCount)
        plan.steps.initialize(numbers: numbers.baseAddress!)
        hasValue = .allocate(capacity: plan.layout.windowCount)
        achievements = .allocate(capacity: plan.achievements.count)
        xpByBucket = .allocate(capacity: plan.buckets.count)
        awardedToday = .allocate(capacity: plan.xpRules.count)
    }

    /// Resets all values to those of a track without events.
    func clear(_ plan: VersionPlan) {
        numbers.baseAddress!.update(repeating: 0, count: plan.layout.count)
        numbers[plan.layout.level] = 1
        for slot in plan.nullSlots { numbers[slot] = .nan }
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
