// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension PostgreSQLTables {
    func merges(of subjects: [[UInt8]]) throws -> [MergeRecord] {
        guard !subjects.isEmpty else { return [] }
        return try rows(MergeSQL.some, [.integers(subjects.map(partition)), .stored(subjects)]).map(record)
    }

    func merges(into subjects: [[UInt8]]) throws -> [MergeRecord] {
        subjects.isEmpty ? [] : try rows(MergeSQL.into, [.stored(subjects)]).map(record)
    }

    func forEachMerge(_ body: (MergeRecord) throws -> Void) throws {
        try forEachRow(MergeSQL.all, []) { try body(record($0)) }
    }

    func insert(_ merge: MergeRecord) throws {
        let partition = Int(partition(of: merge.subject))
        let texts = [merge.subject, merge.target, merge.named.subject, merge.named.target]
        let parameters = [.count(partition)] + texts.map { Parameter.stored($0) } + [.integer(merge.milliseconds)]
        try send(MergeSQL.add, parameters, of: partition)
    }

    func deleteMerge(of subject: [UInt8]) throws {
        let partition = Int(partition(of: subject))
        try send(MergeSQL.delete, [.count(partition), .stored(subject)], of: partition)
    }

    private func record(_ row: Row) throws -> MergeRecord {
        MergeRecord(row.text(0), into: row.text(1), named: (row.text(2), row.text(3)), at: try instant(row, 4))
    }
}
