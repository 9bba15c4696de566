// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelPostgreSQL

extension PostgreSQLTables {
    // MARK: Counters

    func counter(_ counter: Counter) throws -> Int64 {
        let value =
            switch counter {
            case .tailEvents where partitions.count > 1: try rows(RecordSQL.sums, [])[0].integer(0)
            case .quarantineBytes where partitions.count > 1: try rows(RecordSQL.sums, [])[0].integer(1)
            case .tailEvents: row.tailEvents
            case .tailSequence: row.tailSequence
            case .generation: row.generation
            case .quarantineBytes: row.quarantineBytes
            case .fold: try number(RecordSQL.fold, []) ?? 0
            }
        guard value >= 0 else { throw damage("a count of \(value)") }
        return value
    }

    func setCounter(_ counter: Counter, _ value: Int64) throws {
        switch counter {
        case .tailEvents: row.tailEvents = value
        case .tailSequence: row.tailSequence = value
        case .generation: row.generation = value
        case .quarantineBytes: row.quarantineBytes = value
        case .fold: try send(RecordSQL.setFold, [.integer(value)])
        }
    }

    func recentChanges() throws -> [[UInt8]?] {
        if partitions.count == 1 { return [row.recentChanges] }
        return try rows(RecordSQL.recentChanges, bounds).map { $0.isNull(0) ? nil : $0.array(0) }
    }

    func setRecentChanges(_ bytes: [UInt8]) throws { row.recentChanges = bytes }

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
        // No character comes after the last one.
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
        func hand(_ row: Row) throws {
            try body(row.integer(0), RememberedCopy(name: row.string(stored: 1), data: row.array(2)))
        }
        guard let learner else { return try forEachRow(RecordSQL.allCopies, bounds, hand) }
        try rows(RecordSQL.copies, [.integer(learner)]).forEach(hand)
    }

    func write(_ copies: [(name: String, data: [UInt8]?)], of learner: Int64) throws {
        let gone = copies.filter { $0.data == nil }.map { Array($0.name.utf8) }
        if !gone.isEmpty { try send(RecordSQL.deleteCopies, [.integer(learner), .stored(gone)]) }
        for case (let name, let data?) in copies {
            try send(RecordSQL.writeCopy, [.integer(learner), .stored(name), .bytes(data)])
        }
    }
}

extension Row {
    fileprivate func day(_ column: Int) -> LocalDay? {
        isNull(column) ? nil : LocalDay(number: Int32(truncatingIfNeeded: integer(column)))
    }
}
