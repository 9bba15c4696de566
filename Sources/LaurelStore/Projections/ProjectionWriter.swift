// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress

/// Writes learners' projections and snapshots into one set of derived tables: the stored ones or a shadow.
final class ProjectionWriter {
    private unowned let session: StoreSession
    private let tables: any PartitionTables
    private let target: DerivedTarget
    private var profiles = StoredProfiles()
    /// True if the tables were emptied. Then all learners are written again.
    private var wasEmptied = false
    /// A batch for one learner's rows.
    private let batch = PreparedProjections()
    private var rows = DailyRows()

    init(_ target: DerivedTarget, _ session: StoreSession) {
        (self.target, self.session, tables) = (target, session, session.tables)
    }

    /// Must be called when the tables were emptied.
    func didEmpty() {
        for part in session.parts { (part.lastWritten[target], part.lastSnapshot[target]) = (.min, .min) }
        wasEmptied = true
        profiles.forget()
    }

    /// Must be called when a transaction begins.
    func didBegin() { wasEmptied = false }

    /// Must be called when other processes may have written.
    func forgetRows() { wasEmptied = false }

    func write(
        _ projection: LearnerProjection,
        of learner: Int64,
        days: ReplacedDays,
        _ names: inout NameCodes
    ) throws {
        batch.removeAll()
        batch.append(projection, days: days, of: learner)
        try write(batch, &names)
    }

    /// Writes a batch. Writing is fastest if learners are in ascending order.
    func write(_ batch: PreparedProjections, _ names: inout NameCodes) throws {
        guard !batch.learners.isEmpty else { return }
        let codes = try fillIn(batch, &names)
        var changes = DerivedChanges()
        changes.deletedAchievements = batch.outdatedAchievements.map {
            ($0.learner, codes[$0.language], Int64($0.position))
        }
        let parts = try session.byPartition(batch.learners.map(\.id), \.self).map(\.part)
        try findLast(\.lastWritten, .progress, of: parts)
        let last = Dictionary(parts.map { ($0.partition, $0.lastWritten[target]!) }) { first, _ in first }
        func mayHaveRows(_ id: Int64) throws -> Bool { id <= last[try session.part(of: id).partition]! }
        let replaced = try batch.learners.indices.filter {
            try batch.learners[$0].old == nil && mayHaveRows(batch.learners[$0].id)
        }
        var stored = try RowsBeforeUpdate(replaced.map { batch.learners[$0] }, self)
        var unchanged: Set<Int> = []
        changes.areNew = true
        // Pointers are used, because copying a learner would cost almost as much as its days do.
        try batch.learners.withUnsafeBufferPointer { learners in
            for learner in learners.indices.map({ learners.baseAddress! + $0 }) {
                let (id, isKnown) = (learner.pointee.id, learner.pointee.old != nil)
                rows.take(batch, learner.pointee.tracks, codes)
                let replaces = try !isKnown && mayHaveRows(id)
                try writeProfile(of: learner, isNext: wasEmptied && !replaces, into: &changes)
                if let old = learner.pointee.old {
                    try replace(DailyRows(of: old, &names, tables), of: id, &changes)
                } else if replaces {
                    changes.deletedProgress.append(id)
                    unchanged.formUnion(try stored.replace(learner.pointee, of: batch, &rows, &changes))
                }
                rows.append(to: &changes.days, id)
                if isKnown || replaces { changes.areNew = false } else { try note(id, \.lastWritten) }
            }
        }
        changes.groups = batch.groups
        changes.progress = batch.progress
        changes.achievements = unchanged.isEmpty ? batch.achievements : batch.achievements.without(unchanged)
        try tables.write(changes, in: target)
    }

    // MARK: The last learners

    private typealias LastLearners = ReferenceWritableKeyPath<PartitionState, [DerivedTarget: Int64]>

    /// Looks up the last learner who has rows in the tables, for each partition whose last learner is not cached.
    private func findLast(_ last: LastLearners, _ kind: DerivedKind, of parts: [PartitionState]) throws {
        let unknown = parts.filter { $0[keyPath: last][target] == nil }
        guard !unknown.isEmpty else { return }
        let found = try tables.lastLearners(with: kind, of: unknown.map(\.partition), in: target)
        for (part, learner) in zip(unknown, found) { part[keyPath: last][target] = learner ?? .min }
    }

    /// Records that a learner has rows now. Does nothing if the last learner of the partition is not cached.
    private func note(_ learner: Int64, _ last: LastLearners) throws {
        let part = try session.part(of: learner)
        if let known = part[keyPath: last][target] { part[keyPath: last][target] = max(known, learner) }
    }

