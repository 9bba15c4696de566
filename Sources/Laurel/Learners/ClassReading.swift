// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelProgress
import LaurelStore
import LaurelWire

/// A learner's entry in a list of many, read from the tables, so that the number of events does not matter.
package struct ClassMember: Sendable, Identifiable {
    package let id: String
    package let displayName: String?
    package let cohort: String?
    package var level: Int
    package var xp: Int
    /// The XP of the week that contains the instant.
    package var weekXP = 0
    /// The streak at the instant by the rules' clock. `LearnerProgress` has the streak by the learner's own clock.
    package var streak: Int
    /// True if the streak ends tonight unless the learner practises.
    package var isAtRisk = false
    package var wordsLearned: Int
    package let lastEventAt: Date?
    package let lastPracticeAt: Date?
    /// The languages in byte order.
    package var languages: [String] = []
}

extension ProgressEngine {
    /// All learners as of an instant, in byte order of the ids.
    /// - Parameter language: nil for all learners; otherwise only learners with events in the language, and their
    ///   numbers there.
    /// - Complexity: O(learners), each with a week's days; no event is read if the store's progress is valid under the
    ///   rules.
    package func classMembers(language: String? = nil, at date: Date) throws(EngineError) -> [ClassMember] {
        try EngineError.translating {
            let language = language?.canonicalLanguageTag
            guard try store.read({ try holdsProgress($0) }) else { return try foldedMembers(language, date) }
            let today = localDay(of: Timestamp(milliseconds: date.milliseconds))
            let week = weekStart(today)
            let schedule = plan.version(on: today).streakTerms
            return try store.read { reader in
                var weekXP: [Int64: Double] = [:]
                let days = week...LocalDay(number: week.number + 6)
                try reader.forEachXP(language: language, days: days, cohort: nil) { weekXP[$0] = $1 }
                var languages: [Int64: [String]] = [:]
                try reader.forEachLanguage { languages[$0, default: []].append($1) }
                var members: [ClassMember] = []
                try reader.forEachOverview(language: language) { record in
                    var member = ClassMember(record)
                    member.weekXP = Int(whole: weekXP[record.learner.id] ?? 0)
                    member.languages = languages[record.learner.id]?.sorted() ?? []
                    member.readStreak(record, today, schedule)
                    members.append(member)
                }
                return members
            }
        }
    }

    /// The entries, folded from events, for rules other than the tables'.
    private func foldedMembers(_ language: String?, _ date: Date) throws -> [ClassMember] {
        var members: [ClassMember] = []
        try forEachOverview { members.append(ClassMember($0)) }
        return try members.compactMap { member in
            guard let progress = try learner(member.id, timeZone: nil).progress(language: language, at: date) else {
                return nil
            }
            var member = member
            (member.level, member.xp, member.weekXP) = (progress.currentLevel, progress.totalXP, progress.weeklyXP)
            (member.streak, member.wordsLearned) = (progress.currentStreak, progress.totalWordsLearned)
            return member
        }
    }

    /// The cohorts of learners, in the order of the ids; nil for learners without a cohort, and for unknown learners.
    /// - Complexity: O(ids · log learners).
    package func cohorts(of ids: [String]) throws(EngineError) -> [String?] {
        guard !ids.isEmpty else { return [] }
        return try EngineError.translating {
            try store.read { reader in
                try ids.map { id in
                    guard let learner = try reader.learner(named: Array(id.utf8)) else { return nil }
                    return try reader.overview(of: learner.id)?.cohort
                }
            }
        }
    }

    /// A stored event as JSON; nil if there is no event with that identity.
    /// - Complexity: O(events of the learner).
    package func event(_ id: String, from source: String, of learner: String) throws(EngineError) -> [UInt8]? {
        try EngineError.translating {
            try store.read { reader in
                guard let record = try reader.learner(named: Array(learner.utf8)) else { return nil }
                let (wanted, origin) = (Array(id.utf8), Array(source.utf8))
                for run in try reader.events(of: record.id) {
                    for row in run.rows where run.table.identifier(row) == wanted {
                        guard run.table.texts[run.table.source[row]].elementsEqual(origin) else { continue }
                        var bytes: [UInt8] = []
                        run.table.encode(row, subject: record.subject, into: &bytes)
                        return bytes
                    }
                }
                return nil
            }
        }
    }
}

extension ClassMember {
    fileprivate init(_ record: OverviewRecord) {
        id = String(decoding: record.learner.subject, as: UTF8.self)
        (displayName, cohort) = (record.displayName, record.cohort)
        let numbers = record.numbers
        (level, xp, streak) = (numbers.level, Int(whole: numbers.xp), numbers.currentStreak)
        wordsLearned = numbers.counts.words.learned
        lastEventAt = record.lastEventAt.map(Date.init(milliseconds:))
        lastPracticeAt = record.numbers.lastPracticeAt.map(Date.init(milliseconds:))
    }

    /// Computes the streak as of today. The days since the last active day use up freezes, or end the streak.
    fileprivate mutating func readStreak(_ record: OverviewRecord, _ today: LocalDay, _ schedule: StreakSchedule) {
        guard let latest = record.numbers.lastActivityDay else { return }
        var value = StreakValue()
        (value.current, value.freezes) = (record.numbers.currentStreak, record.numbers.streakFreezes)
        var known = Streak(latest: latest, value: value)
        streak = known.value(at: today, schedule).current
        let tomorrow = LocalDay(number: today.number + 1)
        isAtRisk = streak > 0 && latest < today && known.value(at: tomorrow, schedule).current < streak
    }
}
