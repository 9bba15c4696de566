// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
package import LaurelProgress
package import LaurelResults

/// The data of reports: a learner's progress at the end of a week, and its development in earlier weeks.
package struct LearnerFacts: Sendable {
    /// The learner's id.
    package var learner: String
    /// The number of stored events, including void events.
    package var storedEvents: Int
    /// The instant for which all facts are computed. The numbers of `progress` at this instant are the same.
    package var asOf: Timestamp
    /// The learner's local day at that instant, at most the week's last day.
    package var today: LocalDay
    package var displayName: String?
    package var cohort: String?
    package var nativeLanguage: String?
    package var dailyGoalMinutes: Int
    /// False if the learner is left out of leaderboards.
    package var isOnLeaderboards = true
    /// True if an event set the goal; false if the default goal applies.
    package var hasSetGoal = false
    /// The facts of each track: the overall track first, then one track per language in byte order.
    package var tracks: [TrackFacts]
    /// Known words, in the order of ``ProgressEngine/words(of:language:at:)``.
    package var words: [Word] = []
    /// Sessions, newest first.
    package var sessions: [SessionReport] = []
    /// The reviews of the period, in the order of the fold.
    package var reviews: [ReviewFact] = []
    /// The fraction of reviews in which the learner should remember the word, as set for the scheduler; nil if the
    /// scheduler has no such target.
    package var desiredRetention: Double?
    /// Words that were forgotten in the four weeks up to the last day of the week, by language and id in byte order.
    package var forgottenWords: [ForgottenWord] = []
    /// The number of times that each word was forgotten, in reviews at least a day after the previous review. Words that
    /// were never forgotten are left out.
    package var lapses: [WordKey: Int] = [:]
    /// Forecasts of the workload under other desired retentions. The forecasts for all languages together come first,
    /// then those for each language. Empty under SM-2.
    package var workloads: [WorkloadForecast] = []
}

extension LearnerFacts {
    /// The facts for a shorter period and a smaller selection.
    /// - Parameters:
    ///   - period: a period with the same week and instant, and no more weeks.
    ///   - wants: the facts to include. All of them must have been collected. Facts that take little memory are always
    ///     included.
    package func narrowed(to period: ReportPeriod, wants: FactSelection) -> LearnerFacts {
        var facts = self
        if !wants.contains(.words) { facts.words = [] }
        if !wants.contains(.sessions) { facts.sessions = [] }
        if !wants.contains(.reviewLog) { facts.reviews = [] }
        if !wants.contains(.workload) { facts.workloads = [] }
        if !wants.contains(.lapses) { facts.lapses = [:] }
        facts.reviews.removeAll { $0.day < period.firstDay }
        for index in facts.tracks.indices { facts.tracks[index].narrow(to: period, wants: wants) }
        return facts
    }
}

/// A learner's facts in one track.
package struct TrackFacts: Sendable {
    package var progress: Progress
    /// The track's numbers of all time, and its days within the period.
    package var projection: TrackProjection
    /// The XP of the week's days, including days after the learner's local day.
    package var weekXP: Double
    /// The XP at which the present level starts, and the XP at which the next level starts; nil if there is no next
    /// level.
    package var levelStart: Double
    package var nextLevelStart: Double?
    package var estimate: CEFREstimate?
    /// The days of the period, from the first active day to today.
    package var streakDays: [StreakMark] = []
    /// The totals at the end of each week of the period, with the first day of the week.
    package var weekly: [(week: LocalDay, totals: TrackTotals)] = []
    package var xp: [BucketXP] = []
    package var reviews: [ReviewCount] = []
    package var unlockedDays: [String: LocalDay] = [:]
    /// The achievements in the order of the rules. A hidden achievement is included once unlocked.
    package var achievements: [Achievement] = []
    /// The active days of all time, ascending.
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

/// A day's effect on the streak.
package struct StreakMark: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The learner practised.
        case active
        /// The day counts because of a repair.
        case repaired
        /// The learner missed the day, and a freeze saved the streak: a held freeze, or a freeze set for the day.
        case frozen
        /// The learner missed the day, which is a rest day of the rules.
        case rest
        /// The learner missed the day. The streak ended on it, or had ended before.
        case missed
        /// Today, if the learner has not practised yet: the day is not over.
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

/// The XP of a bucket on a day.
package struct BucketXP: Sendable, Equatable {
    package var day: LocalDay
    package var bucket: String
    package var xp: Double
}

/// The reviews of a day, by the mastery of the words before the review.
package struct ReviewCount: Sendable, Equatable {
    package var day: LocalDay
    /// The mastery, 0 … 5.
    package var mastery: Int
    package var reviews = 0
    /// The number of reviews with a grade other than `again`.
    package var correct = 0
}

/// A review, with the word's state before it.
package struct ReviewFact: Sendable, Equatable {
    /// The time in milliseconds since 1970.
    package var time: Int64
    package var day: LocalDay
    package var hour: Int
    package var grade: Grade
    /// The language; empty if the word has none.
    package var language = ""
    package var word = ""
    package var durationMs: Int64?
    package var mastery = 0
    /// The interval scheduled before the review; 0 for a new word.
    package var intervalDays = 0
    /// The number of whole 24-hour days since the word's last review; nil if there was none.
    package var daysSince: Int64?
    /// The number of reviews of the word, including this one.
    package var count: Int64 = 0
    /// The number of times that the word was forgotten, in reviews at least a day after the previous review.
    package var lapses = 0
    /// The scheduler's estimate of the probability that the word is remembered.
    package var recall: Double?

    package init(time: Int64, day: LocalDay, hour: Int, grade: Grade) {
        (self.time, self.day, self.hour, self.grade) = (time, day, hour, grade)
    }

    package var isCorrect: Bool { grade != .again }

    /// True if the previous review was at least a day before. A review after a shorter time says little about memory.
    package var isSpaced: Bool { (daysSince ?? 0) >= 1 }
}

/// The results of a word's reviews in the four weeks up to the last day of the report's week.
package struct ForgottenWord: Sendable, Equatable {
    package var language: String?
    package var id: String
    package var text: String?
    package var translation: String?
    package var reviews = 0
    /// The number of reviews with the grade `again`.
    package var forgotten = 0
    /// True if the last review had a grade other than `again`.
    package var isRecalled = false
}

/// Facts that need more work than the fold itself. They are collected only if requested.
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
    package static let workload = FactSelection(rawValue: 4096)
    package static let lapses = FactSelection(rawValue: 8192)

    /// The facts that need an observer of the fold.
    static let observed: FactSelection = [
        .streakDays, .weekly, .buckets, .reviews, .unlockedDays, .goal, .forgottenWords,
    ]
}
