// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension PostgreSQLTables {
    func merges(of subjects: [[UInt8]]) throws -> [MergeRecord] {
        let asked = TableRows(subjects, width: 2) { subject, row in
            row.append(partition(of: subject))
            row.append(bytes: subject)
        }
        return try found(.merges, asked).map { try record($0.row, from: 1) }
    }

    func merges(into subjects: [[UInt8]]) throws -> [MergeRecord] {
        subjects.isEmpty ? [] : try rows(MergeSQL.into, [.stored(subjects)]).map { try record($0) }
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

    /// - Parameter first: the column of the merged id.
    private func record(_ row: Row, from first: Int = 0) throws -> MergeRecord {
        let texts = (first..<first + 4).map(row.text)
        return MergeRecord(texts[0], into: texts[1], named: (texts[2], texts[3]), at: try instant(row, first + 4))
    }
}
