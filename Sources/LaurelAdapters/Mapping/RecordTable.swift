// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The records of a text source, in a table that can be queried.
///
///     record(number, line, value, kind, original)
///
/// `number` counts the records. `line` is the line in which the record starts. `value` is the record's JSON. `kind` is
/// its kind in the mapping. `original` is the record as it is in the file, if the file is not JSON.
struct RecordTable {
    static let schema = """
        CREATE TABLE record(number INTEGER PRIMARY KEY, line INTEGER, value TEXT, kind TEXT, original TEXT);
        CREATE INDEX record_kind ON record(kind);
        """

    let database: SourceDatabase
    private let insert: SourceStatement
    private(set) var count = 0
    private(set) var bytes = 0

    /// - Parameter kind: SQL on `record.value` that gives the kind; nil if records have no kind.
    init(kind: String?) throws(SQLError) {
        database = try SourceDatabase(path: nil)
        try database.execute(Self.schema)
        insert = try database.prepare(
            """
            INSERT INTO main.record(line, value, kind, original)
            SELECT record.line, record.value, \(kind ?? "NULL"), ?3 FROM (SELECT ?1 AS line, ?2 AS value) AS record
            """
        )
    }

    /// - Parameters:
    ///   - value: the record, one JSON value.
    ///   - original: the record as it is in the file; nil if that is the same text.
    mutating func add(
        line: Int,
        _ value: some Collection<UInt8>,
        original: ArraySlice<UInt8>? = nil
    ) throws(SQLError) {
        insert.bind(1, Int64(line))
        insert.bind(2, value)
        if let original { insert.bind(3, original) }
        _ = try insert.step()
        count += 1
        bytes += value.count
    }

    mutating func removeAll() throws(SQLError) {
        try database.execute("DELETE FROM record")
        (count, bytes) = (0, 0)
    }

    /// All records with their lines and kinds, in order.
    func all() throws(SQLError) -> [(line: Int, value: [UInt8], kind: String?)] {
        let statement = try database.prepare("SELECT line, value, kind FROM record ORDER BY number")
        var records: [(line: Int, value: [UInt8], kind: String?)] = []
        while try statement.step() {
            let kind = statement.value(2).bytes.map { String(decoding: $0, as: UTF8.self) }
            records.append((Int(statement.value(0).number ?? 0), statement.value(1).bytes ?? [], kind))
        }
        return records
    }

    /// The kinds of records that are not in `named`, with the number of records of each.
    func kinds(besides named: [String]) throws(SQLError) -> [(kind: String, count: Int)] {
        let list = named.map(MappingLoader.quoted).joined(separator: ", ")
        let statement = try database.prepare(
            """
            SELECT coalesce(kind, 'without a kind'), count(*) FROM record
            WHERE kind IS NULL OR kind NOT IN (\(list)) GROUP BY 1 ORDER BY 1
            """
        )
        var kinds: [(kind: String, count: Int)] = []
        while try statement.step() {
            let kind = String(decoding: statement.value(0).bytes ?? [], as: UTF8.self)
            kinds.append((kind, Int(statement.value(1).number ?? 0)))
        }
        return kinds
    }
}
