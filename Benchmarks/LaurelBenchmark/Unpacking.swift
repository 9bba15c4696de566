// SPDX-License-Identifier: Apache-2.0

import CSQLite
import CZstd
import Glibc
import LaurelStore

/// The lower bound of any replay: reads every block and decompresses every zstd frame in it, on all cores, without
/// reading the content.
///
/// Frames are found by their magic number. So the benchmark works with any layout of blocks that contain zstd frames.
struct Unpacking {
    let path: String

    func run() throws -> Report {
        let blocks = try Blocks(path: path).identifiers()
        let startProcessor = processorSeconds()
        var totals = Totals()
        let time = try nanoseconds {
            let share = max(1, (blocks.count + Threads.processors - 1) / Threads.processors)
            let shares = stride(from: 0, to: blocks.count, by: share).map {
                blocks[$0..<min($0 + share, blocks.count)]
            }
            try shares.mapInParallel(transform: unpack) { totals.add($0) }
        }
        // The magic number may occur by chance, but rarely.
        guard totals.frames > 100 * totals.broken else {
            throw BenchmarkError("\(path): of its zstd frames \(totals.frames) unpack, \(totals.broken) do not")
        }
        var report = Report()
        report.add("seconds", Double(time) / 1e9)
        report.add("cpu_seconds", processorSeconds() - startProcessor)
        report.add("blocks", Double(blocks.count))
        report.add("frames", Double(totals.frames))
        report.add("stored_bytes", Double(totals.stored))
        report.add("unpacked_bytes", Double(totals.unpacked))
        return report
    }

    @Sendable
    private func unpack(_ identifiers: ArraySlice<Int64>) throws -> Totals {
        let blocks = try Blocks(path: path)
        let unpacker = FrameUnpacker()
        var totals = Totals()
        for block in identifiers {
            try blocks.withBytes(of: block) { totals.add(unpacker.unpackFrames(in: $0)) }
        }
        return totals
    }
}

/// The totals of decompression.
private struct Totals {
    var frames = 0
    /// The number of apparent frames that could not be decompressed.
    var broken = 0
    var stored = 0
    var unpacked = 0

    mutating func add(_ other: Totals) {
        frames += other.frames
        broken += other.broken
        stored += other.stored
        unpacked += other.unpacked
    }
}

/// Decompresses into one buffer repeatedly. Must not be used by two threads at once.
private final class FrameUnpacker {
    /// The size of the largest stream of a block. Untouched memory costs nothing.
    private static let largest = 256 << 20
    /// The magic number of RFC 8878, section 3.1.1.
    private static let magic: UInt32 = 0xFD2F_B528
    private static let firstByte = Int32(magic & 0xFF)
    private let context = ZSTD_createDCtx()
    private let output = mmap(nil, largest, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)!

    deinit {
        ZSTD_freeDCtx(context)
        munmap(output, Self.largest)
    }

    func unpackFrames(in block: UnsafeRawBufferPointer) -> Totals {
        var totals = Totals(stored: block.count)
        var position = 0
        while let start = nextFrame(in: block, from: position) {
            let rest = block.baseAddress! + start
            let stored = ZSTD_findFrameCompressedSize(rest, block.count - start)
            let isFrame = ZSTD_isError(stored) == 0
            let size = isFrame ? ZSTD_decompressDCtx(context, output, Self.largest, rest, stored) : 0
            if isFrame, ZSTD_isError(size) == 0 {
                totals.frames += 1
                totals.unpacked += size
                position = start + stored
            } else {
                totals.broken += 1
                position = start + 1
            }
        }
        return totals
    }

    private func nextFrame(in block: UnsafeRawBufferPointer, from position: Int) -> Int? {
        guard let base = block.baseAddress else { return nil }
        var position = position
        while position + 4 <= block.count {
            guard let found = memchr(base + position, Self.firstByte, block.count - position - 3) else { return nil }
            position = UnsafeRawPointer(found) - base
            if UInt32(littleEndian: base.loadUnaligned(fromByteOffset: position, as: UInt32.self)) == Self.magic {
                return position
            }
            position += 1
        }
        return nil
    }
}

/// The blobs of the table `blocks`, over a separate connection.
private final class Blocks {
    private var database: OpaquePointer?
    private var statement: OpaquePointer?

    init(path: String) throws {
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        // If two processes open the store at once, one waits until the other has read the log.
        guard sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK,
            sqlite3_busy_timeout(database, 5000) == SQLITE_OK,
            sqlite3_prepare_v2(database, "SELECT data FROM blocks WHERE block = ?", -1, &statement, nil) == SQLITE_OK
        else { throw BenchmarkError("\(path): \(String(cString: sqlite3_errmsg(database)))") }
    }

    deinit {
        sqlite3_finalize(statement)
        sqlite3_close_v2(database)
    }

    func identifiers() throws -> [Int64] {
        var list: OpaquePointer?
        defer { sqlite3_finalize(list) }
        guard sqlite3_prepare_v2(database, "SELECT block FROM blocks ORDER BY block", -1, &list, nil) == SQLITE_OK
        else { throw BenchmarkError(String(cString: sqlite3_errmsg(database))) }
        var identifiers: [Int64] = []
        while sqlite3_step(list) == SQLITE_ROW { identifiers.append(sqlite3_column_int64(list, 0)) }
        return identifiers
    }

    func withBytes(of block: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        sqlite3_bind_int64(statement, 1, block)
        defer { sqlite3_reset(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW else { throw BenchmarkError("block \(block) cannot be read") }
        let count = Int(sqlite3_column_bytes(statement, 0))
        try body(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, 0), count: count))
    }
}
