// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelPostgreSQL

extension PostgreSQLTables {
    // MARK: Counters

    func counter(_ counter: Counter, of partition: Int?) throws -> Int64 {
        let number = counter.number
        let value: Int64
        if let partition {
            value = try self[partition][keyPath: number]
        } else {
            value = try rows(RecordSQL.sums, [])[0].integer(counter == .tailEvents ? 0 : 1) + uncounted(number)
        }
        guard value >= 0 else { throw damage("a count of \(value)") }
        return value
    }

    func setCounter(_ counter: Counter, of partition: Int, _ value: Int64) throws {
        try change(partition) { $0.row[keyPath: counter.number] = value }
    }

    /// The change of a counter in the rows that the transaction holds. The database gets this change later.
    func uncounted(_ number: KeyPath<PartitionRow, Int64>) -> Int64 {
        held.reduce(0) { $0 + $1.row[keyPath: number] - $1.found[keyPath: number] }
    }

    func foldVersion() throws -> Int64 { try number(RecordSQL.fold, []) ?? 0 }
    func setFoldVersion(_ version: Int64) throws { try send(RecordSQL.setFold, [.integer(version)]) }

    func recentChanges() throws -> [[UInt8]?] {
        try rows(RecordSQL.recentChanges, bounds).map { $0.isNull(0) ? nil : $0.array(0) }
    }

    func recentChanges(of partition: Int) throws -> [UInt8]? { try self[partition].recentChanges }

    func setRecentChanges(of partition: Int, _ bytes: [UInt8]) throws {
        try change(partition) { $0.row.recentChanges = bytes }
    }

    // MARK: Rules

    func rules() throws -> [RulesRecord] { try rows(RecordSQL.rules, []).map(record) }
    func rulesHistory() throws -> [RulesRecord] { try rows(RecordSQL.rulesHistory, []).map(record) }

    func rulesInForce() throws -> [(hash: String, from: LocalDay?)] {
        try rows(RecordSQL.rulesInForce, []).map { ($0.string(stored: 0), $0.day(1)) }
    }

    func insert(_ rules: RulesRecord) throws {
        let day = Parameter.integer(rules.from.map { Int64($0.number) })
        try send(RecordSQL.endRules, [day])
        try send(
            RecordSQL.addRules,
            [
                .count(rules.version), .stored(rules.hash), .stored(rules.name), .integer(rules.appliedAt),
                .stored(rules.source), day,
            ]
        )
    }

    func withdrawRules(from day: LocalDay) throws {
        try send(RecordSQL.withdrawRules, [.integer(Int64(day.number))])
    }

    private func record(_ row: Row) throws -> RulesRecord {
        RulesRecord(
            version: try amount(row, 0),
            hash: row.string(stored: 1),
            name: row.string(stored: 2),
            appliedAt: try instant(row, 3),
            source: row.text(4),
            from: row.day(5)
        )
    }

    // MARK: Settings

    func settings(
        prefix: String,
        before end: String?,
        limit: Int,
        side: RecordSide
    ) throws -> [(name: String, value: String)] {
        // U+10FFFF is the last character.
        let end = end ?? prefix + "\u{10FFFF}"
        let statement = side == .first ? RecordSQL.settings : .lastSettings
        return try rows(statement, [.stored(prefix), .stored(end), .count(limit)]).map {
            ($0.string(stored: 0), $0.string(stored: 1))
        }
    }

    func setSetting(_ name: String, _ value: String?) throws {
        guard let value else { return try send(RecordSQL.removeSetting, [.stored(name)]) }
        try send(RecordSQL.setSetting, [.stored(name), .stored(value)])
    }

    // MARK: Copies

    func forEachCopy(of learner: Int64?, _ body: (Int64, RememberedCopy) throws -> Void) throws {
        guard let learner else {
            return try forEachRow(RecordSQL.allCopies, bounds) { row in
                try body(row.integer(0), RememberedCopy(name: row.string(stored: 1), data: row.array(2)))
            }
        }
        try forEachRow(.copies, TableRows([learner])) { _, row in
            try body(learner, RememberedCopy(name: row.string(stored: 1), data: row.array(2)))
        }
    }

    func write(_ copies: [(name: String, data: [UInt8]?)], of learner: Int64) throws {
        func rows(_ width: Int, _ copies: [(name: String, data: [UInt8]?)]) -> TableRows {
            TableRows(copies, width: width) { copy, row in
                row.append(learner)
                row.append(copy.name)
                if let data = copy.data { row.append(bytes: data) }
            }
        }
        try send(.deleteCopies, rows(2, copies.filter { $0.data == nil }))
        try send(.writeCopies, rows(3, copies.filter { $0.data != nil }))
    }

    // MARK: Notes

    func forEachNote(of learner: Int64?, _ body: (Int64, NoteRecord) throws -> Void) throws {
        func visit(_ learner: Int64, _ row: Row) throws {
            let (id, author, text) = (row.string(stored: 1), row.string(stored: 3), row.string(stored: 4))
            try body(learner, NoteRecord(id: id, milliseconds: row.integer(2), author: author, text: text))
        }
        guard let learner else { return try forEachRow(RecordSQL.allNotes, bounds) { try visit($0.integer(0), $0) } }
        try forEachRow(.notes, TableRows([learner])) { try visit(learner, $1) }
    }

    func write(_ notes: [NoteRecord], of learner: Int64) throws {
        let rows = TableRows(notes, width: 5) { note, row in
            row.append(learner)
            row.append(note.id)
            row.append(note.milliseconds)
            row.append(note.author)
            row.append(note.text)
        }
        try send(.writeNotes, rows)
    }

    func deleteNotes(_ ids: [String], of learner: Int64) throws {
        let rows = TableRows(ids, width: 2) { id, row in
            row.append(learner)
            row.append(id)
        }
        try send(.deleteNotes, rows)
    }
}

extension Counter {
    /// The property of ``PartitionRow`` that stores this counter.
    fileprivate var number: WritableKeyPath<PartitionRow, Int64> {
        switch self {
        case .tailEvents: \.tailEvents
        case .tailSequence: \.tailSequence
        case .generation: \.generation
        case .quarantineBytes: \.quarantineBytes
        }
    }
}

extension Row {
    fileprivate func day(_ column: Int) -> LocalDay? {
        isNull(column) ? nil : LocalDay(number: Int32(truncatingIfNeeded: integer(column)))
    }
}
