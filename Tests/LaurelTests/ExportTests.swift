// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelStore
import Testing

@Suite struct ExportTests {
    /// The lines as JSON with sorted keys; numbers as they are kept.
    private func canonical(_ lines: [String]) throws -> [String] {
        try lines.map { try JSONLine($0).value.json }.sorted()
    }

    @Test(arguments: Backend.allCases) func `gives simulated events back`(backend: Backend) throws {
        let bench = try Bench(backend)
        let lines = simulated(learners: 5, days: 8, seed: 31)
        try bench.ingest(lines)
        #expect(try canonical(bench.export()) == canonical(lines))
    }

    @Test(arguments: Backend.allCases) func `gives back whatever an event may hold`(backend: Backend) throws {
        let bench = try Bench(backend)
        let lines = [
            line(
                "a",
                data: #"{"accuracy":0.30000000000000004,"errors":null,"unknown":[1,{"x":[]},"\u0000\ud83d\ude00"]}"#
            ),
            line(
                "b",
                "quest.finished",
                at: "2026-02-05t10:00:00.25+05:45",
                data: #"{"n":-0.0,"big":123456789012345678901}"#
            ),
            line("c \\\" \u{e9}", at: "2026-02-05T10:00:00-00:00", data: "{}"),
            #"{"specversion":"1.0","id":"d","source":"app","type":"x.y","subject":"ana","time":"2026-02-05T10:00:00z","#
                + #""datacontenttype":"application/json","trace":{"a":[true,null]},"timezone":"Asia/Kathmandu","language":"pt-BR"}"#,
        ]
        let report = try bench.ingest(lines)
        #expect(report.stored == lines.count, "\(report.problems)")
        #expect(try canonical(bench.export()) == canonical(lines))
    }

    @Test(arguments: Backend.allCases) func `each learner's in order`(backend: Backend) throws {
        let bench = try Bench(backend)
        let lines = [
            line("b", at: "2026-02-05T10:00:00Z"), line("a", at: "2026-02-05T10:00:00Z"),
            line("z", at: "2026-02-05T11:00:00+02:00"), line("x", at: "2026-02-05T10:00:00Z", source: "aaa"),
            line("other", by: "leo"),
        ]
        try bench.ingest(lines)
        #expect(try bench.export(subject: "ana").map { try JSONLine($0)["id"] } == ["z", "x", "a", "b"])
        #expect(try bench.engine.export(learner: "nobody") { _ in } == nil)
    }

    @Test func `feeding an export gives the same store`() throws {
        let first = try Bench(.sqliteTiny)
        try first.ingest(simulated(learners: 5, days: 15, seed: 32, disorder: true))
        let second = try Bench(.sqlite)
        try second.ingest(try first.export())
        #expect(try second.soundFingerprint() == first.soundFingerprint())
    }
}

@Suite struct ErasureTests {
    private static let lines = simulated(learners: 6, days: 15, seed: 41)
    private static let erased = try! JSONLine(lines[0])["subject"]

    @Test(arguments: Backend.allCases) func `as if the learner had never been`(backend: Backend) throws {
        let bench = try Bench(backend)
        try bench.ingest(ErasureTests.lines)
        try bench.ingest([line("bad", at: "never", by: ErasureTests.erased)])
        #expect(try bench.engine.erase(learner: ErasureTests.erased))
        #expect(try !bench.engine.erase(learner: ErasureTests.erased))
        let others = try Bench(.sqlite)
        try others.ingest(ErasureTests.lines.filter { try! JSONLine($0)["subject"] != ErasureTests.erased })
        #expect(try bench.soundFingerprint() == others.soundFingerprint())
        #expect(try bench.engine.statistics().quarantined == 0)
        #expect(try bench.engine.progress(of: ErasureTests.erased, language: nil, at: .latest) == nil)
    }

    /// The erased learner's events were in blocks with those of others.
    @Test(arguments: Backend.files, [false, true]) func `no trace in the files`(backend: Backend, afterReplay: Bool)
        throws
    {
        let bench = try Bench(backend)
        let name = "Xylophonia-Quetzalcoatl"
        let lines = (0..<60).map { number in
            line(
                "e\(number)",
                at: "2026-02-05T10:00:\(number < 10 ? "0" : "")\(number)Z",
                by: name,
                source: "tablet-of-\(name)"
            )
        }
        try bench.ingest(lines + simulated(learners: 3, days: 5, seed: 42) + [line("bad", at: "never", by: name)])
        if afterReplay { _ = try bench.engine.replay() }
        #expect(try traces(of: name, in: bench) > 0)
        #expect(try bench.engine.erase(learner: name))
        #expect(try traces(of: name, in: bench) == 0)
        _ = try bench.soundFingerprint()
    }

    private func traces(of name: String, in bench: Bench) throws -> Int {
        try ["laurel.db", "laurel.db-wal"].reduce(0) { count, file in
            let bytes = try contents(bench.folder.file(file))
            return count + String(decoding: bytes, as: UTF8.self).ranges(of: name).count
        }
    }

    @Test func `an erased learner may come back`() throws {
        let bench = try Bench(.sqliteTiny)
        try bench.ingest(ErasureTests.lines)
        let fingerprint = try bench.soundFingerprint()
        _ = try bench.engine.erase(learner: ErasureTests.erased)
        #expect(try bench.soundFingerprint() != fingerprint)
        try bench.ingest(ErasureTests.lines)
        #expect(try bench.soundFingerprint() == fingerprint)
    }
}
