// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelProgress
package import LaurelResults

/// What reports are made from: a learner's progress at the end of a week, and how it came about in the weeks before.
package struct LearnerFacts: Sendable {
    /// The learner's id.
    package var learner: String
    /// Stored, void ones included.
    package var storedEvents: Int
    /// What everything here is as of: read with it, `progress` gives the same numbers.
    package var asOf: Timestamp
    /// The learner's local day then; the week's last day at the latest.
    package var today: LocalDay
    package var displayName: String?
    package var cohort: String?
    package var nativeLanguage: String?
    package var dailyGoalMinutes: Int
    /// Whether an event set the goal; if not, it is the default.
    package var hasSetGoal = false
    /// The overall track first, then one per language in byte order.
    package var tracks: [TrackFacts]
    /// Known words, in the order of ``ProgressEngine/words(of:language:at:)``.
    package var words: [Word] = []
    /// Newest first.
    package var sessions: [SessionReport] = []
    /// Those of the period, in the order of the fold.
    package var reviews: [ReviewFact] = []
    /// The share of reviews that the scheduler wants to be remembered; nil where it has none in mind.
    package var desiredRetention: Double?
    /// Words that were forgotten in the four weeks to the last day of the week, by language and id in byte order.
    package var forgottenWords: [ForgottenWord] = []
}

extension LearnerFacts {
    /// What they would be if a shorter period and fewer facts had been asked for.
    /// - Parameters:
    ///   - period: of the same week and instant, and of no more weeks.
    ///   - wants: none that was not gathered. What costs no room is kept, wanted or not.
    package func narrowed(to period: ReportPeriod, wants: FactSelection) -> LearnerFacts {
        var facts = self
        if !wants.contains(.words) { facts.words = [] }
        if !wants.contains(.sessions) { facts.sessions = [] }
        if !wants.contains(.reviewLog) { facts.reviews = [] }
        facts.reviews.removeAll { $0.day < period.firstDay }
        for index in facts.tracks.indices { facts.tracks[index].narrow(to: period, wants: wants) }
        return facts
    }
}

/// A learner's facts in one track.
package struct TrackFacts: Sendable {
    package var progress: Progress
    /// Of all time; its days are those of the period.
    package var projection: TrackProjection
    /// Of the days of the week, whatever the learner's today.
    package var weekXP: Double
    /// XP at which the level starts, and the next one; nil where the curve ends.
    package var levelStart: Double
    package var nextLevelStart: Double?
    package var estimate: CEFREstimate?
    /// Of the period, from the first active day to today.
    package var streakDays: [StreakMark] = []
    /// Totals at the end of each week of the period, with the first day of the week.
    package var weekly: [(week: LocalDay, totals: TrackTotals)] = []
    package var xp: [BucketXP] = []
    package var reviews: [ReviewCount] = []
    package var unlockedDays: [String: LocalDay] = [:]
    /// In the order of the rules; hidden ones from when they are unlocked.
    package var achievements: [Achievement] = []
    /// Of all time, ascending.
    package var activeDays: [LocalDay] = []
}

extension TrackFacts {
    fileprivate mutating func narrow(to period: ReportPeriod, wants: FactSelection) {
        if !wants.contains(.buckets) { xp = [] }
        if !wants.contains(.reviews) { reviews = [] }
        if !wants.contains(.streakDays) { streakDays = [] }
        if !wants.contains(.weekly) { weekly = [] }
        projection.days.removeAll { $0.day < period.firstDay }
        xp.removeAll { $0.day < period.firstDay }
        reviews.removeAll { $0.day < period.firstDay }
        streakDays.removeAll { $0.day < period.firstDay }
        weekly.removeAll { $0.week < period.firstDay }
    }
}

/// A day as the streak sees it.
package struct StreakMark: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The learner practised.
        case active
        /// Counts because a repair said so.
        case repaired
        /// Missed, and forgiven: by a freeze held, or one set for the day.
        case frozen
        /// Missed, and one of the rules' rest days.
        case rest
        /// Missed: the streak ended, or had already.
        case missed
        /// Today, as long as nothing was done: it is not over.
        case open
    }

    package var day: LocalDay
    package var kind: Kind
    /// The streak at the end of the day.
    package var streak: Int
}

extension StreakMark.Kind {
    init(_ outcome: StreakOutcome) {
        switch outcome {
        case .active: self = .active
        case .frozen, .freezeSpent: self = .frozen
        case .restDay: self = .rest
        case .missed: self = .missed
        case .open: self = .open
        }
    }
}

/// What a bucket got on a day.
package struct BucketXP: Sendable, Equatable {
    package var day: LocalDay
    package var bucket: String
    package var xp: Double
}

/// Reviews of a day, by the mastery that the words had before them.
package struct ReviewCount: Sendable, Equatable {
    package var day: LocalDay
    /// 0 … 5.
    package var mastery: Int
    package var reviews = 0
    /// Those not graded again.
    package var correct = 0
}

/// A review, and what was known of its word before.
package struct ReviewFact: Sendable, Equatable {
    /// Milliseconds since 1970.
    package var time: Int64
    package var day: LocalDay
    package var hour: Int
    package var grade: Grade
    /// Empty where the word has none.
    package var language = ""
    package var word = ""
    package var durationMs: Int64?
    package var mastery = 0
    /// The interval that was set for it; 0 for a word not known before.
    package var intervalDays = 0
    /// Whole days of 24 hours since the word's last review; nil where there was none.
    package var daysSince: Int64?
    /// The how many-th review of the word it is.
    package var count: Int64 = 0
    /// How often the word had been forgotten after a day or more.
    package var lapses = 0
    /// How likely the scheduler thought it that the word is remembered.
    package var recall: Double?

    package init(time: Int64, day: LocalDay, hour: Int, grade: Grade) {
        (self.time, self.day, self.hour, self.grade) = (time, day, hour, grade)
    }

    package var isCorrect: Bool { grade != .again }

    /// Whether the word had to last for a day or more: what comes sooner says little of memory.
    package var isSpaced: Bool { (daysSince ?? 0) >= 1 }
}

/// How reviews of a word went in the four weeks to the last day of the report's week.
package struct ForgottenWord: Sendable, Equatable {
    package var language: String?
    package var id: String
    package var text: String?
    package var translation: String?
    package var reviews = 0
    /// How many of them were graded again.
    package var forgotten = 0
    /// Whether the last of them was not.
    package var isRecalled = false
}

/// Facts that cost more than the fold: gathered only where asked for.
package struct FactSelection: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let streakDays = FactSelection(rawValue: 1)
    package static let weekly = FactSelection(rawValue: 2)
    package static let buckets = FactSelection(rawValue: 4)
    package static let reviews = FactSelection(rawValue: 8)
    package static let unlockedDays = FactSelection(rawValue: 16)
    package static let words = FactSelection(rawValue: 32)
    package static let sessions = FactSelection(rawValue: 64)
    package static let goal = FactSelection(rawValue: 128)
    package static let activeDays = FactSelection(rawValue: 256)
    package static let forgottenWords = FactSelection(rawValue: 512)
    package static let reviewLog = FactSelection(rawValue: 1024)
    package static let achievements = FactSelection(rawValue: 2048)

    /// Those that an observer of the fold gathers.
    static let observed: FactSelection = [
        .streakDays, .weekly, .buckets, .reviews, .unlockedDays, .goal, .forgottenWords,
    ]
}
