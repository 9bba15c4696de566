// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelResults
import LaurelStore
public import LaurelWire

/// The order of a list of learners.
public enum LearnerOrder: String, Sendable, Hashable, CaseIterable {
    /// Sorted by id, in byte order.
    case id
    /// Sorted by the number, the largest first. Learners with equal numbers are sorted by id.
    case level, xp, streak, words, events
    /// Sorted by the latest practice, the latest first.
    case recent
}

/// Queries about many learners.
extension ProgressEngine {
    /// The ids of all learners, in byte order.
    public func learnerIDs() throws(EngineError) -> [String] {
        try EngineError.translating {
            var ids: [String] = []
            try store.read { try $0.forEachLearner { ids.append(String(decoding: $0.subject, as: UTF8.self)) } }
            return ids
        }
    }

    /// A learner to query. The learner need not have events yet.
    /// - Parameters:
    ///   - id: the learner's id, the `subject` of events.
    ///   - timeZone: decides which day is today; nil for the clock of the learner's events.
    ///   - locale: the reader's locale, such as `de_AT`, for names of achievements; nil for English.
    public func learner(
        _ id: String,
        timeZone: Foundation.TimeZone? = .autoupdatingCurrent,
        locale: String? = nil
    ) -> Learner {
        Learner(id: id, timeZone: timeZone, locale: locale, engine: self)
    }

