// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelStore
import StoreTesting
import Testing

@testable import Laurel

/// Restores into a store that exists already, which other processes may open.
@Suite struct RestoreTests {
    private static let kinds = ["file"] + (DatabaseServer.binaries == nil ? [] : ["database"])

    private let folder: TemporaryFolder
    private let backup: String

    init() throws {
        folder = try TemporaryFolder()
        backup = folder.file("backup.db")
        let source = try ProgressEngine.open(path: folder.file("source.db"), rules: Rules(yaml: ClassRules.base))
        let lines = [line("1", by: "ana"), line("2", by: "bo")].joined(separator: "\n")
        _ = try source.ingest(cloudEvents: Data(lines.utf8), now: Bench.date)
        try source.setServiceRecords(["outbox/w/1/616e61/m": "a message", "session/1": "a session"])
        _ = try source.backUp(to: backup)
    }

    private func newStore(_ kind: String) throws -> String {
        guard kind == "database" else {
            let path = folder.file("restored.db")
            try StoreManagement(StoreLocation(path)).create()
            return path
        }
        let location = try #require(DatabaseServer.shared).newLocation()
        try StoreManagement(StoreLocation(location)).create()
        return location
    }

    @Test(arguments: kinds) func `a store is refused until its restore is finished`(_ kind: String) throws {
        let store = try newStore(kind)
        let mark = try BackupFile(backup).mark
        let open = try StoreBackend(store).open(mode: .readWrite)
        try open.writeAll { try $0.setServiceRecord(ServiceRecordName.restoring, "another") }
        let restore = StoreManagement(StoreLocation(store))
        let other = #expect(throws: EngineError.self) { try restore.restore(from: backup) }
        #expect(other?.code == .alreadyExists && other?.message.contains("of another backup") == true)
        try open.writeAll { try $0.setServiceRecord(ServiceRecordName.restoring, mark.id) }
        open.close()
        for use in [StoreUse.reading, .writing, .rewriting, .inspection, .removal] {
            let refused = #expect(throws: EngineError.self, "\(use)") { try ProgressEngine.open(path: store, for: use) }
            #expect(refused?.code == .restoreUnfinished, "\(use)")
        }
        let report = try restore.restore(from: backup)
        let restored = try ProgressEngine.open(path: store, for: .rewriting)
        #expect(try restored.fingerprint() == report.fingerprint && report.content.events == 2)
        #expect(try restored.serviceRecords(prefix: "") == ["outbox/w/1/616e61/m": "a message"])
        #expect(try restored.store.read { try $0.changes(since: [], limit: 0).commits.max()! } > 1_000_000_000_000)
        let full = #expect(throws: EngineError.self) { try restore.restore(from: backup) }
        #expect(full?.code == .alreadyExists && full?.message.contains("holds 2 events") == true)
    }

    /// The store was emptied by erasures, and has nothing left but its history.
    @Test(arguments: kinds) func `a store without events knows whom it has erased`(_ kind: String) throws {
        let store = try newStore(kind)
        let actor = AuditActor(name: "test")
        let emptied = try ProgressEngine.open(path: store, rules: Rules(yaml: ClassRules.base))
        _ = try emptied.erase(learner: "ana")
        let unknown = AuditNote(.learnerErased, by: actor).records(at: 1_000_000)
        try emptied.setServiceRecords(unknown.mapValues { $0 })
        emptied.close()
        let report = try StoreManagement(StoreLocation(store)).restore(from: backup, by: actor)
        #expect(report.erasedAgain == ["ana"] && report.unknownErasures == [Date(milliseconds: 1_000_000)])
        #expect(try ProgressEngine.open(path: store).learnerIDs() == ["bo"])
    }
}
