package import LaurelEvents
package import LaurelRules

package typealias Window = FrameLayout.Window

/// The slots of a track's numbers, looked up once: four windows, each the metrics in file order and then XP, and then
/// what is one number per track. ``FrameLayout`` decides them.
struct TrackLayout: Sendable, Equatable {
    /// The length of one window.
    let stride: Int
    let count: Int
    let currentStreak: Int
    let longestStreak: Int
    let level: Int
    let wordsKnown: Int
    let wordsLearned: Int
    let wordsMastered: Int

    init(_ layout: FrameLayout) {
        stride = layout.windowWidth
        count = layout.trackNumberCount
        currentStreak = layout.slot(of: .streakCurrent)
        longestStreak = layout.slot(of: .streakLongest)
        level = layout.slot(of: .level)
        wordsKnown = layout.slot(of: .wordsKnown)
        wordsLearned = layout.slot(of: .wordsLearned)
        wordsMastered = layout.slot(of: .wordsMastered)
    }

    func slot(_ window: Window, _ metric: Int) -> Int { window.rawValue * stride + metric }
    func xp(_ window: Window) -> Int { slot(window, stride - 1) }
    func region(_ window: Window) -> Range<Int> {
        window.rawValue * stride..<(window.rawValue + 1) * stride
    }
}

/// The parts of `session.started` that `session.ended` falls back on.
package struct StartedSession: Sendable, Equatable {
    package var startedAt: Int64
    package var mode: [UInt8]?
    package var scenario: [UInt8]?
    package var partner: [UInt8]?
}

/// A running session's own window.
package struct SessionWindow: Sendable {
    package var id: [UInt8]
    package var lastEventAt: Int64
    package var started: StartedSession?
    /// While the session is the track's current one, its numbers stand in the track's array instead.
    package var numbers: [Double]
    package var hasValue: [Bool]
    /// Per metric that keeps keys.
    package var keyed: [Int: KeyedValues] = [:]
}

/// What a learner has unlocked of one achievement, and how near the rest is.
package struct AchievementState: Sendable, Equatable {
    package var tier = 0
    package var unlockedAt: Int64?
    /// The largest value while `when` and `requires` held.
    package var best: Double = 0
    package var isRevoked = false
}

/// One track of a learner: the overall one or that of a language.
///
/// A class over plain memory, because the fold reads and writes its numbers several times per event.
package final class TrackState {
    /// nil for the overall track.
    package let language: [UInt8]?
    /// See ``TrackLayout``.
    package let numbers: UnsafeMutablePointer<Double>
    /// Per window slot: whether a `max`, or the largest of a `by`, has seen a value.
    package let hasValue: UnsafeMutablePointer<Bool>
    let layout: TrackLayout
    /// `keyed[window][metric]` for metrics that keep keys.
    package var keyed: [[Int: KeyedValues]]
    package var sessions: [SessionWindow] = []
    /// Index into `sessions` of the one whose numbers stand in `numbers`.
    package var currentSession: Int?

    /// The words of the track's language, once met; for the overall track those without a language.
    var vocabulary: Vocabulary?
    package var streak = Streak()
    /// The day for which the streak stands in `numbers`; nil where it has changed since.
    var publishedStreakDay: CivilDay?
    /// The XP at which the level in `numbers` starts and ends: it is looked up again beyond them.
    var levelRange = 0.0..<0.0
    package var achievements: [AchievementState]
    /// Per bucket of the plan.
    package var xpByBucket: [Double]
    /// What each XP rule has awarded in the day window.
    package var awardedToday: [Double]
    /// Ascending by day.
    package var days: [DayProjection] = []
    /// The days changed since this state was made or decoded: no part of the state itself.
    package private(set) var touchedDays: Set<CivilDay> = []
    private var lastTouched: CivilDay?
    package var words = WordCounts()

    package var events = 0
    package var firstEventAt: Int64 = 0
    package var lastEventAt: Int64 = 0
    package var lastOffsetSeconds: Int32 = 0
    package var lastDay: CivilDay?
    package var lastWeek: CivilDay?

    package var endedSessions = 0
    package var soloSessions = 0
    package var multiplayerSessions = 0
    package var practiceMilliseconds: Int64 = 0
    package var successfulRepairs = 0
    package var helpGiven = 0
    package var teamWins = 0
    /// 0 A1 … 5 C2.
    package var declaredLevel: Int?

    init(language: [UInt8]?, plan: FoldPlan) {
        self.language = language
        layout = plan.layout
        numbers = .allocate(capacity: layout.count)
        numbers.initialize(repeating: 0, count: layout.count)
        numbers[layout.level] = 1
        hasValue = .allocate(capacity: 4 * layout.stride)
        hasValue.initialize(repeating: false, count: 4 * layout.stride)
        keyed = Array(repeating: [:], count: 4)
        achievements = Array(repeating: AchievementState(), count: plan.rules.achievements.count)
        xpByBucket = Array(repeating: 0, count: plan.buckets.count)
        awardedToday = Array(repeating: 0, count: plan.rules.xpRules.count)
    }

    deinit {
        numbers.deallocate()
        hasValue.deallocate()
    }

    func hasLanguage(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let language, language.count == name.count else { return false }
        return language.elementsEqual(name)
    }

    package var xp: Double { numbers[layout.xp(.total)] }
    package var level: Int { Int(numbers[layout.level]) }

    /// The day's row, made if there is none.
    /// - Complexity: O(1) for the latest day; O(days) for one that a traveller comes back to.
    func dayIndex(_ day: CivilDay) -> Int {
        if let last = days.last, last.day == day, lastTouched == day { return days.count - 1 }
        lastTouched = day
        touchedDays.insert(day)
        var index = days.count
        while index > 0, days[index - 1].day > day { index -= 1 }
        if index > 0, days[index - 1].day == day { return index - 1 }
        days.insert(DayProjection(day: day), at: index)
        return index
    }
}
