// SPDX-License-Identifier: Apache-2.0

import CSQLite
import DatabaseTesting
import LaurelEvents
import Testing

@testable import LaurelStore

/// Salvage skips damage, and verification reports it. Any other error ends both, because the result would look
/// complete.
@Suite struct SalvageFailureTests {
    @Test func `a read that fails, and not for damage, ends the verification`() throws {
        let test = try PageDamageTests.makeStore()
        let path = try #require(test.path)
        var (steps, failures) = (1, 0)
        while steps < 1 << 24 {
            let found = try interrupted(path, after: steps) { try $0.examine { _, _ in } }
            if let found {
                #expect(found.problems.isEmpty, "after \(steps) steps")
                break
            }
            failures += 1
            steps += steps / 4 + 1
        }
        #expect(failures > 10 && steps < 1 << 24)
    }

    @Test func `a read that fails, and not for damage, ends the salvage`() throws {
        let test = try PageDamageTests.makeStore()
        let path = try #require(test.path)
        let whole = try SQLiteStore(path: path, mode: .readOnly).read { try $0.salvage { _, _ in } }
        #expect(whole.losses.isEmpty)
        var (steps, failures) = (1, 0)
        while steps < 1 << 24 {
            guard let salvage = try interrupted(path, after: steps, { try $0.salvage { _, _ in } }) else {
                failures += 1
                steps += steps / 4 + 1
                continue
            }
            #expect(salvage.events == whole.events && salvage.losses.isEmpty, "after \(steps) steps")
            break
        }
        #expect(failures > 10 && steps < 1 << 24)
    }

    /// - Parameter steps: of SQLite's machine, after which each statement fails as if somebody had cancelled it.
    /// - Returns: nil if `body` ended with that error.
    private func interrupted<T>(_ path: String, after steps: Int, _ body: (StoreSession) throws -> T) throws -> T? {
        let store = try SQLiteStore(path: path, mode: .readOnly)
        defer { store.close() }
        let left = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        defer { left.deallocate() }
        left.pointee = steps
        do {
            return try store.readBlocks { session throws in
                let handle = try #require(session.tables as? SQLiteTables).connection.handle
                sqlite3_progress_handler(
                    handle,
                    1,
                    { context in
                        let left = context!.assumingMemoryBound(to: Int.self)
                        left.pointee -= 1
                        return left.pointee < 0 ? 1 : 0
                    },
                    left
                )
                defer { sqlite3_progress_handler(handle, 0, nil, nil) }
                return try body(session)
            }
        } catch let error as StoreError where error.sqliteCode == SQLITE_INTERRUPT {
            return nil
        }
    }

    /// A store of a block for each learner and some events beside them, and what a view in place of the blocks raises for
    /// one of them.
    @Test(
        .enabled(if: DatabaseServer.shared != nil),
        arguments: [("XX001", nil), ("57014", .unavailable), ("53200", .ioError)] as [(String, StoreError.Code?)]
    )
    func `a server's errors are told apart`(state: String, code: StoreError.Code?) throws {
        let location = try #require(DatabaseServer.shared).newLocation()
        try PostgreSQLStore.create(location, partitions: 4)
        var options = StoreOptions()
        options.bulkThreshold = 1
        options.unwrittenEvents = 1
        options.mergeWidth = 100
        let store = try PostgreSQLStore(location, mode: .readWrite, options: options)
        let test = TestStore(store: store, path: nil, location: location, options: options)
        let subjects = (0..<8).map { "learner \($0)" }
        for subject in subjects { try test.append((0..<3).map { TestEvent(subject: subject, id: "\($0)") }) }
        let database = try Database(location)
        let first = try database.number("SELECT min(block) FROM blocks")
        try database.execute("ALTER TABLE blocks RENAME TO sound_blocks")
        try database.execute(
            """
            CREATE FUNCTION broken() RETURNS bytea LANGUAGE plpgsql STABLE AS
            $$ BEGIN RAISE EXCEPTION 'broken' USING ERRCODE = '\(state)'; END $$
            """
        )
        try database.execute(
            """
            CREATE VIEW blocks AS SELECT bucket, block, generation, events,
                CASE WHEN block = \(first) THEN broken() ELSE data END AS data FROM sound_blocks
            """
        )
        var salvage: Salvage?
        let error = storeError { salvage = try store.read { try $0.salvage { _, _ in } } }
        #expect(error?.code == code, "\(String(describing: error))")
        var problems: [StoreProblem] = []
        let failure = storeError { problems = try store.read { try $0.verify { _, _ in } } }
        #expect(failure?.code == code && problems.isEmpty == (code != nil), "\(String(describing: failure))")
        guard code == nil else { return }
        #expect(salvage?.events == 21 && salvage?.losses.map(\.found) == [0], "\(String(describing: salvage))")
    }
}
