// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelEvents
import LaurelProgress
public import LaurelResults
import LaurelStore
import LaurelWire

extension ProgressEngine {
    /// All participants of a session, including those without XP, sorted by the XP that they got in the session.
    /// Learners with equal XP are sorted by the time at which they reached it, then by id. Learners who are left out of
    /// leaderboards are not listed.
    /// - Parameters:
    ///   - id: the session's id.
    ///   - language: only learners whose part of the session is in this language.
    ///   - cohort: only learners whose latest `learner.updated` has this cohort.
    ///   - part: the rows to return.
    ///   - date: the instant to answer as of; nil for now.
    /// - Returns: nil if `part` names an unknown learner.
    /// - Complexity: O(events) of the store, on all cores, but only the column of sessions is decoded; plus the fold of
    ///   the participants.
    public func leaderboard(
        ofSession id: String,
        language: String? = nil,
        cohort: String? = nil,
        part: LeaderboardPart = .top(nil),
        at date: Date? = nil
    ) throws(EngineError) -> SessionLeaderboard? {
        try EngineError.translating {
            let instant = Timestamp(date ?? Date(), in: nil)
            var rows = try store.readTogether { state in
                let plan = try state.read { try self.plan(for: $0) }
                return try SessionSearch(state: state, plan: plan, session: id, instant: instant.milliseconds).rows()
            }
            rows.removeAll { row in
                cohort.map { row.cohort?.utf8.elementsEqual($0.utf8) != true } ?? false
                    || language.map { row.language != $0.canonicalLanguageTag } ?? false
            }
            rows.sort(by: SessionLeaderboard.Row.precedes)
            for position in rows.indices {
                let isEqual = position > 0 && rows[position].xp == rows[position - 1].xp
                rows[position].rank = isEqual ? rows[position - 1].rank : position + 1
            }
            switch part {
            case .top(let limit):
                return SessionLeaderboard(participants: rows.count, rows: Array(rows.prefix(limit ?? .max)))
            case .around(let learner, let count):
                guard try store.read({ try $0.learner(named: Array(learner.utf8)) }) != nil else { return nil }
                return SessionLeaderboard(participants: rows.count, rows: rows.neighbours(of: learner, count))
            }
        }
    }
}

extension SessionLeaderboard.Row {
    fileprivate static func precedes(_ one: Self, _ other: Self) -> Bool {
        if one.xp != other.xp { return one.xp > other.xp }
        let (reached, otherReached) = (one.reachedAt ?? .distantFuture, other.reachedAt ?? .distantFuture)
        if reached != otherReached { return reached < otherReached }
        return one.learner.utf8.lexicographicallyPrecedes(other.learner.utf8)
    }
}

extension [SessionLeaderboard.Row] {
    /// The given number of rows around a learner; empty if the learner did not take part.
    fileprivate func neighbours(of learner: String, _ wanted: Int) -> [SessionLeaderboard.Row] {
        guard let position = firstIndex(where: { $0.learner.utf8.elementsEqual(learner.utf8) }) else { return [] }
        let length = Swift.min(wanted, count)
        let first = Swift.min(Swift.max(0, position - (length - 1) / 2), count - length)
        return Array(self[first..<first + length])
    }
}

/// Finds the learners with events in a session, and folds their events.
private struct SessionSearch: Sendable {
    let state: any StoreState
    let plan: FoldPlan
    let session: String
    let instant: Int64

    /// The number of learners per share. It is small enough to keep all cores busy to the end.
    private static let share = 256

    func rows() throws -> [SessionLeaderboard.Row] {
        let shares = try state.read { try $0.learnerShares(of: SessionSearch.share) }
        var found: [SessionLeaderboard.Row] = []
        try shares.mapInParallel {
            try rows($0)
        } receive: {
            found += $0
        }
        return found
    }

    private func rows(_ ids: Range<Int64>) throws -> [SessionLeaderboard.Row] {
        try state.read { reader in
            var found: [LearnerRecord] = []
            try reader.forEachLearner(ids: ids, fields: .none) { learner, runs in
                if runs.contains(where: hasSession) { found.append(learner) }
            }
            return try found.compactMap { try row($0, reader) }
        }
    }

    private func hasSession(_ run: EventRun) -> Bool {
        let table = run.table
        return run.rows.contains { row in
            table.session[row] != 0 && table.milliseconds[row] <= instant
                && table.texts[table.session[row]].elementsEqual(session.utf8)
        }
    }

    private func row(_ learner: LearnerRecord, _ reader: any StoreReader) throws -> SessionLeaderboard.Row? {
        let folder = LearnerFolder(plan: plan)
        let collector = SessionCollector(plan: plan, leavingOutFlagged: true)
        folder.fold.observer = collector
        folder.refold(try reader.events(of: learner.id, since: nil, until: instant, fields: .all), until: instant)
        guard folder.state.isOnLeaderboards else { return nil }
        let sessions = collector.records().filter { $0.id.utf8.elementsEqual(session.utf8) }
        guard let latest = sessions.first else { return nil }
        var row = SessionLeaderboard.Row(rank: 0, learner: String(decoding: learner.subject, as: UTF8.self), latest)
        (row.displayName, row.cohort) = (folder.state.displayName, folder.state.cohort)
        return row
    }
}
