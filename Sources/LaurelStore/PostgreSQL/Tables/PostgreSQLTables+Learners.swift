// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension PostgreSQLTables {
    func learners(_ names: LearnerNames) throws -> [LearnerRecord?] {
        switch names {
        case .subjects(let subjects): try learners(named: subjects)
        case .ids(let ids): try learners(ids)
        }
    }

    func learners(where condition: LearnerCondition) throws -> [Int64] {
        switch condition {
        case .eventsAfter(let instant):
            return try numbers(EventSQL.learnersWithEventsAfter, [.integer(instant)] + allBounds)
        case .snapshotOrProgress(let achievements):
            let names = Parameter.stored(achievements.map { Array($0.utf8) })
            return try numbers(DerivedSQL.learnersWithSnapshotOrProgress, [.integer(row.edition)] + allBounds + [names])
        case .changedBesideShadow: return try numbers(ShadowSQL.changedLearners, allBounds)
        }
    }

    private func learners(named subjects: [[UInt8]]) throws -> [LearnerRecord?] {
        guard !subjects.isEmpty else { return [] }
        var records = [LearnerRecord?](repeating: nil, count: subjects.count)
        for row in try rows(LearnerSQL.named, [.integers(subjects.map(partition)), .stored(subjects)]) {
            let place = try self.place(row, of: subjects.count)
            let record = LearnerRecord(
                id: row.integer(1),
                subject: subjects[place],
                eventCount: try amount(row, 2)
            )
            records[place] = record
            learnersRead.insert(record)
        }
        return records
    }

    private func learners(_ ids: [Int64]) throws -> [LearnerRecord?] {
        var records = ids.map { learnersRead[$0] }
        let unknown = ids.indices.filter { records[$0] == nil }
        guard !unknown.isEmpty else { return records }
        if unknown.count == 1, ids[unknown[0]] < .max - LearnerRowCache.readAhead {
            // Whoever is decoding a block asks for one after the other.
            if learnersRead.isTimeToReadAhead() {
                let id = ids[unknown[0]]
                let bounds: [Parameter] = [.integer(id), .integer(id + LearnerRowCache.readAhead)]
                for row in try rows(LearnerSQL.range, bounds) { learnersRead.insert(try record(row)) }
                return ids.map { learnersRead[$0] ?? nil }
            }
        }
        for row in try rows(LearnerSQL.byID, [.integers(unknown.map { ids[$0] })]) {
            let place = unknown[try self.place(row, of: unknown.count)]
            let record = LearnerRecord(id: ids[place], subject: row.text(1), eventCount: try amount(row, 2))
            records[place] = record
            learnersRead.insert(record)
        }
        return records
    }

    /// Of what was asked for, as the first column says.
    func place(_ row: Row, of count: Int) throws -> Int {
        let place = Int(row.integer(0)) - 1
        guard 0..<count ~= place else { throw damage("an answer to what was not asked") }
        return place
    }

    func addLearners(_ subjects: [[UInt8]]) throws -> [Int64] {
        for subject in subjects { try expectOwn(subject) }
        let ids = subjects.indices.map { row.lastLearner + 1 + Int64($0) }
        guard let last = ids.last else { return [] }
        row.lastLearner = last
        try send(LearnerSQL.add, [.integers(ids), .stored(subjects)])
        return ids
    }

    func learnerRanges() throws -> [ClosedRange<Int64>] {
        try rows(LearnerSQL.firstAndLast, allBounds).map { row in
            let (first, last) = (row.integer(0), row.integer(1))
            guard 0 < first, first <= last, last < .max else { throw damage("learners \(first) to \(last)") }
            return first...last
        }
    }

    func learnerIDs(in ids: Range<Int64>, limit: Int) throws -> [Int64] {
        try numbers(LearnerSQL.ids, [.integer(ids.lowerBound), .integer(ids.upperBound), .count(limit)])
    }

    func forEachLearner(_ ids: Range<Int64>, _ body: (LearnerRecord) throws -> Bool) throws {
        try forEachRowUntil(LearnerSQL.range, [.integer(ids.lowerBound), .integer(ids.upperBound)]) { row in
            try body(record(row))
        }
    }

    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws {
        try forEachRow(LearnerSQL.all, []) { row in try body(record(row)) }
    }

    private func record(_ row: Row) throws -> LearnerRecord {
        LearnerRecord(id: row.integer(0), subject: row.text(1), eventCount: try amount(row, 2))
    }

    func count(_ added: [CountedEvents], commit: Int64) throws {
        try expectOwn(added.lazy.map(\.learner))
        let learners = Parameter.integers(added.lazy.map(\.learner))
        if added.count == 1, !isMerging {
            try send(LearnerSQL.countOne, [.integer(added[0].learner), .count(added[0].events), .integer(commit)])
        } else {
            let (events, commits) = (added.lazy.map { Int64($0.events) }, added.lazy.map { _ in commit })
            try send(LearnerSQL.count, [learners, .integers(events), .integers(commits)])
        }
        for learner in added { learnersRead.add(learner.events, to: learner.learner) }
        if row.builtEdition > 0 { try send(ShadowSQL.noteLearners, [learners]) }
    }

    func lastChange(of subject: [UInt8]) throws -> (commit: Int64, recent: [UInt8]?)? {
        let partition = partition(of: subject)
        let (learners, logs) = try rows(
            (LearnerSQL.changeOfOne, [.integer(partition), .stored(subject)]),
            (RecordSQL.recentChangesOfOne, [.integer(partition)])
        )
        guard let learner = learners.first, !learner.isNull(0) else { return nil }
        // What a partition that is held has is in memory.
        let isHeld = partitions.count == 1 && partition == partitions.lowerBound
        let stored = logs.first.flatMap { $0.isNull(0) ? nil : $0.array(0) }
        return (learner.integer(0), isHeld ? row.recentChanges : stored)
    }

    func lastChanges() throws -> [Int64] { try numbers(LearnerSQL.lastChanges, bounds) }

    func learners(changedAfter commits: [Int64], limit: Int) throws -> [LearnerRecord] {
        try rows(LearnerSQL.changedAfter, [bounds[0], .integers(commits), .count(limit)]).map(record)
    }

    func deleteLearner(_ id: Int64) throws -> Int {
        if row.builtEdition > 0 { try send(ShadowSQL.noteLearners, [.integers([id])]) }
        hasWritten = true
        learnersRead.remove(id)
        var inTail = 0
        for row in try rows(LearnerSQL.delete, [.count(Partition.of(learner: id)), .integer(id)]) {
            switch row.string(0) {
            case "events": inTail = try amount(row, 1)
            case "language": bereftNames.languages.insert(row.integer(1))
            default: bereftNames.achievements.insert(row.integer(1))
            }
        }
        return inTail
    }

    /// What is left is done when the transaction has ended: see ``PostgreSQLStore``.
    func leaveNoTrace() throws {
        (row.isErasurePending, hasErased) = (true, true)
        try send(JobSQL.forgetNames, [])
        try send(TransactionSQL.noteErasure, [.text("\(partitions.lowerBound)"), .integer(found.version + 1)])
    }
}

/// Learners that a transaction has read, or some of them: the same few are asked for by number again and again. All sessions of the
/// transaction share it, for what one has read another may write.
final class LearnerRowCache {
    private var records: [Int64: LearnerRecord] = [:]

    /// Bounds the memory.
    private static let most = 4096

    /// So many ids are read at once when single ones are asked for again and again.
    static let readAhead: Int64 = 256
    private static let singlesBefore = 2
    private var singles = 0

    subscript(id: Int64) -> LearnerRecord? { records[id] }

    func isTimeToReadAhead() -> Bool {
        singles += 1
        return singles > Self.singlesBefore
    }

    func insert(_ record: LearnerRecord) {
        if records.count >= Self.most { records.removeAll(keepingCapacity: true) }
        records[record.id] = record
    }

    func add(_ events: Int, to id: Int64) { records[id]?.eventCount += events }
    func remove(_ id: Int64) { records[id] = nil }
}
