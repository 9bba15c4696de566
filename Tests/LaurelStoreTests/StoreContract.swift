// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import LaurelProgress
import LaurelStore
import Testing

/// A backend under test. Every backend has its line here.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case another
    case sqlite
    /// With limits so small that every path is taken.
    case sqliteTiny

    var testDescription: String { rawValue }

    func make() throws -> TestStore {
        switch self {
        case .memory, .another: return TestStore(store: MemoryStore(), path: nil)
        case .sqlite, .sqliteTiny:
            let path = TestStore.temporaryPath()
            var options = StoreOptions()
            if self == .sqliteTiny {
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
            return TestStore(
                store: try SQLiteStore(path: path, mode: .readWrite, options: options),
                path: path,
                options: options
            )
        }
    }
}

/// A store, and the files to remove after the test.
final class TestStore {
    private(set) var store: any EventStore
    let path: String?
    let options: StoreOptions

    init(store: any EventStore, path: String?, options: StoreOptions = StoreOptions()) {
        self.store = store
        self.path = path
        self.options = options
    }

    static func temporaryPath() -> String {
        var bytes = Array("/tmp/laurel-store-XXXXXX".utf8CString)
        _ = mkdtemp(&bytes)
        return String(decoding: bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/laurel.db"
    }

    /// Closes and opens again, where there is something to open.
    func reopen() throws {
        guard let path else { return }
        (store as? SQLiteStore)?.close()
        store = try SQLiteStore(path: path, mode: .readWrite, options: options)
    }

    deinit {
        guard let path else { return }
        (store as? SQLiteStore)?.close()
        for suffix in ["", "-wal", "-shm", "-lock", "-apply"] { unlink(path + suffix) }
        rmdir(String(path.dropLast("/laurel.db".count)))
    }

    /// Appends events in the order given.
    @discardableResult
    func append(_ events: [TestEvent]) throws -> AppendResult {
        try store.write { transaction in try transaction.append(events) }
    }

    func outcomes(_ events: TestEvent...) throws -> [AppendResult.Outcome] { try append(events).outcomes }

    /// All events of a learner, described, in the learner's order.
    func events(of subject: String) throws -> [String] {
        try store.read { reader throws in
            guard let learner = try reader.learner(named: Array(subject.utf8)) else { return [] }
            let runs = try reader.events(of: learner.id)
            return merged(runs)
        }
    }
}

extension StoreTransaction {
    func append(_ events: [TestEvent]) throws -> AppendResult {
        let table = EventTable(events)
        var groups: [LearnerRows] = []
        for (row, event) in events.enumerated() {
            let learner = try learnerID(for: Array(event.subject.utf8))
            if let place = groups.firstIndex(where: { $0.learner == learner }) {
                groups[place].rows.append(row)
            } else {
                groups.append(LearnerRows(learner: learner, rows: [row]))
            }
        }
        return try append(table, groups: groups)
    }
}

/// Rows of several runs in the learner's order, described; a run out of order is reported.
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
