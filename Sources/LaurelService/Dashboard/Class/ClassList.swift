// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import Synchronization

/// The query of the list of all learners.
struct ClassQuery: Sendable {
    enum Order: String, CaseIterable, Sendable {
        case name, level, week, streak, recent, risk, away

        /// True if the usual order is ascending. Names usually begin with A, and numbers with the highest.
        var isAscending: Bool { self == .name }
    }

    var search: String?
    var cohort: String?
    var language: String?
    var order = Order.name
    /// True for the reverse of the usual order.
    var isReversed = false
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
        let members = query.visible(try service.roster.members(language: query.language, at: date))
        var found = members.filter { query.takes($0, at: date) }
        query.sort(&found)
        return ClassList(
            page: ListPage(query.page, of: found, size: ClassQuery.pageSize),
            found: found.count,
            total: members.count,
            away: members.count { $0.weeksAway(at: date) > 0 },
            cohorts: Set(members.compactMap(\.cohort)).sorted(),
            languages: Set(members.lazy.flatMap(\.languages)).sorted()
        )
    }
}

extension ClassMember {
    fileprivate func weeksAway(at date: Date) -> Int { ClassRow.weeksAway(since: lastPracticeAt, at: date) }
}

extension ClassRow {
    /// Whole weeks since the latest practice; 0 for learners who never practised.
    static func weeksAway(since practice: Date?, at date: Date) -> Int {
        practice.map { max(0, Int(date.timeIntervalSince($0) / 604_800)) } ?? 0
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
    fileprivate func visible(_ members: [ClassMember]) -> [ClassMember] {
        guard let limit else { return members }
        return members.filter { limit.admits($0.cohort) }
    }

    fileprivate func takes(_ member: ClassMember, at date: Date) -> Bool {
        if let cohort, member.cohort.map({ !$0.utf8.elementsEqual(cohort.utf8) }) ?? true { return false }
        if order == .risk, !member.isAtRisk { return false }
        if order == .away, member.weeksAway(at: date) == 0 { return false }
        guard let search else { return true }
        return [member.id, member.displayName ?? ""].contains {
            $0.range(of: search, options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]) != nil
        }
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

/// All learners as of the last commit. They are cached, so that a long list is not read again for each reader.
final class Roster: Sendable {
    private struct CachedMembers {
        var commit: CommitPosition
        var minute: Int64
        var members: [ClassMember]
    }

    private let engine: ProgressEngine
    /// The cached learners, by language. The empty text stands for all languages.
    private let cached = Mutex<[String: CachedMembers]>([:])
    private static let mostLanguages = 8

    init(_ engine: ProgressEngine) { self.engine = engine }

    /// The learners. The list is at most a minute old, because days and streaks end without a commit.
    func members(language: String?, at date: Date) throws -> [ClassMember] {
        let commit = try engine.changes(since: 0).commit
        let minute = date.milliseconds / 60_000
        if let cached = cached.withLock({ $0[language ?? ""] }), cached.commit == commit, cached.minute == minute {
            return cached.members
        }
        let members = try engine.classMembers(language: language, at: date)
        cached.withLock { cached in
            if cached.count > Self.mostLanguages { cached = [:] }
            cached[language ?? ""] = CachedMembers(commit: commit, minute: minute, members: members)
        }
        return members
    }
}