    /// Learners with their main numbers, such as XP and streak.
    /// - Parameters:
    ///   - cohort: only learners whose latest `learner.updated` has this cohort.
    ///   - order: the order of the list.
    ///   - id: the last id of the previous page; nil for the first page.
    ///   - limit: the maximum number of learners; nil for all.
    ///   - date: the instant to answer as of; nil for each learner's latest practice.
    /// - Throws: ``EngineError`` of code ``EngineError/Code/invalidRequest`` if `id` is an unknown learner and the
    ///   order is not by id.
    /// - Complexity: for a limit up to 1024 and the order by id, O(limit). Otherwise O(learners), with memory for
    ///   twice the limit or 2048 learners. With a date, or under other rules than the store's, the events of these
    ///   learners are also folded.
    public func learners(
        cohort: String? = nil,
        order: LearnerOrder = .id,
        after id: String? = nil,
        limit: Int? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> [LearnerOverview] {
        try EngineError.translating {
            let limit = max(limit ?? .max, 0)
            if order == .id, limit <= Self.widestPage { return try page(of: cohort, after: id, limit, at: date) }
            let isAfterCursor = try id.map { try successors(of: $0, in: order, at: date) }
            var learners: [LearnerOverview] = []
            func cut() {
                if order != .id { learners.sort { order.puts($0, before: $1) } }
                learners.removeLast(max(learners.count - limit, 0))
            }
            try forEachLearner(at: date) { learner in
                guard learner.isOf(cohort), isAfterCursor?(learner) ?? true else { return }
                learners.append(learner)
                // The list is cut repeatedly, so that memory depends on the limit, not on the number of learners.
                if learners.count / 2 > max(limit, Self.widestPage) { cut() }
            }
            cut()
            return learners
        }
    }

    /// Returns a function that selects learners after a given learner in an order. It compares the learners' numbers as
    /// of now.
    private func successors(
        of id: String,
        in order: LearnerOrder,
        at date: Date?
    ) throws -> (LearnerOverview) -> Bool {
        guard order != .id else { return { id.utf8.lexicographicallyPrecedes($0.id.utf8) } }
        let instant = date.map { Timestamp(milliseconds: $0.milliseconds) }
        let known = try store.read { try $0.learner(named: Array(id.utf8))?.id }
        guard let known, let record = try overviews(.learner(known), at: instant).first else {
            throw EngineError(
                .invalidRequest,
                "“\(id.prefix(64))”, after whom the list is to go on, is not in it any more"
            )
        }
        let last = LearnerOverview(record)
        return { order.puts(last, before: $0) }
    }

    /// The maximum number of learners that are read one after another. For a larger page, learners are folded on all
    /// cores.
    private static var widestPage: Int { 1024 }

    private func page(of cohort: String?, after id: String?, _ limit: Int, at date: Date?) throws -> [LearnerOverview] {
        let instant = date.map { Timestamp(milliseconds: $0.milliseconds) }
        var (found, last) = ([LearnerOverview](), Array((id ?? "").utf8))
        while found.count < limit {
            let size = cohort == nil ? limit : Self.widestPage
            let read = try overviews(.page(after: last, limit: size), at: instant)
            found += read.lazy.map { LearnerOverview($0) }.filter { $0.isOf(cohort) }.prefix(limit - found.count)
            guard let next = read.last?.learner.subject else { break }
            last = next
        }
        return found
    }

    /// Calls `body` with every learner's main numbers, in byte order of the ids, in bounded memory.
    /// - Parameters:
    ///   - date: the instant to answer as of; nil for each learner's latest practice.
    ///   - body: called with each learner's numbers, on the calling thread; an error that it throws ends the call.
    /// - Throws: ``EngineError``, and the error of `body`.
    public func forEachLearner(at date: Date?, _ body: (LearnerOverview) throws -> Void) throws {
        try EngineError.passing {
            let instant = date.map { Timestamp(milliseconds: $0.milliseconds) }
            try forEachOverview(at: instant) { try body(LearnerOverview($0)) }
        }
    }

    /// Learners by XP. Two kinds of learners are not listed: those without XP, and those whose latest
    /// `learner.updated` with the field `leaderboard` has the value false.
    /// - Parameters:
    ///   - period: a week, or all time.
    ///   - language: nil for all languages together.
    ///   - cohort: only learners whose latest `learner.updated` has this cohort.
    ///   - part: the rows to return.
    ///   - date: the instant up to which events count; nil for now.
    /// - Returns: nil if `part` names an unknown learner. A known learner without XP gives no rows.
    /// - Complexity: O(learners). The events of two kinds of learners are also read: those with events after the
    ///   date, and those with equal XP among the rows. O(events), on all cores, under other rules than the store's.
    public func leaderboard(
        _ period: LeaderboardPeriod,
        language: String? = nil,
        cohort: String? = nil,
        part: LeaderboardPart = .top(nil),
        at date: Date? = nil
    ) throws(EngineError) -> Leaderboard? {
        try EngineError.translating {
            let day: LocalDay? =
                switch period {
                case .week(let day): day
                case .allTime: nil
                }
            var request = LeaderboardRequest(week: day, instant: Timestamp(date ?? Date(), in: nil))
            (request.language, request.cohort, request.part) = (language, cohort, part)
            return try leaderboard(request)
        }
    }

    /// The first day of the week that a text names: `this`, `last`, a date in the week, or ISO 8601 (`2026-W06`, if
    /// weeks start on Monday).
    /// - Parameters:
    ///   - name: the text, such as `2026-W06`, a date in the week, `this` or `last`.
    ///   - date: the instant for `this` and `last`; nil for now.
    ///   - learner: the learner whose clock decides; nil for the rules' clock.
    ///   - timeZone: the zone that decides which day it is; nil for the clock of the learner's events, or the rules'
    ///     clock.
    /// - Throws: ``EngineError`` of code ``EngineError/Code/invalidRequest`` if the text names no week.
    public func week(
        named name: String,
        at date: Date? = nil,
        for learner: String? = nil,
        timeZone: Foundation.TimeZone? = nil
    ) throws(EngineError) -> LocalDay {
        try EngineError.translating {
            do {
                return try week(named: name, at: Timestamp(date ?? Date(), in: timeZone), for: learner)
            } catch let error as WeekNameError {
                throw EngineError(.invalidRequest, error.description)
            }
        }
    }

    /// The first day of the week that contains an instant.
    /// - Parameters:
    ///   - date: the instant.
    ///   - learner: the learner whose clock decides; nil for the rules' clock.
    ///   - timeZone: the zone that decides which day it is; nil for the clock of the learner's events, or the rules'
    ///     clock.
    public func week(
        of date: Date,
        for learner: String? = nil,
        timeZone: Foundation.TimeZone? = nil
    ) throws(EngineError) -> LocalDay {
        try EngineError.translating { try week(of: Timestamp(date, in: timeZone), for: learner) }
    }

    /// The name of the week that contains a day: `2026-W06` if weeks start on Monday, otherwise its first date.
    public func weekName(of day: LocalDay) -> String { weekName(day) }
}

extension LearnerOverview {
    fileprivate func isOf(_ wanted: String?) -> Bool {
        wanted.map { cohort?.utf8.elementsEqual($0.utf8) == true } ?? true
    }
}

extension LearnerOrder {
    fileprivate func puts(_ one: LearnerOverview, before other: LearnerOverview) -> Bool {
        let isEarlier = one.id.utf8.lexicographicallyPrecedes(other.id.utf8)
        func most<Number: Comparable>(_ number: (LearnerOverview) -> Number) -> Bool {
            let (mine, its) = (number(one), number(other))
            return mine != its ? mine > its : isEarlier
        }
        return switch self {
        case .id: isEarlier
        case .level: most(\.currentLevel)
        case .xp: most(\.totalXP)
        case .streak: most(\.currentStreak)
        case .words: most(\.totalWordsLearned)
        case .events: most(\.events)
        case .recent: most { $0.lastPracticeAt ?? .distantPast }
        }
    }
}
