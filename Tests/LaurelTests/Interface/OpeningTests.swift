// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

@Suite struct OpeningTests {
    private let folder: URL

    init() throws {
        folder = URL(filePath: NSTemporaryDirectory()).appending(path: "laurel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private static let event = Data(
        #"{"id":"1","source":"app","type":"line.spoken","subject":"ana","time":"2026-02-05T10:00:00Z","data":{"accuracy":1}}"#
            .utf8
    )

    @Test func `a store in a file keeps what it was fed, and its rules`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "progress.db")
        let yaml = "version: 1\nname: r\nxp: [{id: line, on: line.spoken, award: 7}]\n"
        do {
            let engine = try ProgressEngine.open(file, rules: Rules(yaml: yaml))
            #expect(try engine.ingest(cloudEvents: Self.event).stored == 1)
            #expect(try engine.ingest(cloudEvents: Self.event).duplicates == 1)
        }
        #expect(try ProgressEngine.open(file).learner("ana").progress()?.totalXP == 7)
        #expect(try ProgressEngine.open(file, for: .reading).learner("ana").progress()?.totalXP == 7)
        let rules = folder.appending(path: "rules.yaml")
        try yaml.replacing("7", with: "9").write(to: rules, atomically: true, encoding: .utf8)
        #expect(
            try ProgressEngine.open(file, for: .reading, rules: Rules(contentsOf: rules)).learner("ana").progress()?
                .totalXP == 9
        )
    }

    @Test func `a store has the rules it was given first, until others are applied`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "progress.db")
        let yaml = { (award: Int) in "version: 1\nxp: [{id: line, on: line.spoken, award: \(award)}]\n" }
        _ = try ProgressEngine.open(file, rules: Rules(yaml: yaml(7))).ingest(cloudEvents: Self.event)
        let error = #expect(throws: EngineError.self) { try ProgressEngine.open(file, rules: Rules(yaml: yaml(9))) }
        #expect(error?.code == .otherRules && error?.message.contains("rules apply") == true)
        let engine = try ProgressEngine.open(file, rules: Rules(yaml: yaml(7)))
        let other = try ProgressEngine.open(file)
        try engine.apply(Rules(yaml: yaml(9)))
        for engine in [engine, other, try ProgressEngine.open(file, rules: Rules(yaml: yaml(9)))] {
            #expect(try engine.learner("ana").progress()?.totalXP == 9)
        }
        #expect(throws: EngineError.self) { try engine.apply(Rules(yaml: "version: 2")) }
    }

    @Test func `errors have codes`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let missing = folder.appending(path: "missing.db")
        #expect(throws: EngineError.self) { try ProgressEngine.open(missing, for: .reading) }
        func code(_ body: () throws(EngineError) -> Void) -> EngineError.Code? {
            do {
                try body()
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code { () throws(EngineError) in _ = try ProgressEngine.open(missing, for: .reading) } == .notFound)
        let other = folder.appending(path: "other.db")
        try Data("hello, hello, hello".utf8).write(to: other)
        #expect(code { () throws(EngineError) in _ = try ProgressEngine.open(other) } == .notAStore)
        #expect(
            code { () throws(EngineError) in _ = try ProgressEngine.inMemory(rules: Rules(yaml: "version: 2")) }
                == .invalidRules
        )
        let file = folder.appending(path: "progress.db")
        let writer = try ProgressEngine.open(file)
        try writer.ingest(cloudEvents: Self.event)
        let reader = try ProgressEngine.open(file, for: .reading)
        #expect(code { () throws(EngineError) in _ = try reader.ingest(cloudEvents: Self.event) } == .readOnly)
        #expect(
            code { () throws(EngineError) in _ = try writer.ingest(cloudEvents: Data("[{}, {}".utf8)) } == .unreadable
        )
    }

    @Test func `what is refused is told, and stops nothing`() throws {
        let engine = try ProgressEngine.inMemory()
        let bad = Data(#"{"id":"2","type":"line.spoken"}"#.utf8 + [10] + Self.event)
        let report = try engine.ingest(cloudEvents: bad)
        #expect((report.read, report.stored, report.refused) == (2, 1, 1))
        #expect(report.problems.map(\.message) == ["source is missing; every event needs it"])
    }

    @Test func `many tasks ask while events come in`() async throws {
        let engine = try ProgressEngine.inMemory()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    let event = Data(
                        String(decoding: Self.event, as: UTF8.self).replacing(#""id":"1""#, with: #""id":"\#(task)""#)
                            .utf8
                    )
                    try await engine.write { try $0.ingest(cloudEvents: event) }
                    #expect(try await engine.read { try $0.learner("ana").progress() } != nil)
                }
            }
            try await group.waitForAll()
        }
        #expect(try engine.learner("ana").progress()?.events == 16)
    }
}