    /// Replaces names by their codes.
    /// - Returns: the codes of the languages, by their indexes.
    private func fillIn(_ batch: PreparedProjections, _ names: inout NameCodes) throws -> [Int64] {
        let languages = try [0] + names.codes(of: Array(batch.languages.dropFirst()), in: .languages, tables)
        let achievements = try names.codes(of: batch.achievementIDs, in: .achievements, tables)
        batch.progress.replace(column: 1) { languages[Int($0)] }
        batch.achievements.replace(column: 1) { languages[Int($0)] }
        batch.achievements.replace(column: 3) { achievements[Int($0)] }
        return languages
    }

    /// Writes a learner's profile, unless it is stored unchanged.
    /// - Parameter isNext: true if all learners are written in ascending order. Only then is the stored profile read.
    private func writeProfile(
        of learner: UnsafePointer<PreparedProjections.Learner>,
        isNext: Bool,
        into changes: inout DerivedChanges
    ) throws {
        guard target == .stored, let profile = learner.pointee.profile else { return }
        if isNext, try profiles.has(profile, learner.pointee.id, tables) { return }
        changes.profiles.append((learner.pointee.id, profile))
    }

    /// Leaves out rows of days that are stored unchanged. Deletes rows that no longer exist.
    /// - Parameter old: the stored rows of some days.
    private func replace(_ old: DailyRows, of learner: Int64, _ changes: inout DerivedChanges) {
        for day in rows.days where !old.has(day) { changes.deletedDays.append((learner, day)) }
        for (day, language) in rows.remove(old) { changes.deletedDayRows.append((learner, day, language)) }
    }

    /// Writes snapshots and checkpoints.
    func write(_ states: [StoredFoldState]) throws {
        guard !states.isEmpty else { return }
        try tables.write(states, in: target)
        for state in states where state.key.point == nil { try note(state.key.learner, \.lastSnapshot) }
    }

    func removeSnapshot(of learner: Int64) throws {
        let part = try session.part(of: learner)
        try findLast(\.lastSnapshot, .snapshot, of: [part])
        if learner <= part.lastSnapshot[target]! { try tables.deleteSnapshots(of: [learner], in: target) }
    }

    /// The stored rows of learners whose rows are replaced, in ascending order of learners. In a replay, most rows are
    /// unchanged and need not be written.
    private struct RowsBeforeUpdate {
        /// The store's name, for errors.
        private let store: String
        private var achievements = TableRows.achievements
        private var days = TableRows.days
        private var cursors = (achievements: 0, days: 0)

        init(_ learners: [PreparedProjections.Learner], _ writer: ProjectionWriter) throws {
            store = writer.tables.name
            guard !learners.isEmpty else { return }
            let withDays = learners.filter { $0.days == .all }.map(\.id)
            var wanted: [(table: DerivedTable, learners: [Int64])] = [(.achievements, learners.map(\.id))]
            if !withDays.isEmpty { wanted.append((.days, withDays)) }
            let rows = try writer.tables.rows(wanted, in: writer.target)
            achievements = rows[0]
            if !withDays.isEmpty { days = rows[1] }
        }

        /// Leaves out rows of days that are stored unchanged. Deletes rows that no longer exist.
        /// - Returns: the indexes of achievements' rows that are stored unchanged.
        mutating func replace(
            _ learner: PreparedProjections.Learner,
            of batch: PreparedProjections,
            _ rows: inout DailyRows,
            _ changes: inout DerivedChanges
        ) throws -> [Int] {
            let (unchanged, outdated) = StoredAchievements.compare(
                batch.achievements,
                at: learner.achievements,
                with: achievements,
                at: RowsBeforeUpdate.next(learner.id, in: achievements, &cursors.achievements)
            )
            for key in outdated { changes.deletedAchievements.append((learner.id, key.language, key.position)) }
            switch learner.days {
            case .all:
                let range = RowsBeforeUpdate.next(learner.id, in: days, &cursors.days)
                do {
                    for (day, language) in try rows.remove(days, at: range) {
                        changes.deletedDayRows.append((learner.id, day, language))
                    }
                } catch {
                    throw error.ofProgress(of: learner.id, in: store)
                }
            case .listed:
                for day in rows.days { changes.deletedDays.append((learner.id, day)) }
            }
            return unchanged
        }

        private static func next(_ learner: Int64, in rows: TableRows, _ row: inout Int) -> Range<Int> {
            let first = row
            while row < rows.count, rows.integer(row, 0) == learner { row += 1 }
            return first..<row
        }
    }
}
