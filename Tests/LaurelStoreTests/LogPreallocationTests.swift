// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import LaurelStore
import Testing

/// The space that is preallocated in SQLite's log. It costs only disk space, and is never read as an event.
@Suite struct LogPreallocationTests {
    private func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : -1
    }

    private func copy(_ path: String, to target: String) {
        for suffix in ["", "-wal"] { _ = system("cp '\(path)\(suffix)' '\(target)\(suffix)'") }
    }

    /// The events after a power cut: the files are copied as they are, without a checkpoint.
    private func events(inCopyOf path: String) throws -> Int {
        let target = TestStore.temporaryPath()
        copy(path, to: target)
        let test = TestStore(store: try SQLiteStore(path: target, mode: .readWrite), path: target)
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
        return try test.store.read { try $0.statistics() }.events
    }

    @Test func whoWritesOnceMakesNone() throws {
        let test = try Backend.sqlite.make()
        try test.append([TestEvent(id: "e1")])
        #expect(size(test.path! + "-wal") < 1 << 18)
    }

    @Test func commitsThatFollowOneAnotherFindRoom() throws {
        let test = try Backend.sqlite.make()
        let log = test.path! + "-wal"
        var sizes: [Int] = []
        for number in 1...60 {
            try test.append([TestEvent(id: "e\(number)", milliseconds: Int64(number))])
            if sizes.last != size(log) { sizes.append(size(log)) }
            if number % 20 == 0 { #expect(try events(inCopyOf: test.path!) == number) }
        }
        #expect(sizes.count < 10, "\(sizes): most commits leave the log as long as it is")
        try test.reopen()
        #expect(try test.store.read { try $0.statistics() }.events == 60)
        #expect(size(log) <= 0, "whoever closes last leaves no log")
    }

    @Test func aLogBeginsAnewBeforeItIsTooLong() throws {
        let test = try Backend.sqlite.make()
        let long = String(repeating: "wort ", count: 3000)
        for number in 1...1400 {
            let event = TestEvent(id: "e\(number)", milliseconds: Int64(number), data: [("text", .text(long))])
            try test.append([event])
        }
        #expect((16 << 20...19 << 20).contains(size(test.path! + "-wal")))
        #expect(try events(inCopyOf: test.path!) == 1400)
    }

    /// An erasure empties the log. Later writes preallocate again.
    @Test func anErasureLeavesNothing() throws {
        let test = try Backend.sqlite.make()
        for number in 1...40 { try test.append([TestEvent(subject: "bo", id: "e\(number)")]) }
        try test.store.write { _ = try $0.erase(subject: Array("bo".utf8)) }
        #expect(size(test.path! + "-wal") == 0)
        for number in 1...5 { try test.append([TestEvent(id: "e\(number)")]) }
        #expect(try events(inCopyOf: test.path!) == 5)
    }
}
