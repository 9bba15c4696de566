// SPDX-License-Identifier: Apache-2.0

import Glibc
import Laurel
import LaurelEvents
import LaurelStore

/// Small appends, each durable when it returns. One goes to a new learner, one to the learner with most events, and
/// one writes the same bytes to a bare file. The three alternate, so that other disk activity affects all of them.
struct Appending {
    let path: String
    let batch: Int
    let count: Int
    let scratch: String

    private static let source = "benchmark/phone"

    func run() throws -> Report {
        let engine = try ProgressEngine.openForWriting(path, rules: nil, clock: 0)
        let veteran = try Learners(of: engine).busiest
        let file = try BareFile(path: scratch)
        var (first, late, bare) = (Latencies(), Latencies(), Latencies())
        var clock = veteran.lastEventAt! + 60_000
        for round in 0...count {
            let toVeteran = events(of: veteran.name, from: round * batch + 1, &clock)
            let toNew = events(of: "benchmark-\(getpid())-\(round)", from: 1, &clock)
            let bytes = toVeteran.flatMap { $0.encoded + [UInt8(ascii: "\n")] }
            // The first round opens files and fills caches.
            guard round > 0 else {
                try append(toVeteran, to: engine, clock)
                try append(toNew, to: engine, clock)
                try file.write(bytes)
                continue
            }
            try bare.measure { try file.write(bytes) }
            try first.measure { try append(toNew, to: engine, clock) }
            try late.measure { try append(toVeteran, to: engine, clock) }
        }
        var report = Report()
        report.add("learner_events", Double(veteran.learner.eventCount))
        report.add("first", first)
        report.add("millionth", late)
        report.add("bare", bare)
        return report
    }

    private func events(of subject: String, from number: Int, _ clock: inout Int64) -> [Event] {
        (0..<batch).map { offset in
            clock += 4000
            let id = "e\(number + offset)"
            return .spokenLine(subject, id: id, source: Self.source, milliseconds: clock)
        }
    }

    private func append(_ events: [Event], to engine: ProgressEngine, _ now: Int64) throws {
        let report = try engine.ingest(events, now: now)
        guard report.stored == events.count else {
            throw BenchmarkError("of \(events.count) events \(report.stored) were stored; is the store a fresh copy?")
        }
    }
}

/// A file that is appended to and flushed to disk.
private final class BareFile {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw BenchmarkError("\(path): \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws {
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
            throw BenchmarkError("writing the bare file: \(String(cString: strerror(errno)))")
        }
    }
}
