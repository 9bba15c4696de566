// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

/// A row about one of a learner's tracks.
private struct TrackRow<Content> {
    let learner: String
    let language: String
    let content: Content

    static var key: [ReportColumn<TrackRow>] {
        [ReportColumn("learner", \.learner), ReportColumn("language", \.language)]
    }
}

extension LearnerFacts {
    /// The rows of all of a learner's tracks.
    fileprivate func rows<Content>(_ contents: (TrackFacts) -> [Content]) -> [TrackRow<Content>] {
        tracks.flatMap { track in
            let language = track.projection.language ?? "*"
            return contents(track).map { TrackRow(learner: learner, language: language, content: $0) }
        }
    }
}

/// The tables that have rows for each track.
extension ReportTable {
    private static let progressColumns: [ReportColumn<TrackRow<ProgressRow>>] = [
        ReportColumn(of: TrackNumbers.relation, \.content.numbers),
        ReportColumn("week_xp", \.content.track.weekXP),
        ReportColumn("words_due", \.content.track.progress.wordsDueForReview),
        ReportColumn("level_start_xp", \.content.track.levelStart),
        ReportColumn("next_level_xp", \.content.track.nextLevelStart),
        ReportColumn("cefr_score", \.content.track.estimate?.score),
        ReportColumn("cefr_start", \.content.track.estimate?.start),
        ReportColumn("cefr_next", \.content.track.estimate?.next?.band),
        ReportColumn("cefr_next_start", \.content.track.estimate?.next?.start),
        ReportColumn("cefr_basis", \.content.basisOfEstimate),
        ReportColumn("desired_retention", \.content.desiredRetention),
    ]

    static let progress = ReportTable(
        "progress",
        key: TrackRow<ProgressRow>.key,
        progressColumns
    ) { facts, source in
        facts.rows { [ProgressRow(track: $0, desiredRetention: facts.desiredRetention, source: source)] }
    }

    private static let dailyKey: [ReportColumn<TrackRow<DayProjection>>] =
        TrackRow<DayProjection>.key + [ReportColumn("day", \.content.day)]

    private static let dailyColumns: [ReportColumn<TrackRow<DayProjection>>] = [
        ReportColumn(of: DayProjection.relation, \.content.shownValues),
        ReportColumn("estimated_minutes") { PracticeEstimate.minutes(of: $0.content) },
    ]

    static let daily = ReportTable(
        "daily",
        key: dailyKey,
        dailyColumns,
        indexed: ["language", "day", "active"]
    ) { facts, _ in facts.rows(\.projection.days) }

    private static let achievementsKey: [ReportColumn<TrackRow<AchievementRow>>] =
        TrackRow<AchievementRow>.key + [ReportColumn("position", \.content.position)]

    private static let achievementsColumns: [ReportColumn<TrackRow<AchievementRow>>] = [
        ReportColumn("achievement", \.content.achievement.id),
        ReportColumn(of: AchievementProjection.relation) {
            AchievementProjection($0.content.achievement).shownValues
        },
        ReportColumn("name", \.content.name),
        ReportColumn("description", \.content.description),
        ReportColumn("category", \.content.category),
        ReportColumn("unlocked_day", needs: .unlockedDays, \.content.unlockedDay),
    ]

    static let achievements = ReportTable(
        "achievements",
        key: achievementsKey,
        achievementsColumns
    ) { facts, source in facts.rows { AchievementRow.all($0, source) } }

    private static let weeklyKey: [ReportColumn<TrackRow<WeekRow>>] =
        TrackRow<WeekRow>.key + [ReportColumn("week", \.content.week)]

    private static let weeklyColumns: [ReportColumn<TrackRow<WeekRow>>] = [
        ReportColumn("xp", \.content.totals.xp),
        ReportColumn("level", \.content.level),
        ReportColumn("practice_ms", \.content.counts.practiceMilliseconds),
        ReportColumn("sessions", \.content.counts.sessions),
        ReportColumn("successful_repairs", \.content.counts.successfulRepairs),
        ReportColumn("help_given", \.content.counts.helpGiven),
        ReportColumn("team_wins", \.content.counts.teamWins),
        ReportColumn("words_known", \.content.counts.words.known),
        ReportColumn("words_learned", \.content.counts.words.learned),
        ReportColumn("words_new", \.content.counts.words.new),
        ReportColumn("words_learning", \.content.counts.words.learning),
        ReportColumn("words_reviewing", \.content.counts.words.reviewing),
        ReportColumn("words_mastered", \.content.counts.words.mastered),
    ]

    static let weekly = ReportTable(
        "weekly",
        .weekly,
        key: weeklyKey,
        weeklyColumns
    ) { facts, source in
        facts.rows { track in
            track.weekly.map { week, totals in
                WeekRow(week: week, totals: totals, level: source.rules.levels.level(for: totals.xp))
            }
        }
    }

