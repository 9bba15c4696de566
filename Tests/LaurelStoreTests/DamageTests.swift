// SPDX-License-Identifier: Apache-2.0

import CSQLite
import LaurelEvents
import LaurelStore
import Testing

/// Changed bytes with a matching checksum give errors, never crashes.
@Suite struct DamageTests {
    /// A connection that changes a store's file in ways that no program should.
    final class Vandal {
        private var handle: OpaquePointer?

        /// Opens through the layer that writes pages' checksums, so that these match.
        init(_ path: String) {
            sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, "laurel-checked-pages")
        }

        deinit { sqlite3_close(handle) }

        func read(_ sql: String) -> [UInt8] {
            var statement: OpaquePointer?
            sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
            defer { sqlite3_finalize(statement) }
            guard sqlite3_step(statement) == SQLITE_ROW else { return [] }
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, 0),
                count: Int(sqlite3_column_bytes(statement, 0))
            )
            return Array(bytes)
        }

        func write(_ sql: String, _ bytes: [UInt8]) {
            var statement: OpaquePointer?
            sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
            bytes.withUnsafeBytes { bytes in
                sqlite3_bind_blob(statement, 1, bytes.baseAddress, Int32(bytes.count), nil)
                sqlite3_step(statement)
            }
            sqlite3_finalize(statement)
        }
    }

    /// Corrects the checksum, so that the content is accepted. Blocks and records of the tail both have one of version
    /// 1, over only the bytes that follow.
    private func sealed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 9 else { return bytes }
        let hash = Array(bytes[9...]).withUnsafeBufferPointer { TextTable.hash($0) }
        return [1] + (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64($0 * 8)) } + bytes[9...]
    }

    private func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var copy = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 9..<copy.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: copy[place] = UInt8.random(in: 0...255, using: &random)
            case 1: copy[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: copy.remove(at: place)
            default: copy.insert(255, at: place)
            }
            if copy.count < 12 { break }
        }
        return sealed(copy)
    }

    /// The checksum matches, so only the value itself shows the damage.
    @Test(arguments: ["tail"], [Double.nan, .infinity])
    func `a number that is none`(table: String, number: Double) throws {
        let path = TestStore.temporaryPath()
        var options = StoreOptions()
        options.bulkThreshold = table == "blocks" ? 1 : 1000
        let test = TestStore(
            store: try SQLiteStore(path: path, mode: .readWrite, options: options),
            path: path,
            options: options
        )
        // A number that fits no scale, so that its bytes are stored unchanged.
        let odd = 0.123456789012345678
        try test.append([TestEvent(id: "a", data: [("accuracy", .double(odd))])])
        (test.store as? SQLiteStore)?.close()
        let vandal = Vandal(path)
        let original = vandal.read("SELECT data FROM \(table)")
        let replaced = bytes(of: number)
        let place = try #require(
            original.indices.dropLast(7).first { Array(original[$0..<$0 + 8]) == bytes(of: odd) }
                ?? original.indices.dropLast(7).first { Array(original[$0..<$0 + 8]) == bytes(of: odd).reversed() }
        )
        vandal.write(
            "UPDATE \(table) SET data = ?",
            sealed(Array(original[..<place]) + replaced + original[(place + 8)...])
        )
        let store = try SQLiteStore(path: path, mode: .readOnly)
        let error = #expect(throws: StoreError.self) { _ = try store.read { try $0.events(of: 1) } }
        #expect(error?.code == .corrupt)
    }

    private func bytes(of number: Double) -> [UInt8] {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
    }

    @Test(arguments: ["blocks", "tail"], UInt64(1)...3)
    func believedDamageNeverCrashes(table: String, seed: UInt64) throws {
        let path = TestStore.temporaryPath()
        var options = StoreOptions()
        options.bulkThreshold = table == "blocks" ? 1 : 1000
        options.compressionLevel = 1
        let test = TestStore(
            store: try SQLiteStore(path: path, mode: .readWrite, options: options),
            path: path,
            options: options
        )
        var odd = OddEvents(seed: seed)
        try test.append((0..<(table == "blocks" ? 60 : 1)).map { _ in odd.event(subject: "ana") })
        (test.store as? SQLiteStore)?.close()
        let vandal = Vandal(path)
        let original = sealed(vandal.read("SELECT data FROM \(table)"))
        vandal.write("UPDATE \(table) SET data = ?", original)
        #expect(try merged(SQLiteStore(path: path, mode: .readOnly).read { try $0.events(of: 1) }).count > 0)
        var failures = 0
        for _ in 0..<400 {
            vandal.write("UPDATE \(table) SET data = ?", damaged(original, &odd.random))
            let store = try SQLiteStore(path: path, mode: .readOnly)
            do {
                _ = try store.read { try merged($0.events(of: 1), checkingOrder: false) }
            } catch let error as StoreError {
                #expect(error.code == .corrupt)
                failures += 1
            }
        }
        #expect(failures > 100)
    }
}
