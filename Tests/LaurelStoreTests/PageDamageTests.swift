// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Glibc
import LaurelEvents
import LaurelStore
import StoreTesting
import Testing

/// Damage to a store's pages by a disk, a crash or another program is noticed, and never read as other content.
@Suite struct PageDamageTests {
    static let pageSize = 4096

    /// A closed store with rows in every table, of several pages each where that is cheap.
    static func makeStore() throws -> TestStore {
        let test = try Backend.sqliteTiny.make()
        var odd = OddEvents(seed: 5)
        for round in 0..<6 {
            try test.append(
                (0..<40).map { _ in odd.event(subject: "learner \(Int.random(in: 0..<9, using: &odd.random))") }
            )
            try test.append([TestEvent(id: "late \(round)", milliseconds: Int64(round))])
        }
        try test.store.write { transaction throws in
            for learner in try transaction.learnerRanges().joined() {
                let projection = DerivedStateTests.projection(seed: UInt64(learner))
                try transaction.project(projection, of: learner, days: .all)
                try transaction.saveSnapshot((0..<9000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 4) }, of: learner)
                let point = CheckpointPoint(milliseconds: learner, events: 7)
                try transaction.saveCheckpoint(Checkpoint(point: point, snapshot: [1, 2, 3]), of: learner, in: .stored)
            }
            try transaction.quarantine(
                QuarantineRecord(reason: "r", message: "m", receivedAt: 0),
                bytes: Array(0...200)
            )
        }
        (test.store as? SQLiteStore)?.close()
        return test
    }

    /// The whole content of a store; nil if the store reports damage.
    static func reading(_ path: String) -> [String]? {
        do {
            let store = try SQLiteStore(path: path, mode: .readOnly)
            defer { store.close() }
            return try store.read { reader throws in
                var said: [String] = []
                try reader.forEachLearner(fields: .all) { learner, runs in
                    said += ["\(learner)"] + merged(runs, checkingOrder: false)
                    said.append("\(try reader.projection(of: learner.id) as Any)")
                }
                try reader.forEachLearner { said.append("\($0)") }
                try reader.forEachOverview { said.append("\($0)") }
                said.append("\(try reader.quarantined(after: 0, limit: 100)) \(try reader.rulesHistory())")
                return said
            }
        } catch {
            return nil
        }
    }

    static func problems(_ path: String) -> [String] {
        do {
            let store = try SQLiteStore(path: path, mode: .readOnly)
            defer { store.close() }
            return try store.read { try $0.verify { _, _ in } }.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    static func remarks(_ path: String) throws -> [String] {
        try SQLiteStore(path: path, mode: .readOnly).read { try $0.remarks() }
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var status = stat()
        stat(path, &status)
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        fread(&bytes, 1, bytes.count, file)
        return bytes
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "w"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    private func expectNoticed(_ test: TestStore, _ damaged: [UInt8], _ whole: [String], _ what: Comment) throws {
        let path = try #require(test.path)
        try write(damaged, to: path)
        #expect(!PageDamageTests.problems(path).isEmpty, what)
        if let said = PageDamageTests.reading(path) { #expect(said == whole, what) }
    }

    /// The number of flipped bits; `LAUREL_FLIPS` can set more.
    private static let flips = getenv("LAUREL_FLIPS").flatMap { Int(String(cString: $0)) } ?? 20

    @Test(arguments: [UInt64(1), 2]) func anyFlippedBitIsNoticed(seed: UInt64) throws {
        let test = try PageDamageTests.makeStore()
        let path = try #require(test.path)
        let original = try bytes(path)
        let whole = try #require(PageDamageTests.reading(path))
        #expect(PageDamageTests.problems(path) == [])
        var random = SeededGenerator(seed: seed)
        for flip in 0..<PageDamageTests.flips {
            let page = flip % (original.count / PageDamageTests.pageSize)
            let place = page * PageDamageTests.pageSize + Int.random(in: 0..<PageDamageTests.pageSize, using: &random)
            if page == 0, PageDamageTests.changeable.contains(place) { continue }
            var damaged = original
            damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try expectNoticed(test, damaged, whole, "byte \(place), seed \(seed)")
        }
    }

    /// The header's fields that other programs may change without damage. The last four are its checksum.
    private static let changeable = Set(
        Array(24..<32) + Array(40..<44) + Array(92..<100) + Array(pageSize - 4..<pageSize)
    )

    @Test func theFirstPageIsCheckedByteByByte() throws {
        let test = try PageDamageTests.makeStore()
        let path = try #require(test.path)
        let original = try bytes(path)
        let whole = try #require(PageDamageTests.reading(path))
        for place in 0..<100 where !PageDamageTests.changeable.contains(place) {
            var damaged = original
            damaged[place] ^= 1 << UInt8(place % 8)
            try expectNoticed(test, damaged, whole, "byte \(place)")
        }
        var changed = original
        changed[43] ^= 1
        try write(changed, to: path)
        #expect(PageDamageTests.problems(path) == [])
        #expect(try PageDamageTests.remarks(path) == ["another program has changed the header of \(path)"])
    }

    @Test func pagesThatAreZeroedSwappedOrMissingAreNoticed() throws {
        let test = try PageDamageTests.makeStore()
        let path = try #require(test.path)
        let original = try bytes(path)
        let whole = try #require(PageDamageTests.reading(path))
        let size = PageDamageTests.pageSize
        let count = original.count / size
        for page in 0..<count {
            let range = page * size..<(page + 1) * size
            // A page that was never written is zero.
            if original[range].contains(where: { $0 != 0 }) {
                var zeroed = original
                zeroed.replaceSubrange(range, with: [UInt8](repeating: 0, count: size))
                try expectNoticed(test, zeroed, whole, "page \(page + 1) zeroed")
            }
            let other = (page + 1) % count
            var swapped = original
            swapped.replaceSubrange(range, with: original[other * size..<(other + 1) * size])
            swapped.replaceSubrange(other * size..<(other + 1) * size, with: original[range])
            guard swapped != original else { continue }
            try expectNoticed(test, swapped, whole, "pages \(page + 1) and \(other + 1) swapped")
        }
        try expectNoticed(test, Array(original.dropLast(size)), whole, "the last page is gone")
    }

    @Test func theErrorNamesFileAndPage() throws {
        let test = try PageDamageTests.makeStore()
        let path = try #require(test.path)
        var damaged = try bytes(path)
        let page = damaged.count / PageDamageTests.pageSize
        damaged[4096 + 2000] ^= 1
        damaged[(page - 1) * PageDamageTests.pageSize + 9] ^= 1
        try write(damaged, to: path)
        let problems = PageDamageTests.problems(path)
        #expect(problems.contains("page \(page) is damaged: its checksum does not match"), "\(problems)")
    }

    /// During a checkpoint, a page may be half written. Only then a reader waits for it.
    @Test func aDamagedPageIsWaitedForWhileSomebodyMovesPagesAlone() throws {
        let test = try PageDamageTests.makeStore()
        let path = try #require(test.path)
        let original = try bytes(path)
        func damage(_ pages: [Int]) throws {
            var damaged = original
            for page in pages { damaged[page * PageDamageTests.pageSize + 9] ^= 1 }
            try write(damaged, to: path)
        }
        // The pages without which a store can still be opened.
        let pages = try (2..<original.count / PageDamageTests.pageSize).filter { page in
            try damage([page])
            return (try? SQLiteStore(path: path, mode: .readOnly).read { _ in }) != nil
        }
        try damage(pages)
        let store = try SQLiteStore(path: path, mode: .readOnly)
        func expectNoticed() throws {
            let problems = try store.read { try $0.verify { _, _ in } }.map(\.description)
            #expect(problems.count { $0.hasSuffix("its checksum does not match") } == pages.count)
        }
        let alone = try ContinuousClock().measure(expectNoticed)
        // SQLite's checkpoint lock, on another open file description, so that it also blocks this process.
        let index = open(path + "-shm", O_RDWR)
        defer { close(index) }
        var lock = flock(l_type: Int16(F_WRLCK), l_whence: 0, l_start: 121, l_len: 1, l_pid: 0)
        try #require(fcntl(index, PageDamageTests.setOpenFileLock, &lock) == 0)
        let amongOthers = try ContinuousClock().measure(expectNoticed)
        #expect(amongOthers - alone > .milliseconds(15) * pages.count, "\(pages.count) pages: \(alone), \(amongOthers)")
    }

    /// `F_OFD_SETLK`, which Swift's Glibc module lacks.
    private static let setOpenFileLock: CInt = 37
}

/// Programs that use SQLite without Laurel.
@Suite struct OtherProgramTests {
    private func sqlite(_ path: String, _ sql: String) {
        var handle: OpaquePointer?
        sqlite3_open(path, &handle)
        #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
        sqlite3_close(handle)
    }

    @Test func aCheckpointLeavesPagesUncheckedUntilTheyAreWrittenAgain() throws {
        let test = try Backend.sqlite.make()
        let path = try #require(test.path)
        try test.append((0..<50).map { TestEvent(id: "e\($0)") })
        // The log is full, as after a killed process.
        sqlite(path, "PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(PageDamageTests.problems(path) == [])
        #expect(try PageDamageTests.remarks(path).contains { $0.contains("another program wrote") })
        #expect(try test.events(of: "ana").count == 50)
        try test.append([TestEvent(subject: "bo", id: "e1")])
        #expect(try test.store.write { try $0.erase(subject: Array("bo".utf8)) })
        (test.store as? SQLiteStore)?.close()
        #expect(try PageDamageTests.remarks(path) == [])
        #expect(PageDamageTests.problems(path) == [])
    }

    @Test func aBackupIsWhole() throws {
        let test = try PageDamageTests.makeStore()
        let path = try #require(test.path)
        let copy = path + "-copy"
        defer { unlink(copy) }
        var (from, to): (OpaquePointer?, OpaquePointer?)
        sqlite3_open(path, &from)
        sqlite3_open(copy, &to)
        let backup = sqlite3_backup_init(to, "main", from, "main")
        #expect(sqlite3_backup_step(backup, -1) == SQLITE_DONE)
        sqlite3_backup_finish(backup)
        sqlite3_close(from)
        sqlite3_close(to)
        #expect(PageDamageTests.problems(copy) == [])
        #expect(PageDamageTests.reading(copy) == PageDamageTests.reading(path))
    }

    @Test func whatAnotherProgramChangesIsNoticed() throws {
        let changes = [
            "UPDATE snapshots SET data = substr(data, 1, 40) || x'00' || substr(data, 42)",
            "UPDATE snapshots SET learner = learner + 100",
            "UPDATE checkpoints SET ms = ms + 1", "UPDATE checkpoints SET events = events + 1",
            "UPDATE tail SET ms = ms + 1",
            "UPDATE tail SET sequence = sequence + 100",
        ]
        for change in changes {
            let test = try PageDamageTests.makeStore()
            let path = try #require(test.path)
            // After this, no page has a checksum.
            sqlite(path, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
            #expect(PageDamageTests.problems(path) == [])
            sqlite(path, change)
            #expect(PageDamageTests.problems(path) != [], "\(change)")
        }
    }

    @Test func rowsThatAreGoneAreMissed() throws {
        for change in ["DELETE FROM runs WHERE learner = 3", "DELETE FROM tail", "DELETE FROM runs"] {
            let test = try PageDamageTests.makeStore()
            let path = try #require(test.path)
            sqlite(path, "VACUUM; \(change); PRAGMA wal_checkpoint(TRUNCATE)")
            #expect(PageDamageTests.reading(path) == nil, "\(change)")
            #expect(PageDamageTests.problems(path) != [], "\(change)")
        }
    }
}
