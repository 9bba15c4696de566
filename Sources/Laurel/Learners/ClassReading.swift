// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
import LaurelProgress
import LaurelRules
package import LaurelStore
package import LaurelWire

/// A learner's entry in a list of many learners. It is read from the tables if possible, so that its cost does not grow
/// with the number of events.
package struct ClassMember: Sendable, Identifiable {
    package let id: String
    package let displayName: String?
    package let cohort: String?
    package let level: Int
    package let xp: Int
    /// The days of the chosen week and of the previous week, by the learner's clock. The list has fourteen days. It is
    /// empty if the learner lacks numbers on all of them.
    package fileprivate(set) var days: [DayTotals] = []
    /// The first day of the chosen week. `daysOfWeek` is the number of its days that have begun, 1…7.
    package let week: LocalDay
    package let daysOfWeek: Int
    /// The XP of the chosen week.
    package var weekXP: Int { Int(whole: days.dropFirst(7).reduce(0) { $0 + $1.xp }) }
    /// The XP of the previous week, up to the same day of the week.
    package var sameDaysXP: Int { Int(whole: days.prefix(daysOfWeek).reduce(0) { $0 + $1.xp }) }
    /// The streak at the instant by the learner's clock, the same as in `LearnerProgress`.
    package private(set) var streak: Int
    /// True if the streak ends at the end of today unless the learner practises.
    package private(set) var isAtRisk = false
    package let wordsLearned: Int
    package let lastEventAt: Date?
    package let lastPracticeAt: Date?
    /// The languages in byte order.
    package fileprivate(set) var languages: [String] = []
}

extension ProgressEngine {
    /// All learners as of an instant, in byte order of the ids. Learners without an event up to the instant are left
    /// out.
    /// - Parameters:
    ///   - language: nil for all learners and languages. Otherwise only learners with events in the language are
    ///     listed, with their numbers in that language.
    ///   - weeksAgo: the number of weeks before the week that contains the instant, by the learner's clock.
    /// - Complexity: O(learners), each with a week's days, if the store's progress is valid under the rules. Events
    ///   are read only for learners with events after the instant.
    package func classMembers(language: String? = nil, weeksAgo: Int = 0, at date: Date) throws(EngineError)
        -> [ClassMember]
    {
        try EngineError.translating {
            let (language, instant) = (language?.canonicalLanguageTag, Timestamp(milliseconds: date.milliseconds))
            let found = try store.read { reader in
                try holdsProgress(reader) ? entries(language, weeksAgo, at: instant, reader) : listed(reader)
            }
            return try found.compactMap { entry in
                switch entry {
                case .read(let member): member
                case .toFold(let learner): try member(learner, language, weeksAgo, at: instant)
                }
            }
        }
    }

    /// An entry of the list: a learner read from the tables, or a learner to fold.
    private enum ClassEntry {
        case read(ClassMember)
        /// The tables do not show the learner as of the instant. They include later events, or were computed under
        /// other rules.
        case toFold(LearnerRecord)
    }

    /// All learners, without their numbers, for rules under which the tables were not computed.
    private func listed(_ reader: any StoreReader) throws -> [ClassEntry] {
        var entries: [ClassEntry] = []
        try reader.forEachOverview { entries.append(.toFold($0.learner)) }
        return entries
    }

