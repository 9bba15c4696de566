// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Glibc
import LaurelEvents
import LaurelProgress
import StoreTesting
import Testing

@testable import LaurelStore

@Suite struct ErasureTests {
    @Test(arguments: Backend.allCases)
    func onlyTheLearnerGoes(backend: Backend) throws {
        let test = try backend.make()
        var odd = OddEvents(seed: 5)
        for _ in 0..<8 { try test.append((0..<30).map { odd.event(subject: ["ana", "bo", "cy"][$0 % 3]) }) }
        let kept = try (test.events(of: "ana"), test.events(of: "cy"))
        let bo = try test.store.write { transaction throws in
            let bo = try transaction.learnerID(for: Array("bo".utf8))
            try transaction.project(DerivedStateTests.projection(seed: 1), of: bo, days: .all)
            try transaction.saveSnapshot([1], of: bo)
            try transaction.quarantine(QuarantineTests.line("r", subject: "bo"), bytes: [1])
            try transaction.quarantine(QuarantineTests.line("r", subject: "ana"), bytes: [2])
            return bo
        }
        #expect(try test.store.write { try $0.erase(subject: Array("bo".utf8)) })
        #expect(try !test.store.write { try $0.erase(subject: Array("bo".utf8)) })
        try test.reopen()
        #expect(try test.events(of: "bo") == [])
        #expect(try test.events(of: "ana") == kept.0)
        #expect(try test.events(of: "cy") == kept.1)
        try test.store.read { reader throws in
            #expect(try reader.learner(named: Array("bo".utf8)) == nil)
            #expect(try reader.snapshot(of: bo) == nil)
            #expect(try reader.projection(of: bo) == nil)
            #expect(try reader.quarantined(after: 0, limit: 9).map(\.subject) == [Array("ana".utf8)])
            #expect(try reader.verify { _, _ in } == [])
        }
        // Their ids are free again.
        #expect(try test.outcomes(TestEvent(subject: "bo", id: "e1")) == [.stored])
    }

    /// Searches the bytes of all the store's files. The checks above read compressed content.
    @Test(arguments: [false, true])
    func noTraceIsLeft(inBlocks: Bool) throws {
        let path = TestStore.temporaryPath()
        var options = StoreOptions()
        options.bulkThreshold = inBlocks ? 1 : 1_000_000
        options.eventsPerBlock = 7
        let test = TestStore(
            store: try SQLiteStore(path: path, mode: .readWrite, options: options),
            path: path,
            options: options
        )
        let names = (0..<200).map { "learner-\($0 * 7919 % 1000)" } + ["secret-subject"]
        for name in names + names {
            let id = name == "secret-subject" ? "secret-id" : "id"
            try test.store.write { transaction throws in
                let event = TestEvent(
                    subject: name,
                    source: "\(name)-source",
                    id: id,
                    session: "\(name)-session",
                    data: [("text", .text("\(name)-text"))]
                )
                _ = try transaction.append([event])
                var projection = DerivedStateTests.projection(seed: 1, languages: [nil, "\(name)-tongue"])
                projection.displayName = "\(name)-name"
                let learner = try transaction.learnerID(for: Array(name.utf8))
                try transaction.project(projection, of: learner, days: .all)
                try transaction.saveSnapshot(Array("\(name)-snapshot".utf8), of: learner)
                let line = QuarantineRecord(
                    reason: "r",
                    message: "\(name)-message",
                    receivedAt: 1,
                    subject: Array(name.utf8)
                )
                try transaction.quarantine(line, bytes: Array("\(name)-original".utf8))
            }
        }
        #expect(try files(path).contains { contains($0, "secret-") })
        #expect(try test.store.write { try $0.erase(subject: Array("secret-subject".utf8)) })
        #expect(try !files(path).contains { contains($0, "secret-") })
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
        #expect(try test.store.read { try $0.statistics() }.learners == 200)
    }

    @Test func aReaderOfTheOldStateIsReported() throws {
        let path = TestStore.temporaryPath()
        var options = StoreOptions()
        options.readerTimeout = 0.1
        let store = try SQLiteStore(path: path, mode: .readWrite, options: options)
        let test = TestStore(store: store, path: path, options: options)
        try test.append([TestEvent(id: "e1"), TestEvent(subject: "bo", id: "e1")])
        try store.read { reader throws in
            _ = try reader.learnerRanges()
            let error = #expect(throws: StoreError.self) {
                try store.write { _ = try $0.erase(subject: Array("ana".utf8)) }
            }
            #expect(error?.code == .erasureIncomplete)
        }
        #expect(try test.isErasurePending())
        // The next write finishes the work.
        try test.append([TestEvent(subject: "bo", id: "e2")])
        #expect(try !test.isErasurePending())
        #expect(try test.events(of: "ana") == [])
        #expect(try test.events(of: "bo").count == 2)
    }

    /// Whoever cannot note that something is left to be done has left the note of the erasure itself.
    @Test func `an erasure that is not complete stays noted, though nothing more can be`() throws {
        let path = TestStore.temporaryPath()
        var options = StoreOptions()
        options.readerTimeout = 0.1
        let store = try SQLiteStore(path: path, mode: .readWrite, options: options)
        let test = TestStore(store: store, path: path, options: options)
        try test.append([TestEvent(id: "e1"), TestEvent(subject: "bo", id: "e1")])
        // The first note is taken, further ones are refused.
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        try connection.execute(
            """
            CREATE TABLE refusals(x);
            CREATE TRIGGER refusal BEFORE UPDATE ON meta WHEN NEW.name = 'erasure_pending' AND NEW.value > OLD.value
                AND EXISTS (SELECT 1 FROM refusals)
            BEGIN SELECT RAISE(ABORT, 'no more'); END;
            CREATE TRIGGER note AFTER UPDATE ON meta WHEN NEW.name = 'erasure_pending' AND NEW.value = 1
            BEGIN INSERT INTO refusals VALUES (1); END
            """
        )
        try store.read { reader throws in
            _ = try reader.learnerRanges()
            let error = storeError { try store.write { _ = try $0.erase(subject: Array("ana".utf8)) } }
            #expect(error?.code == .erasureIncomplete, "\(String(describing: error))")
        }
        #expect(try test.isErasurePending())
    }

    private func files(_ path: String) throws -> [[UInt8]] {
        ["", "-wal", "-shm"].map { suffix in
            guard let file = fopen(path + suffix, "r") else { return [] }
            defer { fclose(file) }
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[0..<count] }
            return bytes
        }
    }

    private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.contains { bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted) }
    }
}

extension TestStore {
    fileprivate func isErasurePending() throws -> Bool {
        let connection = try Connection(path: try #require(path), flags: SQLITE_OPEN_READONLY)
        return try connection.number("SELECT value FROM meta WHERE name = 'erasure_pending'") == 1
    }
}
