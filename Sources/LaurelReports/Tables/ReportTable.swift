// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelProgress
import LaurelStore

/// THE list of tables that a report's queries can read; `docs/reports.md` describes their columns.
///
/// A table that the store also has contains the store's columns, except the learner's number, and further ones. All
/// tables are as of the report's instant. Their keys begin with the learner's id, so that their order depends on the
/// data and not on the order of arrival.
enum ReportTable: String, Sendable, CaseIterable {
    case learners, progress, daily, achievements
    case weekly
    case xpByDay = "xp_by_day"
    case streakDays = "streak_days"
    case reviewsByDay = "reviews_by_day"
    case words, sessions
    case reviews
    case reviewsByGrade = "reviews_by_grade"
    case needs
    case forgottenWords = "forgotten_words"
    case buckets
    case ruleVersions = "rule_versions"
    case weeks, days

    /// True if the table is too large for many learners.
    var isForOneLearner: Bool { [.words, .sessions, .reviews].contains(self) }

    /// The facts to gather for the table.
    var facts: FactSelection {
        switch self {
        case .progress, .daily, .buckets, .ruleVersions, .weeks, .days: []
        case .learners: .goal
        case .achievements: .unlockedDays
        case .weekly: .weekly
        case .xpByDay: .buckets
        case .streakDays: .streakDays
        case .reviewsByDay: .reviews
        case .words: .words
        case .sessions: .sessions
        case .reviews, .reviewsByGrade: .reviewLog
        case .needs: [.activeDays, .forgottenWords]
        case .forgottenWords: .forgottenWords
        }
    }

    /// True if the table is the same for all learners.
    var isShared: Bool { [.buckets, .ruleVersions, .weeks, .days].contains(self) }

    /// The columns with SQLite's types; those before the semicolon are the key.
    private var definition: String {
        switch self {
        case .learners:
            "learner TEXT; events INTEGER, display_name TEXT, cohort TEXT, native_language TEXT,"
                + " daily_goal_minutes INTEGER, daily_goal_set INTEGER, today TEXT, as_of TEXT"
        case .progress:
            "learner TEXT, language TEXT; \(fields(of: TrackNumbers.relation)), week_xp REAL,"
                + " words_due INTEGER, level_start_xp REAL, next_level_xp REAL, cefr_score REAL, cefr_start REAL,"
                + " cefr_next TEXT, cefr_next_start REAL, cefr_basis TEXT, desired_retention REAL"
        case .daily: "learner TEXT, language TEXT, day TEXT; \(fields(of: DayProjection.relation))"
        case .achievements:
            "learner TEXT, language TEXT, position INTEGER; achievement TEXT,"
                + " \(fields(of: AchievementProjection.relation)), name TEXT, description TEXT, category TEXT,"
                + " unlocked_day TEXT"
        case .weekly:
            "learner TEXT, language TEXT, week TEXT; xp REAL, level INTEGER, practice_ms INTEGER,"
                + " sessions INTEGER, successful_repairs INTEGER, help_given INTEGER, team_wins INTEGER,"
                + " words_known INTEGER, words_learned INTEGER, words_new INTEGER, words_learning INTEGER,"
                + " words_reviewing INTEGER, words_mastered INTEGER"
        case .xpByDay: "learner TEXT, language TEXT, day TEXT, bucket TEXT; xp REAL"
        case .streakDays: "learner TEXT, language TEXT, day TEXT; state TEXT, streak INTEGER"
        case .reviewsByDay:
            "learner TEXT, language TEXT, day TEXT, mastery INTEGER; reviews INTEGER,"
                + " correct INTEGER"
        case .words:
            "learner TEXT, language TEXT, word TEXT; name TEXT, text TEXT, translation TEXT,"
                + " part_of_speech TEXT, category TEXT, mastery INTEGER, bucket TEXT, reviews INTEGER,"
                + " correct INTEGER, interval_days INTEGER, ease_factor REAL, stability REAL, difficulty REAL,"
                + " next_review_at TEXT, next_review_day TEXT, learned INTEGER, due INTEGER"
        case .sessions:
            "learner TEXT, started_ms INTEGER, session TEXT; language TEXT, started_at TEXT,"
                + " ended_at TEXT, mode TEXT, scenario TEXT, partner TEXT, duration_ms INTEGER, lines INTEGER,"
                + " words INTEGER, new_words INTEGER, errors INTEGER, errors_corrected INTEGER, xp REAL"
        case .reviews:
            "learner TEXT, review INTEGER; language TEXT, word TEXT, reviewed_at TEXT, day TEXT,"
                + " hour INTEGER, mastery INTEGER, maturity TEXT, grade TEXT, grade_number INTEGER, correct INTEGER,"
                + " duration_ms INTEGER, interval_days INTEGER, days_since INTEGER, word_review INTEGER,"
                + " lapses INTEGER, recall REAL, log_loss REAL, interval_bin REAL, review_bin REAL, lapse_bin REAL"
        case .reviewsByGrade:
            "learner TEXT, language TEXT, maturity TEXT, grade TEXT; grade_number INTEGER,"
                + " reviews INTEGER, timed INTEGER, duration_ms INTEGER, predicted INTEGER, recall REAL, log_loss REAL"
        case .needs:
            "learner TEXT, language TEXT; need INTEGER, away INTEGER, behind INTEGER,"
                + " stuck INTEGER, streak_lost INTEGER, back INTEGER, days INTEGER, days_before INTEGER,"
                + " usual_days REAL, days_off INTEGER, stuck_words INTEGER"
        case .forgottenWords:
            "learner TEXT, language TEXT, word TEXT; name TEXT, translation TEXT,"
                + " reviews INTEGER, forgotten INTEGER, recalled INTEGER"
        case .buckets: "bucket TEXT; position INTEGER"
        case .ruleVersions: "version INTEGER; name TEXT, from_day TEXT"
        case .weeks: "week TEXT; name TEXT, last_day TEXT"
        case .days: "day TEXT; week TEXT, weekday INTEGER"
        }
    }

    /// The columns of the store's table, under the names of its view.
    private func fields(of relation: Relation) -> String {
        relation.fields.map { "\($0.shownAs) \($0.shownType)" }.joined(separator: ", ")
    }

    /// - Parameter isOfOne: true if the table will hold one learner alone. The learner's column is then the last of the
    ///   key: the order of rows is the same, and queries without a learner can use the key.
    func createStatement(isOfOne: Bool) -> String {
        let parts = definition.split(separator: ";")
        var key = parts[0].split(separator: ",").map { column in
            column.split(separator: " ")[0]
        }
        if isOfOne, key[0] == "learner" { key.append(key.removeFirst()) }
        return "CREATE TABLE \(rawValue)(\(parts[0]),\(parts[1]), PRIMARY KEY(\(key.joined(separator: ", "))))"
            + " WITHOUT ROWID"
    }

    /// The columns, in the order of ``createStatement(isOfOne:)``.
    var columns: [String] {
        definition.split { $0 == "," || $0 == ";" }.map { String($0.split(separator: " ")[0]) }
    }

    var insertStatement: String {
        // Ids that differ only in characters that SQLite cannot hold are one key; the first row is kept.
        "INSERT OR IGNORE INTO \(rawValue) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    }
}

extension Column {
    /// SQLite's type of the values of ``StoredRow/shownValues``.
    fileprivate var shownType: String {
        switch type {
        case .integer, .flag: "INTEGER"
        case .real: "REAL"
        case .text, .numbers, .instant, .day: "TEXT"
        }
    }
}
