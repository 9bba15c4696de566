// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

/// Writes facts into the tables that a report reads.
struct TableFiller {
    let database: ReportDatabase
    let tables: Set<ReportTable>
    let period: ReportPeriod
    let plan: FoldPlan
    let texts: TextTable
    /// The locale of the rules' texts, such as `de_AT`.
    let locale: String

    private var rules: RuleSet { plan.latest.rules }

    /// The buckets of every version of the rules, the latest version's first, because a learner may have XP in any of
    /// them.
    private var buckets: [String] {
        var met: Set<[UInt8]> = []
        return plan.versions.reversed().flatMap(\.buckets).filter { met.insert(Array($0.utf8)).inserted }
    }

    /// Empties the tables of learners, and fills the tables that all learners share if they are still empty.
    func begin() throws {
        let isFirst = try database.empty()
        if isFirst { try fillShared() }
    }

    private func fillShared() throws {
        for (place, bucket) in buckets.enumerated() where tables.contains(.buckets) {
            try insert(.buckets, [.string(bucket), .count(place + 1)])
        }
        for (place, version) in plan.versions.enumerated() where tables.contains(.ruleVersions) {
            let from = Value.optional(version.from?.description)
            try insert(.ruleVersions, [.count(place + 1), .string(version.rules.name), from])
        }
        let firstWeekday = rules.calendar.weekStartsOn
        for week in period.weekStarts where tables.contains(.weeks) {
            let last = LocalDay(number: week.number + 6)
            try insert(.weeks, [.day(week), .string(week.weekName(firstWeekday: firstWeekday)), .day(last)])
        }
        guard tables.contains(.days) else { return }
        for number in period.firstDay.number...period.lastDay.number {
            let day = LocalDay(number: number)
            try insert(.days, [.day(day), .day(day.weekStart(firstWeekday: firstWeekday)), .count(day.weekday)])
        }
    }

    func add(_ facts: LearnerFacts) throws {
        let learner = Value.string(facts.learner)
        if tables.contains(.learners) {
            try insert(
                .learners,
                [learner, .count(facts.storedEvents), .optional(facts.displayName), .optional(facts.cohort)]
                    + [.optional(facts.nativeLanguage), .count(facts.dailyGoalMinutes)]
                    + [.count(facts.hasSetGoal ? 1 : 0), .day(facts.today), .string("\(facts.asOf)")]
            )
        }
        for track in facts.tracks {
            let key = [learner, .string(track.projection.language ?? "*")]
            if tables.contains(.needs) { try add(LearnerNeeds(facts, track, period), key) }
            if tables.contains(.progress) { try addProgress(track, facts, key) }
            try addDays(track, key)
            if tables.contains(.weekly) { try addWeeks(track, key) }
            if tables.contains(.achievements) { try addAchievements(track, key) }
        }
        for word in facts.words where tables.contains(.words) { try add(word, facts) }
        for word in facts.forgottenWords where tables.contains(.forgottenWords) {
            let name = WordName.of(word.id, text: word.text, language: word.language)
            try insert(
                .forgottenWords,
                [learner, .string(word.language ?? ""), .string(word.id), .string(name)]
                    + [.optional(word.translation), .count(word.reviews), .count(word.forgotten)]
                    + [.count(word.isRecalled ? 1 : 0)]
            )
        }
        for session in facts.sessions where tables.contains(.sessions) { try add(session, learner) }
        try addReviews(facts, learner)
    }

    func insert(_ table: ReportTable, _ values: [Value]) throws {
        try database.insert(into: table, values)
    }

    private func add(_ needs: LearnerNeeds, _ key: [Value]) throws {
        let flags = LearnerNeeds.Reason.allCases.map { Value.count(needs.reasons.contains($0) ? 1 : 0) }
        try insert(
            .needs,
            key + [needs.first.map { .count($0.rawValue) } ?? .null] + flags
                + [.count(needs.days), .count(needs.daysBefore), .optional(needs.usualDays)]
                + [needs.daysOff.map(Value.count) ?? .null, .count(needs.stuckWords)]
        )
    }

    private func addProgress(_ track: TrackFacts, _ facts: LearnerFacts, _ key: [Value]) throws {
        let numbers = track.projection.numbers
        // Without events there is no first day.
        var values =
            key
            + zip(TrackNumbers.relation.fields, numbers.shownValues).map { column, value in
                numbers.counts.events == 0 && column.type == .instant ? .null : value
            }
        values += [.real(track.weekXP), .count(track.progress.wordsDueForReview)]
        values += [.real(track.levelStart), .optional(track.nextLevelStart)]
        let estimate = track.estimate
        values += [.optional(estimate?.score), .optional(estimate?.start)]
        values += [.optional(estimate?.next?.band), .optional(estimate?.next?.start)]
        values.append(
            .optional(
                estimate == nil
                    ? nil : rules.cefr?.score.spoken({ texts.text(IdentifierTitle.phrase($0)) }, in: texts.text)
            )
        )
        values.append(.optional(facts.desiredRetention))
        try insert(.progress, values)
    }

