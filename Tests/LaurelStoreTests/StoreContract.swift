// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelEvents
import LaurelPostgreSQL
import LaurelProgress
import StoreTesting
import Testing

@testable import LaurelStore

/// A backend under test. Every backend has a line here.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case another
    case memoryPartitioned
    case sqlite
    /// With limits so small that every path is used.
    case sqliteTiny
    /// With several partitions.
    case postgresql
    case postgresqlTiny
    /// With one partition.
    case postgresqlSingle
    /// With statements that are not prepared, as behind a pooler.
    case postgresqlUnprepared

    var testDescription: String { rawValue }

    static let allCases: [Backend] = {
        let files: [Backend] = [.memory, .another, .sqlite, .sqliteTiny]
        if DatabaseServer.shared != nil {
            return files + [.postgresql, .postgresqlTiny, .postgresqlSingle, .postgresqlUnprepared]
        }
        print("PostgreSQL is not installed: its store is not tested")
        return files
    }()

    /// The backends with several partitions.
    static let partitioned = [Backend.memoryPartitioned] + allCases.filter { $0 == .postgresql }

    private var options: StoreOptions {
        var options = StoreOptions()
        // Other tests' transactions are in the same database.
        options.readerTimeout = 60
        if self == .sqliteTiny || self == .postgresqlTiny {
            options.eventsPerBlock = 16
            options.tailLimit = 20
            options.bulkThreshold = 12
            options.eventsPerGroup = 30
            options.cachedBlocks = 2
            options.unwrittenEvents = 60
            options.searchedRuns = 6
            options.searchedRunLength = 4
            options.searchedTogether = 2
            options.openIdentityBytes = 1200
        }
        return options
    }

    private var partitions: Int {
        switch self {
        case .postgresql, .postgresqlUnprepared: 8
        case .postgresqlTiny: 4
        default: 1
        }
    }

    func make(_ adjust: (inout StoreOptions) -> Void = { _ in }) throws -> TestStore {
        var options = options
        adjust(&options)
        switch self {
        case .memory, .another: return TestStore(store: MemoryStore(), path: nil)
        case .memoryPartitioned: return TestStore(store: MemoryStore(partitions: 4), path: nil)
        case .sqlite, .sqliteTiny:
            let path = TestStore.temporaryPath()
            return TestStore(
                store: try SQLiteStore(path: path, mode: .readWrite, options: options),
                path: path,
                options: options
            )
        case .postgresql, .postgresqlTiny, .postgresqlSingle, .postgresqlUnprepared:
            let address = try #require(DatabaseServer.shared).newLocation()
            let location = self == .postgresqlUnprepared ? address + "&statements=unprepared" : address
            try PostgreSQLStore.create(location, partitions: partitions, isDistributed: DatabaseServer.isDistributed)
            return TestStore(
                store: try PostgreSQLStore(location, mode: .readWrite, options: options),
                path: nil,
                location: location,
                options: options
            )
        }
    }
}

/// A store, and the files to remove after the test.
final class TestStore {
    private(set) var store: any EventStore
    let path: String?
    /// The address of a store in PostgreSQL.
    let location: String?
    let options: StoreOptions

    init(store: any EventStore, path: String?, location: String? = nil, options: StoreOptions = StoreOptions()) {
        self.store = store
        self.path = path
        self.location = location
        self.options = options
    }

    static func temporaryPath() -> String {
        var bytes = Array("/tmp/laurel-store-XXXXXX".utf8CString)
        _ = mkdtemp(&bytes)
        return String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/laurel.db"
    }

    /// Closes the store and opens it again, unless it is in memory.
    func reopen() throws {
        guard path != nil || location != nil else { return }
        store.close()
        store = try another() ?? store
    }

    /// Another store over the same events, as another process has; nil for a store in memory.
    func another() throws -> (any EventStore)? {
        if let location { return try PostgreSQLStore(location, mode: .readWrite, options: options) }
        return try path.map { try SQLiteStore(path: $0, mode: .readWrite, options: options) }
    }

    deinit {
        if let location {
            store.close()
            try? Database(location).execute("DROP SCHEMA \(Database.schema(location)) CASCADE")
        }
        guard let path else { return }
        (store as? SQLiteStore)?.close()
        for suffix in ["", "-wal", "-shm", "-lock", "-apply"] { unlink(path + suffix) }
        rmdir(String(path.dropLast("/laurel.db".count)))
    }

