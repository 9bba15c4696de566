// SPDX-License-Identifier: Apache-2.0

extension SQLiteTables {
    private static let columns = "subject, target, named_subject, named_target, ms"

    /// True if the file has the table. A file of an older format is only read, and has no merges.
    private func hasMerges() throws -> Bool { try format() == Schema.version }

    func merges(of subjects: [[UInt8]]) throws -> [MergeRecord] {
        guard try hasMerges() else { return [] }
        let sql = "SELECT \(Self.columns) FROM merges WHERE subject = ?"
        return try subjects.compactMap { try row(sql, .text($0), row: record) }
    }

    func merges(into subjects: [[UInt8]]) throws -> [MergeRecord] {
        guard try hasMerges() else { return [] }
        let sql = "SELECT \(Self.columns) FROM merges WHERE target = ?"
        return try subjects.flatMap { try rows(sql, .text($0), row: record) }.sorted(by: MergeRecord.isBefore)
    }

    func forEachMerge(_ body: (MergeRecord) throws -> Void) throws {
        guard try hasMerges() else { return }
        let rows = try connection.newStatement("SELECT \(Self.columns) FROM merges ORDER BY ms, subject")
        while try rows.step() { try body(record(rows)) }
    }

    func insert(_ merge: MergeRecord) throws {
        try connection.run(
            "INSERT INTO merges(\(Self.columns)) VALUES (?, ?, ?, ?, ?)",
            .text(merge.subject),
            .text(merge.target),
            .text(merge.named.subject),
            .text(merge.named.target),
            .integer(merge.milliseconds)
        )
    }

    func deleteMerge(of subject: [UInt8]) throws {
        try connection.run("DELETE FROM merges WHERE subject = ?", .text(subject))
    }

    private func record(_ row: Statement) throws -> MergeRecord {
        MergeRecord(
            row.array(0),
            into: row.array(1),
            named: (row.array(2), row.array(3)),
            at: try row.instant(4)
        )
    }
}
