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
            return try numbers(EventSQL.learnersWithEventsAfter, [.integer(instant)] + bounds)
        case .snapshotOrProgress(let achievements):
            let names = Parameter.stored(achievements.map { Array($0.utf8) })
            return try numbers(DerivedSQL.learnersWithSnapshotOrProgress, [.integer(edition)] + bounds + [names])
        case .offLeaderboards: return try numbers(AllLearnersSQL.offLeaderboards, bounds)
        case .mayBeIn(let group): return try numbers(AllLearnersSQL.mayBeInGroup, bounds + [.stored(group)])
        case .changedBesideShadow: return try numbers(ShadowSQL.changedLearners, bounds)
        }
    }

    private func learners(named subjects: [[UInt8]]) throws -> [LearnerRecord?] {
        var records = [LearnerRecord?](repeating: nil, count: subjects.count)
        let asked = TableRows(subjects, width: 2) { subject, row in
            row.append(partition(of: subject))
            row.append(bytes: subject)
        }
        try forEachRow(.learnersNamed, asked) { index, row in
            let record = LearnerRecord(id: row.integer(1), subject: subjects[index], eventCount: try amount(row, 2))
            records[index] = record
            learnersRead.insert(record)
        }
        return records
    }

    private func learners(_ ids: [Int64]) throws -> [LearnerRecord?] {
        var records = ids.map { learnersRead[$0] }
        let unknown = ids.indices.filter { records[$0] == nil }
        if unknown.count == 1, ids[unknown[0]] < .max - LearnerRowCache.readAhead {
            // A block's decoder requests one learner after another, so further learners are read ahead.
            if learnersRead.isTimeToReadAhead() {
                let id = ids[unknown[0]]
                try forEachLearner(id..<id + LearnerRowCache.readAhead) { record in
                    learnersRead.insert(record)
                    return true
                }
                return ids.map { learnersRead[$0] ?? nil }
            }
        }
        try forEachRow(.learners, TableRows(unknown.map { ids[$0] })) { index, row in
            let index = unknown[index]
            let record = LearnerRecord(id: ids[index], subject: row.text(1), eventCount: try amount(row, 2))
            records[index] = record
            learnersRead.insert(record)
        }
        return records
    }

    func addLearners(_ subjects: [[UInt8]]) throws -> [Int64] {
        let ids = try subjects.map { subject in
            try change(Int(partition(of: subject))) { held in
                held.row.lastLearner += 1
                return held.row.lastLearner
            }
        }
        let rows = TableRows(zip(ids, subjects), width: 2) { new, row in
            row.append(new.0)
            row.append(bytes: new.1)
        }
        try send(.addLearners, rows)
        return ids
    }

    func learnerRanges() throws -> [ClosedRange<Int64>] {
        try rows(LearnerSQL.firstAndLast, bounds).map { row in
            let (first, last) = (row.integer(0), row.integer(1))
            guard 0 < first, first <= last, last < .max else { throw damage("learners \(first) to \(last)") }
            return first...last
        }
    }

    func learnerIDs(in ids: Range<Int64>, limit: Int) throws -> [Int64] {
        try shares(ids).reduce(into: []) { found, share in
            guard found.count < limit else { return }
            found += try numbers(LearnerSQL.ids, parameters(share) + [.count(limit - found.count)])
        }
    }

    private func shares(_ ids: Range<Int64>) -> [(partition: Int64, ids: ClosedRange<Int64>)] {
        ids.isEmpty ? [] : shares(ids.lowerBound...ids.upperBound - 1)
    }

    private func parameters(_ share: (partition: Int64, ids: ClosedRange<Int64>)) -> [Parameter] {
        [.integer(share.partition), .integer(share.ids.lowerBound), .integer(share.ids.upperBound)]
    }

    func forEachLearner(_ ids: Range<Int64>, _ body: (LearnerRecord) throws -> Bool) throws {
        var goesOn = true
        for share in shares(ids) where goesOn {
            try forEachRowUntil(LearnerSQL.range, parameters(share)) { row in
                goesOn = try body(record(row))
                return goesOn
            }
        }
    }

    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws {
        try forEachRow(LearnerSQL.all, []) { row in try body(record(row)) }
    }

    private func record(_ row: Row) throws -> LearnerRecord {
        LearnerRecord(id: row.integer(0), subject: row.text(1), eventCount: try amount(row, 2))
    }

    func count(_ added: [CountedEvents]) throws {
        let rows = TableRows(added, width: 3) { learner, row in
            row.append(learner.learner)
            row.append(learner.events)
            row.append(learner.commit)
        }
        try send(.countEvents, rows)
        for learner in added { learnersRead.add(learner.events, to: learner.learner) }
        if builtEdition > 0 { try send(.noteChanged, TableRows(added.map(\.learner))) }
    }

    func lastChange(of subject: [UInt8]) throws -> (commit: Int64, recent: [UInt8]?)? {
        let found = try rows(LearnerSQL.changeOfOne, [.integer(partition(of: subject)), .stored(subject)])
        return found.first.map { ($0.integer(0), $0.isNull(1) ? nil : $0.array(1)) }
    }

    func lastChanges(of partitions: [Int]) throws -> [Int64] {
        try found(.lastChanges, TableRows(partitions.map(Int64.init))).map { $0.row.integer(1) }
    }

    func learners(changedAfter commits: [Int64], limit: Int) throws -> [LearnerRecord] {
        try rows(LearnerSQL.changedAfter, [.integers(commits), .count(limit)]).map(record)
    }

    func deleteLearner(_ id: Int64, keepsNames: Bool) throws -> Int {
        let partition = Partition.of(learner: id)
        if builtEdition > 0 { try send(.noteChanged, TableRows([id])) }
        try change(partition) { $0.hasWritten = true }
        learnersRead.remove(id)
        var inTail = 0
        for row in try rows(LearnerSQL.delete, [.count(partition), .integer(id)]) {
            switch row.string(0) {
            case "events": inTail = try amount(row, 1)
            case _ where keepsNames: break
            case "language": unreferencedNames.languages.insert(row.integer(1))
            default: unreferencedNames.achievements.insert(row.integer(1))
            }
        }
        return inTail
    }

    /// Marks the partition's erasure as pending. ``PostgreSQLStore`` finishes the erasure after the transaction.
    func deleteSecurely(in partition: Int) throws {
        let version = try change(partition) { held in
            (held.row.isErasurePending, held.hasErased) = (true, true)
            return held.found.version + 1
        }
        try send(JobSQL.forgetNames, [], of: partition)
        try send(
            TransactionSQL.noteErasure,
            [TransactionSQL.erasureName(Int64(partition)), .integer(version)],
            of: partition
        )
    }
}

/// A cache of learners that the transaction has read. The same few ids are requested again and again.
final class LearnerRowCache {
    private var records: [Int64: LearnerRecord] = [:]

    /// The maximum number of cached learners.
    private static let most = 4096

    /// The number of ids that are read at once after several requests for single ids.
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
