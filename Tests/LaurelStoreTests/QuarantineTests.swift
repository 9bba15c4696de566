// SPDX-License-Identifier: Apache-2.0

import StoreTesting
import Testing

@testable import LaurelStore

@Suite struct QuarantineTests {
    static func line(_ reason: String, subject: String? = nil) -> QuarantineRecord {
        QuarantineRecord(
            reason: reason,
            message: "because é\u{0}",
            file: "in.ndjson",
            line: 3,
            receivedAt: 7,
            eventID: Array("e1".utf8),
            source: nil,
            subject: subject.map { Array($0.utf8) }
        )
    }

    private func bytes(_ store: any EventStore, _ id: Int64) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try store.read { try $0.forEachPiece(ofQuarantined: id) { bytes += $0 } }
        return bytes
    }

    @Test(arguments: Backend.allCases)
    func linesComeBack(backend: Backend) throws {
        let test = try backend.make()
        let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let ids = try test.store.write { transaction throws in
            var pieces = [Array(large[0..<10]), Array(large[10...])]
            return [
                try transaction.quarantine(QuarantineTests.line("b"), bytes: Array("{\"a\":".utf8)),
                try transaction.quarantine(QuarantineTests.line("a")) { pieces.isEmpty ? nil : pieces.removeFirst() },
                try transaction.quarantine(QuarantineTests.line("b"), bytes: []),
            ].compactMap(\.self)
        }
        try test.reopen()
        #expect(try bytes(test.store, ids[0]) == Array("{\"a\":".utf8))
        #expect(try bytes(test.store, ids[1]) == large)
        #expect(try bytes(test.store, ids[2]) == [])
        let lines = try test.store.read { try $0.quarantined(after: 0, limit: 10) }
        #expect(lines.map(\.id) == ids)
        #expect(lines.map(\.byteCount) == [5, 3_000_000, 0])
        var expected = QuarantineTests.line("b")
        expected.id = ids[0]
        expected.byteCount = 5
        #expect(lines[0] == expected)
        #expect(try test.store.read { try $0.quarantined(after: ids[0], limit: 1) }.map(\.id) == [ids[1]])
        let counts = try test.store.read { try $0.quarantineCounts() }
        #expect(counts == [ReasonCount(reason: "a", lines: 1), ReasonCount(reason: "b", lines: 2)])
    }

    @Test(arguments: Backend.allCases)
    func messagesAreCounted(backend: Backend) throws {
        let test = try backend.make()
        let messages = [("a", "rare", 5), ("a", "often", 9), ("b", "rare", 8), ("a", "often é", 2), ("a", "often", 3)]
        let ids = try test.store.write { transaction throws in
            try messages.compactMap { reason, message, time in
                var line = QuarantineTests.line(reason)
                (line.message, line.receivedAt) = (message, Int64(time))
                return try transaction.quarantine(line, bytes: [1])
            }
        }
        let often = MessageCount(message: "often", lines: 2, lastAt: 9, lastLine: ids[4])
        let oftenTwo = MessageCount(message: "often é", lines: 1, lastAt: 2, lastLine: ids[3])
        let rare = MessageCount(message: "rare", lines: 1, lastAt: 5, lastLine: ids[0])
        for (limit, expected) in [(9, [often, oftenTwo, rare]), (1, [often])] {
            #expect(try test.store.read { try $0.quarantineMessages(for: "a", limit: limit) } == expected, "\(limit)")
        }
        #expect(try test.store.read { try $0.quarantineMessages(for: "c", limit: 9) }.isEmpty)
    }

    @Test(arguments: Backend.allCases)
    func linesAreDropped(backend: Backend) throws {
        let test = try backend.make()
        let ids = try test.store.write { transaction throws in
            try (0..<4).compactMap { try transaction.quarantine(QuarantineTests.line("r\($0)"), bytes: [1]) }
        }
        try test.store.write { try $0.dropQuarantined(ids: [ids[0], ids[2], 999]) }
        #expect(try test.store.read { try $0.quarantined(after: 0, limit: 9) }.map(\.id) == [ids[1], ids[3]])
        #expect(try bytes(test.store, ids[0]) == [])
        try test.store.write { try $0.dropAllQuarantined() }
        #expect(try test.store.read { try $0.statistics() }.quarantined == 0)
        let next = try test.store.write { try $0.quarantine(QuarantineTests.line("z"), bytes: [1]) }
        #expect(try #require(next) > ids[3])
    }

    @Test func itTakesNoMoreThanItMay() throws {
        let path = TestStore.temporaryPath()
        var options = StoreOptions()
        options.quarantineLimit = 20_000
        let store = try SQLiteStore(path: path, mode: .readWrite, options: options)
        let test = TestStore(store: store, path: path, options: options)
        var random = SeededGenerator(seed: 3)
        let noise = (0..<12_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let blank = [UInt8](repeating: 32, count: 3_000_000)
        let kept = try store.write { transaction throws in
            try [noise, noise, blank, noise, []].map { bytes in
                var pieces = [Array(bytes.prefix(5000)), Array(bytes.dropFirst(5000))]
                let id = try transaction.quarantine(QuarantineTests.line("r")) {
                    pieces.isEmpty ? nil : pieces.removeFirst()
                }
                #expect(pieces.isEmpty)
                return id
            }
        }
        #expect(kept.map { $0 != nil } == [true, false, true, false, true])
        #expect(try store.read { try $0.statistics() }.quarantined == 3)
        #expect(try bytes(store, kept[2] ?? 0) == blank)
        #expect(try store.read { try $0.verify { _, _ in } } == [])
        // Removing lines makes room again.
        try store.write { try $0.dropQuarantined(ids: [kept[0] ?? 0]) }
        #expect(try store.write { try $0.quarantine(QuarantineTests.line("r"), bytes: noise) } != nil)
        try test.reopen()
        #expect(try test.store.write { try $0.quarantine(QuarantineTests.line("r"), bytes: noise) } == nil)
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test(
        arguments: [
            (limit: nil, used: 0, free: 1000, room: 100),
            (limit: nil, used: 500, free: 500, room: -400),
            (limit: nil, used: 0, free: 0, room: 0),
            (limit: nil, used: 0, free: -1, room: 0),
            (limit: nil, used: 0, free: 1 << 62, room: 1 << 30),
            (limit: nil, used: 0, free: nil, room: 1 << 30),
            (limit: 300, used: 100, free: 0, room: 200),
        ] as [(limit: Int64?, used: Int64, free: Int64?, room: Int64)]
    )
    func `its limit follows the free space`(limit: Int64?, used: Int64, free: Int64?, room: Int64) {
        var budget = QuarantineBudget(used: used, limit: limit)
        #expect(budget.hasRoom(for: room, free: free) && !budget.hasRoom(for: room + 1, free: free))
        // Events of the same transaction have taken the disk meanwhile.
        budget.add(10, to: 0)
        #expect(limit != nil || !budget.hasRoom(for: 1, free: 0))
    }
}