    private func addDays(_ track: TrackFacts, _ key: [Value]) throws {
        for day in track.projection.days where tables.contains(.daily) {
            try insert(.daily, key + [.day(day.day)] + day.shownValues)
        }
        for entry in track.xp where tables.contains(.xpByDay) {
            try insert(.xpByDay, key + [.day(entry.day), .string(entry.bucket), .real(entry.xp)])
        }
        for day in track.streakDays where tables.contains(.streakDays) {
            try insert(.streakDays, key + [.day(day.day), .string(day.kind.rawValue), .count(day.streak)])
        }
        for count in track.reviews where tables.contains(.reviewsByDay) {
            let counts = [count.reviews, count.correct].map(Value.count)
            try insert(.reviewsByDay, key + [.day(count.day), .count(count.mastery)] + counts)
        }
    }

    private func addWeeks(_ track: TrackFacts, _ key: [Value]) throws {
        for (week, totals) in track.weekly {
            var values = key + [.day(week), .real(totals.xp), .count(rules.levels.level(for: totals.xp))]
            let (counts, words) = (totals.counts, totals.counts.words)
            values += [.integer(counts.practiceMilliseconds), .count(counts.sessions)]
            values += [counts.successfulRepairs, counts.helpGiven, counts.teamWins].map(Value.count)
            values += [words.known, words.learned, words.new, words.learning].map(Value.count)
            try insert(.weekly, values + [words.reviewing, words.mastered].map(Value.count))
        }
    }

    private func addAchievements(_ track: TrackFacts, _ key: [Value]) throws {
        let rulesByID = Dictionary(rules.achievements.map { ($0.id, $0) }) { first, _ in first }
        for (position, achievement) in track.progress.achievements.enumerated() {
            guard let rule = rulesByID[achievement.id] else { continue }
            let day = achievement.tier > 0 ? track.unlockedDays[achievement.id] : nil
            try insert(
                .achievements,
                key + [.count(position), .string(achievement.id)] + AchievementProjection(achievement).shownValues
                    + [.string(rule.names.text(for: locale)), .string(rule.descriptions.text(for: locale))]
                    + [.optional(rule.category), .optional(day?.description)]
            )
        }
    }

    private func add(_ word: Word, _ facts: LearnerFacts) throws {
        var values: [Value] = [
            .string(facts.learner), .string(word.language ?? ""), .string(word.id),
            .string(WordName.of(word.id, text: word.text, language: word.language)),
        ]
        values += [word.text, word.translation, word.partOfSpeech, word.category].map(Value.optional)
        values += [
            .count(word.mastery), .string(word.bucket.rawValue), .count(word.reviews), .count(word.correctReviews),
        ]
        values += [.count(word.intervalDays)]
        values += [word.easeFactor, word.stability, word.difficulty].map(Value.optional)
        values += [
            .instant(word.nextReviewAt),
            .day(facts.day(of: word.nextReviewAt.milliseconds, dayStart: plan.clock.dayStart)),
        ]
        try insert(.words, values + [.count(word.isLearned ? 1 : 0), .count(word.isDue ? 1 : 0)])
    }

    private func add(_ session: SessionReport, _ learner: Value) throws {
        var values = [learner, .integer(session.startedAt.milliseconds), .string(session.id)]
        values += [.optional(session.language), .instant(session.startedAt), .instant(session.endedAt)]
        values += [session.mode, session.scenario, session.partner].map(Value.optional)
        values += [
            session.durationMs.map(Value.count) ?? .null, .count(session.linesSpoken), .count(session.wordsEncountered),
        ]
        values += [session.newVocabulary, session.errorsDetected, session.errorsCorrected].map(Value.count)
        try insert(.sessions, values + [.real(Double(session.xpEarned))])
    }
}

extension Value {
    static func day(_ day: LocalDay) -> Value { .string(day.description) }
    static func instant(_ milliseconds: Int64?) -> Value { .optional(milliseconds.map(Timestamp.utc)) }
    static func instant(_ date: Date?) -> Value { instant(date?.milliseconds) }
    static func optional(_ number: Double?) -> Value { number.map(Value.real) ?? .null }
}

/// The name that people give a word: its text. If no event gave one, the id without its leading language.
enum WordName {
    static func of(_ id: String, text: String?, language: String?) -> String {
        if let text, !text.isEmpty { return text }
        guard let language, !language.isEmpty, id.utf8.starts(with: language.utf8) else { return id }
        let rest = id.utf8.dropFirst(language.utf8.count)
        guard let separator = rest.first, "-_:./".utf8.contains(separator), rest.count > 1 else { return id }
        return String(rest.dropFirst()) ?? id
    }
}
