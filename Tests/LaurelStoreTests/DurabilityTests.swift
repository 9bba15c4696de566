// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import LaurelStore
import Testing

@Suite struct DurabilityTests {
    struct Stop: Error {}

    @Test(arguments: Backend.allCases)
    func whatThrowsLeavesNothing(backend: Backend) throws {
        let test = try backend.make()
        try test.append([TestEvent(id: "e1")])
        #expect(throws: Stop.self) {
            try test.store.write { transaction throws in
                let many = (0..<100).map { TestEvent(id: "e\($0)", milliseconds: Int64($0)) }
                _ = try transaction.append(many)
                _ = try transaction.append([TestEvent(subject: "bo", id: "e1")])
                try transaction.setRules(
                    RulesRecord(version: 1, hash: "", name: "", appliedAt: 0, source: [])
                )
                // The transaction reads what it wrote.
                #expect(try transaction.learner(named: Array("bo".utf8))?.eventCount == 1)
                throw Stop()
            }
        }
        #expect(try test.events(of: "ana").count == 1)
        #expect(try test.events(of: "bo") == [])
        #expect(try test.store.read { try $0.rules() }.isEmpty)
        #expect(try test.outcomes(TestEvent(id: "e50")) == [.stored])
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }

    @Test(arguments: Backend.allCases)
    func aReaderSeesOneState(backend: Backend) throws {
        let test = try backend.make()
        try test.append([TestEvent(id: "e1")])
        let store = test.store
        try store.read { reader throws in
            #expect(try reader.statistics().learners == 1)
            // In MemoryStore as in SQLite, a write does not wait for a read.
            try store.write { _ = try $0.append([TestEvent(subject: "bo", id: "e1")]) }
            #expect(try reader.statistics().learners == 1)
        }
        #expect(try store.read { try $0.statistics().learners } == 2)
    }

    @Test(arguments: Backend.allCases)
    func groupsCoverAllLearners(backend: Backend) throws {
        let test = try backend.make()
        var odd = OddEvents(seed: 11)
        let names = (0..<17).map { "l\($0)" }
        for _ in 0..<6 {
            try test.append((0..<60).map { _ in odd.event(subject: names.randomElement(using: &odd.random)!) })
        }
        var seen: [String: [String]] = [:]
        var ids: [Int64] = []
        try test.store.read { reader throws in
            try reader.forEachLearner(fields: .all) { learner, runs in
                ids.append(learner.id)
                seen[String(decoding: learner.subject, as: UTF8.self)] = merged(runs)
            }
        }
        #expect(ids == ids.sorted())
        for name in names { #expect(try test.events(of: name) == seen[name] ?? []) }
    }

    @Test(arguments: Backend.allCases)
    func boundsLeaveOutOnlyWhatIsOutside(backend: Backend) throws {
        let test = try backend.make()
        for start in stride(from: 0, to: 100, by: 25) {
            try test.append((start..<start + 25).map { TestEvent(id: "e\($0)", milliseconds: Int64($0 * 1000)) })
        }
        let learner = try #require(try test.store.read { try $0.learner(named: Array("ana".utf8)) })
        try test.store.read { reader throws in
            let runs = try reader.events(of: learner.id, since: 30_000, until: 40_000, fields: .all)
            let times = Set(runs.flatMap { run in run.rows.map { run.table.milliseconds[$0] } })
            #expect(times.isSuperset(of: (30...40).map { $0 * 1000 }))
            #expect(try reader.events(of: learner.id, since: 200_000, until: nil, fields: .all).isEmpty)
        }
    }

    @Test func onlySomeFieldsAreDecoded() throws {
        let test = try Backend.sqliteTiny.make()
        let data: [(String, Datum)] = [("a", .integer(1)), ("b", .text("x")), ("c", .double(0.5))]
        try test.append((0..<40).map { TestEvent(id: "e\($0)", data: $0 % 3 == 0 ? data : [data[2], data[0]]) })
        try test.store.read { reader throws in
            let runs = try reader.events(of: 1, since: nil, until: nil, fields: .only(["c"]))
            let table = runs[0].table
            #expect((0..<table.count).allSatisfy { table.values(of: $0).count == 1 })
            #expect(table.fields.string(table.values(of: 0).first!.field) == "c")
        }
    }

    @Test func correctionsAreDecodedWithoutTimes() throws {
        let test = try Backend.sqliteTiny.make()
        let events = (0..<40).map { number in
            TestEvent(
                source: "app \(number % 2)",
                id: "e\(number)",
                type: number % 5 == 0 ? "event.retracted" : "line.spoken",
                milliseconds: 1000 * Int64(number),
                language: "es",
                session: "s\(number % 3)",
                data: [("id", .text("e\(number + 1)")), ("reason", .text("none"))]
            )
        }
        try test.append(events)
        try test.store.read { reader throws in
            let table = try reader.events(of: 1, since: nil, until: nil, fields: .corrections(["id"]))[0].table
            for (row, event) in events.prefix(table.count).enumerated() {
                #expect(table.identifier(row) == Array(event.id.utf8))
                #expect(table.texts.string(table.source[row]) == event.source)
                #expect(table.texts.string(table.session[row]) == event.session)
                #expect(table.types.string(table.type[row]) == event.type)
                #expect(table.values(of: row).map { table.texts.string(UInt32($0.payload)) } == ["e\(row + 1)"])
                #expect(table.milliseconds[row] == 0 && table.language[row] == 0)
            }
        }
    }
}
