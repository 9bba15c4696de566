// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import LaurelWire

/// The query of the list of all learners.
struct ClassQuery: Sendable {
    enum Order: String, CaseIterable, Sendable {
        case name, level, week, streak, recent, risk, away

        /// True if the usual order is ascending. Names are usually sorted from A to Z, and numbers from the highest to
        /// the lowest.
        var isAscending: Bool { self == .name }
    }

    var search: String?
    var cohort: String?
    var language: String?
    var order = Order.name
    /// True for the reverse of the usual order.
    var isReversed = false
    /// The only group of learners to list, by their latest practice; nil for all.
    var group: PracticeGroup?
    /// The week whose numbers are listed: the number of weeks before the present one.
    var weeksAgo = 0
    /// The reason for attention. The list shows only learners who have this reason; nil for all learners.
    var need: LearnerNeed.Reason?
    /// A day of the listed week or of the week before. The list shows only learners who practised on this day; nil for
    /// all learners.
    var day: LocalDay?
    /// Days of the same two weeks. The list shows only learners who were active on at least one of these days; nil for
    /// all learners.
    var active: ClosedRange<LocalDay>?
    /// The number of the page, from 1.
    var page = 1
    /// The limit to the cohorts that the caller may see; nil for all learners.
    private let limit: CohortLimit?

    /// - Parameter caller: the caller, whose rights limit the list.
    init(for caller: Caller = .anyone) { limit = CohortLimit(caller) }

    static let pageSize = 100
}

/// A page of the list of learners.
struct ClassList: Sendable {
    let page: ListPage<ClassMember>
    /// The number of learners found, on all pages.
    let found: Int
    /// The number of all learners that the caller may see.
    let total: Int
    /// The number of learners who have not practised for a week or longer.
    let away: Int
    /// The cohorts that the reader can choose, in byte order.
    let cohorts: [String]
    let languages: [String]
    /// The number of learners of each group who match the query, if the query's own group is ignored.
    let groups: [PracticeGroup: Int]

    var rows: [ClassRow] { page.rows.map(ClassRow.init) }
}

/// A learner in the class list. Days and weeks are by the learner's clock.
struct ClassRow: Sendable, Codable {
    /// The learner's id.
    var learner: String
    /// Name that others see; null if no event gave one.
    var displayName: String?
    /// The learner's group, such as a class; null if no event gave one.
    var cohort: String?
    /// Languages of the learner's tracks.
    var languages: [String]
    /// Level, from 1.
    var currentLevel: Int
    /// XP of all time; negative if more XP was taken away than given.
    var totalXP: Int
    /// XP of the present week, by the learner's clock; negative if more XP was taken away than given.
    var weeklyXP: Int
    /// Streak in days as of now, by the learner's clock.
    var currentStreak: Int
    /// True if the streak ends tonight unless the learner practises.
    var atRisk: Bool
    /// Known words that count as learned.
    var totalWordsLearned: Int
    /// Time of the latest event that counts; null if there is no such event.
    var lastEventAt: Date?
    /// Time of the latest practice; null if the learner has never practised.
    var lastPracticeAt: Date?
}

extension ClassList {
    /// Reads a page.
    /// - Complexity: O(learners). The tables are read at most once per commit and minute.
    static func read(_ service: LaurelService, _ query: ClassQuery, at date: Date) throws -> ClassList {
        let entries = try query.visible(
            service.roster.entries(language: query.language, weeksAgo: query.weeksAgo, at: date)
        )
        var found = query.found(in: entries, at: date)
        let groups = Dictionary(grouping: found) { PracticeGroup($0, at: date) }
        if let group = query.group { found = groups[group] ?? [] }
        query.sort(&found)
        let members = entries.lazy.map(\.member)
        return ClassList(
            page: ListPage(query.page, of: found, size: ClassQuery.pageSize),
            found: found.count,
            total: entries.count,
            away: members.count { $0.weeksAway(at: date) > 0 },
            cohorts: Set(members.compactMap(\.cohort)).sorted(),
            languages: Set(members.flatMap(\.languages)).sorted(),
            groups: groups.mapValues(\.count)
        )
    }
}

extension ClassList {
    /// All learners that the caller of a query may see.
    static func members(_ service: LaurelService, _ query: ClassQuery, at date: Date) throws -> [ClassMember] {
        try query.visible(service.roster.entries(language: query.language, weeksAgo: query.weeksAgo, at: date)).map(
            \.member
        )
    }
}

extension ClassMember {
    /// Whole weeks since the latest practice; 0 for learners who never practised.
    func weeksAway(at date: Date) -> Int {
        lastPracticeAt.map { max(0, Int(date.timeIntervalSince($0) / 604_800)) } ?? 0
    }
}

extension ClassRow {
    fileprivate init(_ member: ClassMember) {
        self.init(
            learner: member.id,
            displayName: member.displayName,
            cohort: member.cohort,
            languages: member.languages,
            currentLevel: member.level,
            totalXP: member.xp,
            weeklyXP: member.weekXP,
            currentStreak: member.streak,
            atRisk: member.isAtRisk,
            totalWordsLearned: member.wordsLearned,
            lastEventAt: member.lastEventAt,
            lastPracticeAt: member.lastPracticeAt
        )
    }
}

extension ClassQuery {
    fileprivate func visible(_ entries: [RosterEntry]) -> [RosterEntry] {
        guard let limit else { return entries }
        return entries.filter { limit.admits($0.member.cohort) }
    }

    /// The learners who match the query, in the order of the entries. The query's group is ignored.
    fileprivate func found(in entries: [RosterEntry], at date: Date) -> [ClassMember] {
        let searched = search.map(RosterEntry.folded)
        return entries.lazy.filter { entry in searched.map(entry.contains) ?? true }.map(\.member)
            .filter { takes($0, at: date) }
    }

    private func takes(_ member: ClassMember, at date: Date) -> Bool {
        if let cohort, member.cohort.map({ !$0.utf8.elementsEqual(cohort.utf8) }) ?? true { return false }
        if let need, LearnerNeed(member, at: date)?.reason != need { return false }
        if let day, !member.practised(on: day) { return false }
        if let active, !member.isActive(in: active) { return false }
        if order == .risk { return member.isAtRisk }
        return order != .away || member.weeksAway(at: date) > 0
    }

    fileprivate func sort(_ members: inout [ClassMember]) {
        switch order {
        case .name: if isReversed { members.reverse() }
        case .level: sort(&members) { ($0.level, $0.xp) }
        case .week: sort(&members) { ($0.weekXP, 0) }
        case .streak, .risk: sort(&members) { ($0.streak, 0) }
        case .recent, .away: sort(&members) { (Int($0.lastPracticeAt?.milliseconds ?? .min), 0) }
        }
    }

    /// Sorts by a key. Learners with equal keys stay in their order.
    private func sort(_ members: inout [ClassMember], _ key: (ClassMember) -> (Int, Int)) {
        let keys = members.map(key)
        let isUp = isReversed
        let places = members.indices.sorted {
            keys[$0] != keys[$1] ? (keys[$0] < keys[$1]) == isUp : $0 < $1
        }
        members = places.map { members[$0] }
    }
}
