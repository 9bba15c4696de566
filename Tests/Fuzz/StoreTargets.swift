// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress

@testable import LaurelClient
@testable import LaurelStore

/// Bytes in Laurel's own formats with matching checksums, as damage or another program could produce.
enum StoreTargets {
    static let all = [blocks, tail, states, snapshots, numbers, segments]

    /// Events with values of every kind.
    private static let events: EventTable = {
        var table = EventTable()
        var decoder = EventDecoder()
        for round in 0..<6 {
            for line in TextTargets.lines {
                let line = line.replacingOccurrences(of: #""id":""#, with: #""id":"\#(round)-"#)
                    .replacingOccurrences(
                        of: #""subject":"[^"]*""#,
                        with: #""subject":"ana""#,
                        options: .regularExpression
                    )
                _ = line.bytes.withUnsafeBufferPointer {
                    decoder.decode(line: $0, into: &table, clock: TextTargets.clock)
                }
            }
        }
        let rows = Array(0..<table.count).sorted { table.isBefore($0, table, $1) }
        return EventTable(gathering: rows, of: table)
    }()

    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 9 else { return bytes }
        let hash = Array(bytes[9...]).withUnsafeBufferPointer { TextTable.hash($0) }
        return bytes[0..<1] + (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64($0 * 8)) } + bytes[9...]
    }

    /// Some of the events, as those of two learners.
    private static func encodedBlock(_ range: Range<Int>) -> [UInt8] {
        let rows = range.map { TableRow(table: 0, row: Int32($0)) }
        let (packedRows, packed) = EventTable.packed(rows, of: [events])
        let half = rows.count / 2
        return BlockEncoder(level: 1).encode(packedRows, of: packed, learners: [(1, half), (7, rows.count - half)])
    }

    /// Blocks of few events. Nothing in them is compressed, so that mutations change the content.
    private static func encodedBlocks() -> [[UInt8]] {
        [encodedBlock(0..<events.count)] + (0..<events.count - 2).map { encodedBlock($0..<$0 + 3) }
    }

    static let blocks = FuzzTarget("blocks", seeds: encodedBlocks) {
        let decoder = BlockDecoder()
        let plan = try RichRules.plan.get()
        var round = 0
        return { bytes in
            round += 1
            let fields: FieldSelection = round % 7 == 0 ? .identities : round % 5 == 0 ? .only(["word"]) : .all
            let learners: ClosedRange<Int64>? = round % 3 == 0 ? 7...7 : nil
            try sealed(bytes).withUnsafeBytes { bytes in
                let block = try decoder.decode(bytes, fields: fields, of: learners) { Array("learner-\($0)".utf8) }
                export(block.table)
                if fields == .all, let run = block.runs.first {
                    Folding.fold(EventTable(gathering: Array(run.rows), of: block.table), plan)
                }
            }
        }
    }

    private static func export(_ table: EventTable) {
        for row in 0..<table.count {
            var output: [UInt8] = []
            table.encode(row, into: &output)
        }
    }

    private static let key = TailRecord.Key(learner: 1, milliseconds: TextTargets.clock, sequence: 1)

    static let tail = FuzzTarget(
        "tail",
        seeds: { (0..<events.count).map { TailRecord.encode(events, $0, key: key) } }
    ) {
        { bytes in
            var table = EventTable()
            // Version 1, with the checksum of blocks.
            try sealed([1] + bytes.dropFirst()).withUnsafeBytes {
                try TailRecord.decode($0, key: key, subject: 0, into: &table)
            }
            export(table)
        }
    }

    /// A readable state can be folded further, and written.
    static let states = FuzzTarget(
        "states",
        seeds: {
            guard let plan = try? RichRules.plan.get() else { return [] }
            return [Folding.fold(events, plan).encoded()]
        }
    ) {
        let plan = try RichRules.plan.get()
        return { bytes in
            guard let state = LearnerState(decoding: bytes, plan: plan) else { return }
            Folding.read(state, plan)
            Folding.fold(events, plan, after: state)
        }
    }

    static let snapshots = FuzzTarget(
        "snapshots",
        seeds: {
            let key = PackedSnapshot.Key(learner: 1)
            let packed = PackedSnapshot.pack(Array(repeating: 7, count: 500), of: key, with: Compressor(level: 1))
            // The length and the frame, without the checksum, which would refuse every mutation.
            return [Array(packed[..<7]) + [0] + packed[16...]]
        }
    ) {
        let decompressor = Decompressor()
        return { bytes in
            // The length alone may claim very much memory.
            guard bytes.count >= 8, bytes[3..<8].allSatisfy({ $0 == 0 }) else { return }
            let length = bytes[..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            _ = PackedSnapshot.unpack(bytes[8...], length: length, with: decompressor)
        }
    }

    /// Numbers in JSON, and sorted numbers of the identity index.
    static let numbers = FuzzTarget(
        "numbers",
        seeds: {
            [
                #"{"lines":5,"xp":-0.5,"a\u0001\"b":null,"big":9e999}"#.bytes, "{}".bytes,
                SortedNumbers.encode([3, 5, 1000, 1 << 27], from: 0),
            ]
        },
        tokens: ["{", "}", "\"a\":", ",", "null", "9e999"]
    ) {
        { bytes in
            _ = NumbersJSON.decode(bytes)
            _ = try bytes.withUnsafeBytes {
                try SortedNumbers.decode($0, from: Int64(bytes.first ?? 0), limit: 1 << 16)
            }
        }
    }

    private static func segment() -> [UInt8] {
        var bytes = RecordFormat.header
        for number in UInt64(1)...4 {
            RecordFormat.append(.event, number...number, TextTargets.lines[0].bytes, to: &bytes)
        }
        RecordFormat.append(.delivered, 1...2, to: &bytes)
        return bytes
    }

    /// Records have their own checksums, which are corrected so that mutated records are accepted. The first byte is
    /// ignored.
    static let segments = FuzzTarget("segments", seeds: { [[0] + segment(), [2] + segment()] }) {
        { bytes in
            var bytes = Array(bytes.dropFirst())
            let marker: [UInt8] = [0xFF, 0x4C, 0xFE, 0x52]
            for start in bytes.indices.dropLast(12) where bytes[start..<start + 4].elementsEqual(marker) {
                let length = bytes[start + 8..<start + 12].reversed().reduce(0) { $0 << 8 | Int($1) }
                guard start + 12 + length <= bytes.count else { continue }
                let sum = RecordFormat.bytes(Checksum.of(bytes[start + 8..<start + 12 + length]))
                bytes.replaceSubrange(start + 4..<start + 8, with: sum)
            }
            var numbers: [ClosedRange<UInt64>] = []
            try RecordFormat.scan(bytes) { record in
                FuzzTarget.expect(record.range.upperBound <= bytes.count, "a record behind the segment")
                numbers.append(record.numbers)
            }
            // The next number is one more than the highest.
            if let highest = numbers.map(\.upperBound).max() { _ = highest + DeviceFile.reservation }
        }
    }
}