    private static let xpByDayKey: [ReportColumn<TrackRow<BucketXP>>] =
        TrackRow<BucketXP>.key
        + [ReportColumn("day", \.content.day), ReportColumn("bucket", \.content.bucket)]

    private static let xpByDayColumns: [ReportColumn<TrackRow<BucketXP>>] = [ReportColumn("xp", \.content.xp)]

    static let xpByDay = ReportTable(
        "xp_by_day",
        .buckets,
        key: xpByDayKey,
        xpByDayColumns
    ) { facts, _ in facts.rows(\.xp) }

    private static let streakDaysKey: [ReportColumn<TrackRow<StreakMark>>] =
        TrackRow<StreakMark>.key + [ReportColumn("day", \.content.day)]

    private static let streakDaysColumns: [ReportColumn<TrackRow<StreakMark>>] = [
        ReportColumn("state", \.content.kind.rawValue), ReportColumn("streak", \.content.streak),
    ]

    static let streakDays = ReportTable(
        "streak_days",
        .streakDays,
        key: streakDaysKey,
        streakDaysColumns
    ) { facts, _ in facts.rows(\.streakDays) }

    private static let reviewsByDayKey: [ReportColumn<TrackRow<ReviewCount>>] =
        TrackRow<ReviewCount>.key
        + [ReportColumn("day", \.content.day), ReportColumn("mastery", \.content.mastery)]

    private static let reviewsByDayColumns: [ReportColumn<TrackRow<ReviewCount>>] = [
        ReportColumn("reviews", \.content.reviews), ReportColumn("correct", \.content.correct),
    ]

    static let reviewsByDay = ReportTable(
        "reviews_by_day",
        .reviews,
        key: reviewsByDayKey,
        reviewsByDayColumns
    ) { facts, _ in facts.rows(\.reviews) }

    private static let needsColumns: [ReportColumn<TrackRow<LearnerNeeds>>] = [
        ReportColumn("need", \.content.first?.rawValue),
        ReportColumn("away") { $0.content.reasons.contains(.away) },
        ReportColumn("behind") { $0.content.reasons.contains(.behind) },
        ReportColumn("stuck") { $0.content.reasons.contains(.stuck) },
        ReportColumn("streak_lost") { $0.content.reasons.contains(.streakLost) },
        ReportColumn("back") { $0.content.reasons.contains(.back) },
        ReportColumn("days", \.content.days),
        ReportColumn("days_before", \.content.daysBefore),
        ReportColumn("usual_days", \.content.usualDays),
        ReportColumn("days_off", \.content.daysOff),
        ReportColumn("stuck_words", \.content.stuckWords),
    ]

    static let needs = ReportTable(
        "needs",
        [.activeDays, .forgottenWords],
        key: TrackRow<LearnerNeeds>.key,
        needsColumns
    ) { facts, source in facts.rows { [LearnerNeeds(facts, $0, source.period)] } }
}

/// A track's numbers, and values that are computed from them.
private struct ProgressRow {
    let track: TrackFacts
    let desiredRetention: Double?
    let source: TableSource

    var numbers: [Value] {
        let numbers = track.projection.numbers
        // A track without events has no first event.
        return zip(TrackNumbers.relation.shownFields, numbers.shownValues).map { column, value in
            numbers.counts.events == 0 && column.type == .instant ? .null : value
        }
    }

    /// The expression in the rules that gives the estimated CEFR level, in words; nil if there is no estimate.
    var basisOfEstimate: String? {
        guard track.estimate != nil else { return nil }
        let texts = source.texts
        return source.rules.cefr?.score.spoken({ texts.text(IdentifierTitle.phrase($0)) }, in: texts.text)
    }
}

private struct AchievementRow {
    let position: Int
    let achievement: AchievementProgress
    let name: String
    let description: String
    let category: String?
    let unlockedDay: LocalDay?

    static func all(_ track: TrackFacts, _ source: TableSource) -> [AchievementRow] {
        let rules = Dictionary(source.rules.achievements.map { ($0.id, $0) }) { first, _ in first }
        return track.progress.achievements.enumerated().compactMap { position, achievement in
            rules[achievement.id].map { rule in
                AchievementRow(
                    position: position,
                    achievement: achievement,
                    name: rule.names.text(for: source.locale),
                    description: rule.descriptions.text(for: source.locale),
                    category: rule.category,
                    unlockedDay: achievement.tier > 0 ? track.unlockedDays[achievement.id] : nil
                )
            }
        }
    }
}

/// The totals of a track at the end of a week.
private struct WeekRow {
    let week: LocalDay
    let totals: TrackTotals
    let level: Int

    var counts: TrackCounts { totals.counts }
}
