// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore
import LaurelWire

/// A learner's entry in a list of many learners. It is read from the tables, so that the number of events does not
/// matter.
package struct ClassMember: Sendable, Identifiable {
    package let id: String
    package let displayName: String?
    package let cohort: String?
    package var level: Int
    package var xp: Int
    /// The XP of the week that contains the instant, by the learner's clock.
    package var weekXP = 0
    /// The streak at the instant by the learner's clock, the same as in `LearnerProgress`.
    package var streak: Int
    /// True if the streak ends at the end of today unless the learner practises.
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
            return try store.read { try members(language, at: Timestamp(milliseconds: date.milliseconds), $0) }
        }
    }

    /// The entries, read from the tables.
    private func members(
        _ language: String?,
        at instant: Timestamp,
        _ reader: any StoreReader
    ) throws -> [ClassMember] {
        var (members, weeks, places) = ([ClassMember](), [LocalDay](), [Int64: Int]())
        // Each clock is reused, because it caches time zones.
        var clocks = plan.versions.map(\.clock)
        try reader.forEachOverview(language: language) { record in
            let clock = TrackClock(record.numbers.timezone)
            let version = clock.version(at: record.lastEventAt.map { Timestamp(milliseconds: $0) } ?? instant, in: plan)
            let today = clock.localTime(of: instant, &clocks[version.index]).day
            places[record.learner.id] = members.count
            members.append(ClassMember(record, today: today))
            weeks.append(today.weekStart(firstWeekday: version.rules.calendar.weekStartsOn))
        }
        for week in Set(weeks) {
            let days = week...LocalDay(number: week.number + 6)
            try reader.forEachXP(language: language, days: days, cohort: nil) { learner, xp in
                guard let place = places[learner], weeks[place] == week else { return }
                members[place].weekXP = Int(whole: xp)
            }
        }
        try reader.forEachLanguage { learner, language in
            if let place = places[learner] { members[place].languages.append(language) }
        }
        for place in members.indices { members[place].languages.sort() }
        return members
    }

    /// The entries, folded from events. It is used for rules other than the tables'.
    private func foldedMembers(_ language: String?, _ date: Date) throws -> [ClassMember] {
        var members: [ClassMember] = []
        try forEachOverview { members.append(ClassMember($0, today: nil)) }
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

    /// The cohorts of learners, in the order of the given ids; nil for learners without a cohort, and for unknown
    /// learners.
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
    /// - Parameter today: the learner's local day; nil for the numbers as of the latest practice.
    fileprivate init(_ record: OverviewRecord, today: LocalDay?) {
        id = String(decoding: record.learner.subject, as: UTF8.self)
        (displayName, cohort) = (record.displayName, record.cohort)
        let numbers = record.numbers
        (level, xp, streak) = (numbers.level, Int(whole: numbers.xp), numbers.currentStreak)
        wordsLearned = numbers.counts.words.learned
        lastEventAt = record.lastEventAt.map(Date.init(milliseconds:))
        lastPracticeAt = numbers.lastPracticeAt.map(Date.init(milliseconds:))
        guard let today, let end = numbers.streakEnds else { return }
        if end < today { streak = 0 }
        isAtRisk = streak > 0 && end == today
    }
}