    /// Appends events in the given order, with a transaction per partition. Groups follow the order of their first
    /// events.
    @discardableResult
    func append(_ events: [TestEvent]) throws -> AppendResult {
        let table = EventTable(events)
        let rows = Dictionary(grouping: events.indices) { store.partition(of: Array(events[$0].subject.utf8)) }
        let first = rows.keys.min() ?? 0
        var result = try store.write(in: first) { try $0.append(events, rows[first] ?? [], of: table) }
        for (partition, rows) in rows.sorted(by: { $0.key < $1.key }).dropFirst() {
            let part = try store.write(in: partition) { try $0.append(events, rows, of: table) }
            for row in rows { result.outcomes[row] = part.outcomes[row] }
            result.stored += part.stored
        }
        let names = try store.read { reader in
            try Dictionary(result.stored.map { ($0.learner, try reader.learner($0.learner)?.subject ?? []) }) { $1 }
        }
        let order = Dictionary(events.enumerated().map { (Array($1.subject.utf8), $0) }) { first, _ in first }
        result.stored.sort { order[names[$0.learner]!]! < order[names[$1.learner]!]! }
        return result
    }

    func outcomes(_ events: TestEvent...) throws -> [AppendResult.Outcome] { try append(events).outcomes }

    /// All events of a learner as text, in the learner's order.
    func events(of subject: String) throws -> [String] {
        try store.read { reader throws in
            guard let learner = try reader.learner(named: Array(subject.utf8)) else { return [] }
            let runs = try reader.events(of: learner.id)
            return merged(runs)
        }
    }
}

extension EventStore {
    /// A write with exclusive access to the whole store.
    func write<T>(_ body: (any StoreAdministration) throws -> T) throws -> T { try writeAll(body) }
}

extension StoreReader {
    /// Calls `body` for every learner, with all events.
    func forEachLearner(
        fields: FieldSelection = .all,
        upTo limit: Int = .max,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        for ids in try learnerRanges() { try forEachLearner(ids: ids, fields: fields, upTo: limit, body) }
    }
}

extension StoreTransaction {
    func append(_ events: [TestEvent]) throws -> AppendResult {
        try append(events, Array(events.indices), of: EventTable(events))
    }

    func append(_ events: [TestEvent], _ rows: [Int], of table: EventTable) throws -> AppendResult {
        var groups: [LearnerRows] = []
        for row in rows {
            let learner = try learnerID(for: Array(events[row].subject.utf8))
            if let place = groups.firstIndex(where: { $0.learner == learner }) {
                groups[place].rows.append(row)
            } else {
                groups.append(LearnerRows(learner: learner, rows: [row]))
            }
        }
        return try append(table, groups: groups)
    }
}

/// The store's error that a body throws; nil for no error or another one.
func storeError(_ body: () throws -> Void) -> StoreError? {
    do {
        try body()
        return nil
    } catch {
        return error as? StoreError
    }
}

/// The rows of several runs as text, in the learner's order. A run out of order is reported.
func merged(_ runs: [EventRun], checkingOrder: Bool = true) -> [String] {
    var rows = runs.flatMap { run in run.rows.map { (table: run.table, row: $0) } }
    for run in runs {
        for row in run.rows.dropFirst() {
            if checkingOrder { #expect(!run.table.isBefore(row, run.table, row - 1)) }
        }
    }
    rows.sort { $0.table.isBefore($0.row, $1.table, $1.row) }
    return rows.map { $0.table.describe($0.row) }
}

/// A connection that changes a store's database in ways that no program should.
struct Database {
    let connection: DatabaseConnection

    init(_ location: String) throws {
        let address = location.components(separatedBy: "&schema=")[0]
        connection = try DatabaseConnection([("dbname", address)])
        try execute("SET search_path = \(Database.schema(location))")
    }

    static func schema(_ location: String) -> String {
        String(location.components(separatedBy: "&schema=")[1].prefix { $0 != "&" })
    }

    func execute(_ sql: String) throws { _ = try connection.rows(sql) }
    func text(_ sql: String) throws -> String { try connection.rows(sql)[0].string(0) }
    func number(_ sql: String) throws -> Int64 { try connection.rows(sql)[0].integer(0) }
}

extension StoreTransaction {
    /// The connection with which a store in PostgreSQL writes.
    var connection: DatabaseConnection? {
        ((self as? StoreSession)?.tables as? PostgreSQLTables)?.connection
    }
}