    /// The entries in the tables. The tables show each learner as of the latest event.
    private func entries(
        _ language: String?,
        _ weeksAgo: Int,
        at instant: Timestamp,
        _ reader: any StoreReader
    ) throws -> [ClassEntry] {
        let late = Set(try reader.learners(where: .eventsAfter(instant.milliseconds)))
        var (entries, members, weeks, indexes) = ([ClassEntry](), [ClassMember](), [LocalDay](), [Int64: Int]())
        // Each clock is reused, because it caches time zones.
        var clocks = plan.versions.map(\.clock)
        try reader.forEachOverview(language: language) { record in
            entries.append(.toFold(record.learner))
            guard !late.contains(record.learner.id) else { return }
            let clock = TrackClock(record.numbers.timezone)
            let version = clock.version(at: record.lastEventAt.map { Timestamp(milliseconds: $0) } ?? instant, in: plan)
            let today = clock.localTime(of: instant, &clocks[version.index]).day
            indexes[record.learner.id] = members.count
            let present = today.weekStart(firstWeekday: version.rules.calendar.weekStartsOn)
            let member = ClassMember(record, today: today, present: present, weeksAgo)
            members.append(member)
            weeks.append(member.week)
        }
        if let first = weeks.min(), let last = weeks.max() {
            let days = LocalDay(number: first.number - 7)...LocalDay(number: last.number + 6)
            try reader.forEachDay(language: language, days: days, cohort: nil) { learner, day, totals in
                if let index = indexes[learner] { members[index].add(totals, on: day) }
            }
        }
        try addLanguages(to: &members, indexes, reader)
        return entries.map { entry in
            guard case .toFold(let learner) = entry, let index = indexes[learner.id] else { return entry }
            return .read(members[index])
        }
    }

    /// - Parameter indexes: for each learner's number in the store, the learner's index in `members`.
    private func addLanguages(
        to members: inout [ClassMember],
        _ indexes: [Int64: Int],
        _ reader: any StoreReader
    ) throws {
        try reader.forEachLanguage { learner, language in
            if let index = indexes[learner] { members[index].languages.append(language) }
        }
        for index in members.indices { members[index].languages.sort() }
    }

    /// A learner's entry, folded from events; nil without an event up to the instant.
    private func member(
        _ learner: LearnerRecord,
        _ language: String?,
        _ weeksAgo: Int,
        at instant: Timestamp
    ) throws -> ClassMember? {
        let subject = String(decoding: learner.subject, as: UTF8.self)
        return try withState(of: subject, at: instant) { state, plan in
            let reader = ProgressReader(plan: plan)
            guard state.position != nil,
                let progress = reader.progress(state, subject: subject, language: language, at: instant),
                let week = reader.week(of: instant, state, language: language)
            else { return nil }
            var record = OverviewRecord(learner: learner)
            (record.displayName, record.cohort) = (progress.displayName, state.cohort)
            record.numbers = progress.numbers
            var member = ClassMember(record, today: week.today, present: week.start, weeksAgo)
            for day in week.days { member.add(DayTotals(day), on: day.day) }
            member.languages = reader.languages(state)
            return member
        } ?? nil
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
    fileprivate mutating func add(_ totals: DayTotals, on day: LocalDay) {
        let place = Int(day.number - week.number) + 7
        guard (0..<14).contains(place) else { return }
        if days.isEmpty { days = Array(repeating: DayTotals(), count: 14) }
        days[place] += totals
    }

    /// - Parameters:
    ///   - today: the learner's local day.
    ///   - present: the first day of its week.
    fileprivate init(_ record: OverviewRecord, today: LocalDay, present: LocalDay, _ weeksAgo: Int) {
        week = LocalDay(number: present.number - Int32(7 * weeksAgo))
        daysOfWeek = weeksAgo == 0 ? Int(today.number - present.number) + 1 : 7
        id = String(decoding: record.learner.subject, as: UTF8.self)
        (displayName, cohort) = (record.displayName, record.cohort)
        let numbers = record.numbers
        (level, xp, streak) = (numbers.level, Int(whole: numbers.xp), numbers.currentStreak)
        wordsLearned = numbers.counts.words.learned
        lastEventAt = record.lastEventAt.map(Date.init(milliseconds:))
        lastPracticeAt = numbers.lastPracticeAt.map(Date.init(milliseconds:))
        if let end = numbers.streakEnds, end < today { streak = 0 }
        isAtRisk = numbers.isAtRisk(on: today)
    }
}
