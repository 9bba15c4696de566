// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Dispatch
import Glibc
import LaurelEvents
import LaurelStore
import Testing

@testable import LaurelStore

@Suite struct OpeningTests {
    private func code(_ body: () throws -> Void) -> StoreError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? StoreError)?.code
        }
    }

    private func execute(_ path: String, _ sql: String) {
        var handle: OpaquePointer?
        // With the right checksums, if the format has any.
        sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "laurel-checked-pages")
        sqlite3_exec(handle, sql, nil, nil, nil)
        sqlite3_close(handle)
    }

    private func write(_ path: String, _ text: String) {
        let file = fopen(path, "w")
        fputs(text, file)
        fclose(file)
    }

    @Test func onlyStoresAreOpened() throws {
        let path = TestStore.temporaryPath()
        #expect(code { _ = try SQLiteStore(path: path, mode: .readOnly) } == .notFound)
        #expect(access(path, F_OK) != 0)
        write(path, String(repeating: "no database at all\n", count: 300))
        #expect(code { _ = try SQLiteStore(path: path, mode: .readOnly) } == .notAStore)
        #expect(code { _ = try SQLiteStore(path: path, mode: .readWrite) } == .notAStore)
        unlink(path)
        execute(path, "CREATE TABLE other(x)")
        #expect(code { _ = try SQLiteStore(path: path, mode: .readOnly) } == .notAStore)
        #expect(code { _ = try SQLiteStore(path: path, mode: .readWrite) } == .notAStore)
        unlink(path)
        try SQLiteStore(path: path, mode: .readWrite).close()
        #expect(access(path + "-wal", F_OK) != 0)
        execute(path, "PRAGMA user_version = 99")
        #expect(code { _ = try SQLiteStore(path: path, mode: .readOnly) } == .newerFormat)
        #expect(code { _ = try SQLiteStore(path: "/nowhere/laurel.db", mode: .readWrite) } == .notFound)
    }

    @Test func `a format that is too old is refused with the way across, and the file stays as it is`() throws {
        let path = TestStore.temporaryPath()
        let test = TestStore(store: try SQLiteStore(path: path, mode: .readWrite), path: path)
        try test.append([TestEvent(id: "e1")])
        test.store.close()
        execute(path, "PRAGMA user_version = 6")
        for mode in [StoreMode.readOnly, .readWrite] {
            let error = #expect(throws: StoreError.self) { try SQLiteStore(path: path, mode: mode) }
            #expect(error?.code == .olderFormat)
            let way = "`laurel export` its events with Laurel 0.2, then `laurel ingest` them with this version"
            #expect(error?.message == "\(path) has store format 6, this program knows 7 and later: \(way)")
        }
        execute(path, "PRAGMA user_version = \(Schema.version)")
        try test.reopen()
        #expect(try test.events(of: "ana").count == 1)
    }

    /// A store that was upgraded to format 7 may contain them.
    @Test func `lines in quarantine and events of the tail are read as earlier formats wrote them`() throws {
        let path = TestStore.temporaryPath()
        let store = try SQLiteStore(path: path, mode: .readWrite)
        let id = try store.write { transaction throws in
            try transaction.quarantine(QuarantineTests.line("r"), bytes: Array("broken".utf8))
        }
        store.close()
        execute(path, "UPDATE quarantine_pieces SET data = CAST('broken' AS BLOB), unpacked = NULL")
        var bytes: [UInt8] = []
        let reader = try SQLiteStore(path: path, mode: .readOnly)
        try reader.read { try $0.forEachPiece(ofQuarantined: try #require(id)) { bytes += $0 } }
        #expect(String(decoding: bytes, as: UTF8.self) == "broken")
        #expect(try reader.read { try $0.verify { _, _ in } } == [])

        let table = EventTable([TestEvent(id: "e1")])
        let key = TailRecord.Key(learner: 1, milliseconds: table.milliseconds[0], sequence: 1)
        let rest = Array(TailRecord.encode(table, 0, key: key).dropFirst(9))
        let checksum = rest.withUnsafeBufferPointer { TextTable.hash($0) }
        let record = [1] + withUnsafeBytes(of: checksum.littleEndian) { Array($0) } + rest
        var found = EventTable()
        let subject = Array("ana".utf8).withUnsafeBufferPointer { found.intern(text: $0) }
        try record.withUnsafeBytes { try TailRecord.decode($0, key: key, subject: subject, into: &found) }
        #expect(found.count == 1 && found.identifier(0) == Array("e1".utf8))
    }

    @Test func aReadOnlyStoreRefusesToWrite() throws {
        let path = TestStore.temporaryPath()
        let writer = try SQLiteStore(path: path, mode: .readWrite)
        let test = TestStore(store: writer, path: path)
        try test.append([TestEvent(id: "e1")])
        let reader = try SQLiteStore(path: path, mode: .readOnly)
        #expect(try reader.read { try $0.statistics() }.events == 1)
        #expect(code { try reader.write { _ in } } == .readOnly)
        writer.close()
        let later = try SQLiteStore(path: path, mode: .readOnly)
        #expect(try later.read { try $0.statistics() }.events == 1)
    }

    @Test func aSecondWriterIsToldWhoWrites() throws {
        let path = TestStore.temporaryPath()
        var options = StoreOptions()
        options.lockTimeout = 0.05
        let one = try SQLiteStore(path: path, mode: .readWrite, options: options)
        let other = try SQLiteStore(path: path, mode: .readWrite, options: options)
        let test = TestStore(store: one, path: path)
        try one.write { transaction throws in
            _ = try transaction.append([TestEvent(id: "e1")])
            let error = #expect(throws: StoreError.self) { try other.write { _ in } }
            #expect(error?.code == .busy)
            #expect(error?.message.contains("process \(getpid())") == true)
        }
        try other.write { _ = try $0.append([TestEvent(id: "e2")]) }
        #expect(try test.events(of: "ana").count == 2)
    }

    @Test func `a writer waits for another one of its process only so long, and is told who writes`() throws {
        let path = TestStore.temporaryPath()
        var options = StoreOptions()
        options.lockTimeout = 0.1
        let store = try SQLiteStore(path: path, mode: .readWrite, options: options)
        let (isWriting, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        var threads = Threads()
        threads.start {
            try? store.write { _ in
                isWriting.signal()
                _ = isOver.wait(timeout: .now() + 5)
            }
        }
        isWriting.wait()
        let error = storeError { try store.write { _ in } }
        isOver.signal()
        threads.join()
        #expect(error?.code == .busy)
        for part in ["process \(getpid())", "waited 0.1 s for \(path)-lock"] {
            #expect(error?.message.contains(part) == true, "\(String(describing: error))")
        }
        try store.write { _ = try $0.append([TestEvent(id: "e1")]) }
    }

    @Test func damageIsFoundAndNeverCrashes() throws {
        let test = try Backend.sqliteTiny.make()
        var odd = OddEvents(seed: 3)
        try test.append((0..<200).map { _ in odd.event(subject: "ana") })
        let path = try #require(test.path)
        (test.store as? SQLiteStore)?.close()
        execute(path, "UPDATE blocks SET data = substr(data, 1, 60) || x'00' || substr(data, 62) WHERE block = 2")
        execute(path, "UPDATE blocks SET data = x'' WHERE block = 3")
        execute(path, "DELETE FROM blocks WHERE block = 4; UPDATE learners SET events = events + 1")
        let store = try SQLiteStore(path: path, mode: .readOnly)
        let problems = try store.read { try $0.verify { _, _ in } }.map(\.description)
        for expected in ["block 2 is damaged (its checksum", "block 3 is damaged", "block 4"] {
            #expect(problems.contains { $0.contains(expected) }, "\(problems)")
        }
        #expect(code { _ = try store.read { try $0.events(of: 1) } } == .corrupt)
    }

    @Test func aFullDiskChangesNothing() throws {
        let folder = String(TestStore.temporaryPath().dropLast("/laurel.db".count))
        guard system("mount -t tmpfs -o size=3m tmpfs \(folder) 2>/dev/null") == 0 else {
            print("skipped: mounting a small file system needs more rights")
            return
        }
        defer { _ = system("umount -l \(folder)") }
        let path = folder + "/laurel.db"
        let store = try SQLiteStore(path: path, mode: .readWrite)
        var written = 0
        let failure = code {
            for batch in 0..<100 {
                let events = (0..<400).map {
                    TestEvent(id: "e\(batch * 1000 + $0)", data: [("text", .text("\(batch) \($0 &* 7919)"))])
                }
                try store.write { _ = try $0.append(events) }
                written += 400
            }
        }
        #expect(failure == .diskFull)
        #expect(written > 0)
        #expect(try store.read { try $0.statistics() }.events == written)
        #expect(try store.read { try $0.verify { _, _ in } } == [])
        store.close()
        let again = try SQLiteStore(path: path, mode: .readOnly)
        #expect(try again.read { try $0.statistics() }.events == written)
    }
}
