// SPDX-License-Identifier: Apache-2.0

import Foundation
import CZlib
import CZstd
import Glibc
import Laurel
import LaurelEvents
import LaurelStore
import Synchronization
import Testing

@Suite struct InputTests {
    private static let lines = simulated(learners: 4, days: 6, seed: 51)
    private static let plain = Array(lines.joined(separator: "\n").utf8)

    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream,
            6,
            Z_DEFLATED,
            15 + 16,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        defer { deflateEnd(&stream) }
        var (input, output) = (bytes, [UInt8](repeating: 0, count: bytes.count + 1000))
        let (inputCount, outputCount) = (UInt32(input.count), UInt32(output.count))
        return input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, inputCount)
                (stream.next_out, stream.avail_out) = (output.baseAddress, outputCount)
                precondition(deflate(&stream, Z_FINISH) == Z_STREAM_END)
                return Array(output[0..<Int(outputCount - stream.avail_out)])
            }
        }
    }

    private static func zstd(_ bytes: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let count = output.count
        let size = output.withUnsafeMutableBytes { ZSTD_compress($0.baseAddress, count, bytes, bytes.count, 3) }
        return Array(output[0..<size])
    }

    private static let array = Array(("[\n" + lines.joined(separator: ",\r\n  ") + "\n]\n").utf8)

    @Test("one fingerprint in every wrapping", arguments: ["gzip", "zstd", "array", "array, gzip", "CRLF"])
    func wrapped(in wrapping: String) throws {
        let plain = try Bench(.sqlite)
        try plain.ingest(InputTests.plain)
        let bench = try Bench(.sqlite)
        let bytes: [UInt8] =
            switch wrapping {
            case "gzip": InputTests.gzip(InputTests.plain)
            case "zstd": InputTests.zstd(InputTests.plain)
            case "array": InputTests.array
            case "array, gzip": InputTests.gzip(InputTests.array)
            default: Array(InputTests.lines.joined(separator: "\r\n").utf8)
            }
        let report = try bench.ingest(bytes)
        #expect((report.read, report.stored) == (InputTests.lines.count, InputTests.lines.count))
        #expect(try bench.soundFingerprint() == plain.engine.fingerprint())
    }

    @Test("an input that breaks off is told, and can be fed again", arguments: ["gzip", "zstd"])
    func cut(packing: String) throws {
        let bench = try Bench(.sqlite)
        let packed = packing == "gzip" ? InputTests.gzip(InputTests.plain) : InputTests.zstd(InputTests.plain)
        let report = try bench.ingest(Array(packed.dropLast(7)))
        #expect(report.unreadable.count == 1)
        #expect(report.stored == report.read)
        _ = try bench.soundFingerprint()
        let again = try bench.ingest(packed)
        #expect(again.stored == InputTests.lines.count - report.stored)
        #expect(again.duplicates == report.stored)
        _ = try bench.soundFingerprint()
    }

    @Test func `bad elements of an array cost themselves alone`() throws {
        let bench = try Bench(.sqlite)
        let report = try bench.ingest(Array("[\n\(line("a")),\n5,\n{\"id\":7},\n\(line("b"))\n]".utf8))
        #expect((report.read, report.stored, report.refused) == (4, 2, 2))
        #expect(report.problems.map(\.line) == [3, 4])
    }

    @Test func `several inputs, one after the other`() throws {
        let bench = try Bench(.sqlite)
        let files = try [[line("a"), "{"], [line("a"), line("b")]].enumerated().map { index, lines in
            try bench.folder.write(lines.joined(separator: "\n"), to: "file\(index)")
        }
        let sources = files.map { IngestSource(name: $0, descriptor: open($0, O_RDONLY), size: 100) }
        defer { sources.forEach { close($0.descriptor) } }
        let report = try bench.engine.ingest(sources, options: IngestOptions(now: Date(milliseconds: Bench.now)))
        #expect((report.read, report.stored, report.duplicates, report.refused) == (4, 2, 1, 1))
        #expect(report.problems.map(\.file) == [files[0]])
    }

    /// A pipe whose writer pauses. Its earlier events are durable and visible meanwhile, and other processes can write.
    @Test func `a slow writer`() throws {
        let bench = try Bench(.sqlite)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        let report = Mutex<IngestReport?>(nil)
        let engine = bench.engine
        let ingest = Thread {
            let source = IngestSource(name: "pipe", descriptor: reading, size: nil)
            let result = try? engine.ingest([source], options: IngestOptions(now: Date(milliseconds: Bench.now)))
            report.withLock { $0 = result }
        }
        put(line("a") + "\n" + line("b") + "\n" + #"{"id":"c","sou"#, into: writing)
        #expect(try becomesTrue { try bench.engine.statistics().events == 2 })
        let other = try ProgressEngine.openForWriting(bench.folder.file("laurel.db"), rules: nil, clock: Bench.now)
        let event = Event(id: "x", source: "y", type: "line.spoken", subject: "leo", time: Timestamp(milliseconds: 0))
        #expect(try other.ingest([event], now: Bench.now).stored == 1)
        put(#"rce":"app","type":"line.spoken","subject":"ana","time":"2026-02-05T10:00:00Z"}"#, into: writing)
        #expect(report.withLock { $0 } == nil)
        close(writing)
        ingest.join()
        #expect(report.withLock { $0?.stored } == 3)
        #expect(try bench.soundFingerprint() == other.fingerprint())
        #expect(try bench.engine.statistics().events == 4)
    }

    /// A pipe whose writer pauses within a line that is too long. Other writers can write meanwhile.
    @Test("a slow writer of a long line", arguments: [Backend.sqlite, .memoryPartitioned], [true, false])
    func slowLongLine(backend: Backend, hasEnd: Bool) throws {
        let bench = try Bench(backend)
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        let report = Mutex<IngestReport?>(nil)
        let engine = bench.engine
        let ingest = Thread {
            let source = IngestSource(name: "pipe", descriptor: reading, size: nil)
            let result = try? engine.ingest([source], options: IngestOptions(now: Date(milliseconds: Bench.now)))
            report.withLock { $0 = result }
        }
        let half = String(repeating: "x", count: 3_000_000)
        put(line("a") + "\n" + half, into: writing)
        #expect(try becomesTrue { try engine.statistics().events == 1 })
        let other =
            backend.isFile
            ? try ProgressEngine.openForWriting(bench.folder.file("laurel.db"), rules: nil, clock: Bench.now) : engine
        for name in ["x", "y"] {
            let time = Timestamp(milliseconds: 0)
            let event = Event(id: name, source: "y", type: "line.spoken", subject: "leo", time: time)
            #expect(try other.ingest([event], now: Bench.now).stored == 1)
            put(half, into: writing)
        }
        #expect(report.withLock { $0 } == nil)
        if hasEnd { put("\n" + line("b"), into: writing) }
        close(writing)
        ingest.join()
        let end = try #require(report.withLock { $0 })
        #expect((end.read, end.stored, end.refused) == (hasEnd ? 3 : 2, hasEnd ? 2 : 1, 1))
        #expect(end.problems.map(\.line) == [2])
        #expect(try bench.quarantined().map(\.bytes) == [Array(String(repeating: half, count: 3).utf8)])
    }

    private func put(_ text: String, into descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else {
                Issue.record("the pipe is broken")
                return
            }
            rest = rest.dropFirst(written)
        }
    }
}

/// A thread that can be joined.
private final class Thread {
    private var thread = pthread_t()
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    init(_ run: sending @escaping () -> Void) {
        let body = Unmanaged.passRetained(Body(run)).toOpaque()
        pthread_create(
            &thread,
            nil,
            { body in
                Unmanaged<Body>.fromOpaque(body!).takeRetainedValue().run()
                return nil
            },
            body
        )
    }

    func join() { pthread_join(thread, nil) }
}
