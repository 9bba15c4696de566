// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import SeededRandom
import StoreTesting
import Testing

/// Forbidden events are refused one by one: by the catalogue's types and fields, by source, and by the events that a
/// retraction voids.
@Suite struct SenderRightsTests {
    private static let administered = Catalogue.types.filter(\.isAdministered)

    /// A request whose sender has only a learner's rights.
    private func request(
        _ lines: [String],
        _ rights: SenderRights = .limited(),
        isAtomic: Bool = false
    ) -> IngestRequest {
        var request = IngestRequest(.lines, Array(lines.joined(separator: "\n").utf8))
        (request.rights, request.isAtomic) = (rights, isAtomic)
        return request
    }

    private func report(_ bench: Bench, _ requests: [IngestRequest]) throws -> [RequestReport] {
        try bench.engine.ingest(together: requests, now: Bench.date).map {
            switch $0 {
            case .done(let report), .nothingStored(let report): report
            default: throw CocoaError(.featureUnsupported)
            }
        }
    }

    private func codes(_ report: RequestReport) -> [String] { report.problems.map { "\($0.index) \($0.code)" } }

    // MARK: Types

    @Test(arguments: administered.map(\.name), Backend.allCases)
    func `an administrator's type is refused, and nothing else`(type: String, backend: Backend) throws {
        let decree = SampleEvent(type).json
        let lines = [SampleEvent("line.spoken").json, decree, SampleEvent("word.added").json]
        let bench = try Bench(backend)
        let all = try report(bench, [request(lines, isAtomic: true)])[0]
        #expect(codes(all) == ["1 forbidden-type"] && all.stored == 0 && all.refused == 1)
        #expect(try bench.export() == [] && bench.quarantined().isEmpty, "nothing of what is all or nothing")

        let some = try report(bench, [request(lines)])[0]
        #expect(codes(some) == ["1 forbidden-type"], "\(some.problems)")
        #expect(
            some.problems.allSatisfy { $0.message.hasPrefix("\(type) is for administrators") && $0.learner == "ana" }
        )
        #expect((some.read, some.stored, some.refused, some.notKept) == (3, 2, 1, 0))
        #expect(try bench.export().count == 2)
        #expect(try bench.quarantined().map { String(decoding: $0.bytes, as: UTF8.self) } == [decree])

        #expect(try report(bench, [request(lines, .limited(types: ["no.other"]))])[0].refused == 1)
        #expect(try report(bench, [request([decree], .limited(types: [type]))])[0].stored == 1)
        #expect(try report(bench, [request([decree], .administrator)])[0].duplicates == 1)
        _ = try bench.soundFingerprint()
    }

    @Test func `these types are an administrator's`() {
        #expect(
            Set(Self.administered.map(\.name)) == [
                "xp.adjusted", "xp.declared", "achievement.granted", "achievement.revoked", "streak.repaired",
                "streak.frozen", "streak.paused", "freeze.granted", "currency.adjusted", "level.declared",
                "league.finished", "group.joined", "group.left", "flag.cleared", "scheduler.fitted", "item.bought",
            ]
        )
        #expect(AdministeredEvents.profileFields == ["cohort"])
    }

    @Test func `a learner whose only event is refused does not come to be`() throws {
        let bench = try Bench(.sqlite)
        #expect(try report(bench, [request([SampleEvent("xp.adjusted").json])])[0].refused == 1)
        #expect(try bench.engine.learners().isEmpty)
    }

    // MARK: Profiles

    private static let profiles: [(name: String, data: String, isRefused: Bool)] = [
        ("a cohort", #"{"cohort":"a"}"#, true),
        ("a cohort beside a name", #"{"displayName":"Ana","cohort":"a"}"#, true),
        ("an empty cohort", #"{"cohort":""}"#, true),
        ("no cohort", #"{"cohort":null}"#, false),
        ("a name", #"{"displayName":"Ana","dailyGoalMinutes":20,"nativeLanguage":"en"}"#, false),
        ("what is shown", #"{"leaderboard":false,"leagues":false}"#, false),
        ("a field that the rules leave to the learner", #"{"plan":"daily"}"#, false),
        ("a field that the rules do not", #"{"vip":true}"#, true),
        ("the same, of another type", #"{"vip":"yes"}"#, true),
        ("the same, absent", #"{"vip":null}"#, false),
        ("a field of the catalogue that the rules do not", #"{"nickname":"A"}"#, false),
    ]

    @Test(arguments: profiles.indices) func `a profile is the learner's but for some fields`(row: Int) throws {
        let rules = """
            version: 1
            events: {learner.updated: {plan: text, vip: boolean}}
            administered: [vip]
            """
        let bench = try Bench(.memory, rules: rules)
        let (name, data, isRefused) = Self.profiles[row]
        let found = try report(bench, [request([SampleEvent("learner.updated", data: data).json])])[0]
        #expect(codes(found) == (isRefused ? ["0 forbidden-type"] : []), "\(name): \(found.problems)")
    }

    @Test func `fields that any version of the rules names are an administrator's, from the next request on`() throws {
        let bench = try Bench(.sqlite, rules: "version: 1\nevents: {learner.updated: {vip: boolean}}")
        let other = try Bench(sharing: bench)
        func send(_ id: String) throws -> [String] {
            codes(
                try report(bench, [request([SampleEvent("learner.updated", id: id, data: #"{"vip":true}"#).json])])[0]
            )
        }
        #expect(try send("1") == [])
        let later = "version: 1\nevents: {learner.updated: {vip: boolean}}\nadministered: [vip]"
        try other.engine.apply(Rules(yaml: later), from: LocalDay(year: 2030, month: 1, day: 1))
        #expect(try send("2") == ["0 forbidden-type"], "another process has applied them")
    }

    // MARK: Sources

    @Test(arguments: [
        ("laurel/", true), ("laurel/shop", true), ("laurel/é", true), ("laurel", false), ("Laurel/shop", false),
        ("laurels/shop", false), ("app/laurel/", false),
    ])
    func `sources that begin with laurel are reserved`(source: String, isRefused: Bool) throws {
        let bench = try Bench(.memory)
        let lines = [SampleEvent("line.spoken").json, SampleEvent("line.spoken", source: source).json]
        #expect(codes(try report(bench, [request(lines)])[0]) == (isRefused ? ["1 forbidden-source"] : []))
        let every = Set(Self.administered.map(\.name))
        let key = try report(bench, [request(lines, .limited(types: every))])[0]
        #expect(codes(key) == (isRefused ? ["1 forbidden-source"] : []), "types open no source")
        #expect(try report(bench, [request(lines, .administrator)])[0].refused == 0)
    }

    // MARK: Retractions

    private struct Retraction: CustomTestStringConvertible {
        var name: String
        /// Events that an administrator sent before.
        var stored: [SampleEvent] = []
        /// Events that are sent together, one per request.
        var requests: [[SampleEvent]]
        /// The expected codes, by request.
        var codes: [[String]]
        var testDescription: String { name }
    }

    private static let line = SampleEvent("line.spoken", id: "1", source: "tablet")
    private static let own = SampleEvent("line.spoken", id: "1", source: "phone")
    private static func retracted(_ event: SampleEvent, id: String = "r", by source: String = "phone") -> SampleEvent {
        SampleEvent(
            "event.retracted",
            id: id,
            source: source,
            data: #"{"source":"\#(event.source)","id":"\#(event.id)"}"#
        )
    }

    private static let refusal = "forbidden-retraction"
    private static let retractions: [Retraction] =
        [
            Retraction(name: "stored, of another source", stored: [line], requests: [[retracted(line)]], codes: [[]]),
            Retraction(name: "stored, of the own source", stored: [own], requests: [[retracted(own)]], codes: [[]]),
            Retraction(name: "not stored, of the own source", requests: [[retracted(own)]], codes: [[]]),
            Retraction(
                name: "not stored, of another source",
                requests: [[retracted(line), own]],
                codes: [["0 \(refusal)"]]
            ),
            Retraction(
                name: "stored for another learner only",
                stored: [SampleEvent("line.spoken", id: "1", source: "tablet", learner: "bob")],
                requests: [[retracted(line)]],
                codes: [["0 \(refusal)"]]
            ),
            Retraction(name: "before it in the request", requests: [[line, retracted(line)]], codes: [[]]),
            Retraction(
                name: "after it in the request",
                requests: [[retracted(line), line]],
                codes: [["0 \(refusal)"]]
            ),
            Retraction(name: "in a request before", requests: [[line], [retracted(line)]], codes: [[], []]),
            Retraction(
                name: "in a request after",
                requests: [[retracted(line)], [line]],
                codes: [["0 \(refusal)"], []]
            ),
            Retraction(
                name: "before it in the request, and refused itself",
                requests: [[SampleEvent("xp.adjusted", id: "1", source: "tablet"), retracted(line)]],
                codes: [["0 forbidden-type", "1 \(refusal)"]]
            ),
            Retraction(
                name: "a decree of the own source that was refused: nothing is there",
                requests: [[SampleEvent("xp.adjusted", id: "1", source: "phone"), retracted(own)]],
                codes: [["0 forbidden-type"]]
            ),
            Retraction(
                name: "a retraction that was refused is not there either",
                requests: [
                    [
                        retracted(line, by: "tablet2"),
                        retracted(SampleEvent("x.y", id: "r", source: "tablet2"), id: "r2"),
                    ]
                ],
                codes: [["0 \(refusal)", "1 \(refusal)"]]
            ),
            Retraction(
                name: "a retraction",
                stored: [line, retracted(line)],
                requests: [[retracted(SampleEvent("x.y", id: "r", source: "phone"), id: "r2", by: "web")]],
                codes: [[]]
            ),
            Retraction(
                name: "a profile",
                stored: [SampleEvent("learner.updated", id: "1", source: "tablet", data: #"{"displayName":"A"}"#)],
                requests: [[retracted(line)]],
                codes: [[]]
            ),
            Retraction(
                name: "a profile with a cohort",
                stored: [SampleEvent("learner.updated", id: "1", source: "phone", data: #"{"cohort":"a"}"#)],
                requests: [[retracted(own)]],
                codes: [["0 \(refusal)"]]
            ),
            Retraction(
                name: "what is stored counts, not what contradicts it",
                stored: [SampleEvent("xp.adjusted", id: "1", source: "phone")],
                requests: [[own, retracted(own)]],
                codes: [["0 conflict", "1 \(refusal)"]]
            ),
            Retraction(
                name: "sent again, after an administrator's event took the place",
                stored: [retracted(own), SampleEvent("xp.adjusted", id: "1", source: "phone")],
                requests: [[retracted(own)], [retracted(own, id: "r2")]],
                codes: [[], ["0 \(refusal)"]]
            ),
            Retraction(
                name: "two of one event",
                requests: [[line, retracted(line), retracted(line, id: "r2")]],
                codes: [[]]
            ),
        ]
        + administered.map { type in
            Retraction(
                name: "stored, \(type.name)",
                stored: [SampleEvent(type.name, id: "1", source: "phone")],
                requests: [[own.with(id: "2"), retracted(own), retracted(own.with(id: "2"), id: "r2")]],
                codes: [["1 \(refusal)"]]
            )
        }

    @Test(arguments: retractions, [Backend.memoryPartitioned, .sqliteTiny])
    private func `a retraction`(row: Retraction, backend: Backend) throws {
        let bench = try Bench(backend)
        let first = try report(bench, [request(row.stored.map(\.json), .administrator)])[0]
        #expect(first.stored == row.stored.count)
        let reports = try report(bench, row.requests.map { request($0.map(\.json)) })
        #expect(reports.map(codes) == row.codes, "\(reports.map(\.problems))")
        for report in reports {
            #expect(report.read == report.stored + report.duplicates + report.conflicts + report.refused)
        }
        #expect(try bench.quarantined().count == row.codes.joined().count)
        _ = try bench.soundFingerprint()
    }

    @Test func `a key that may send a type may retract it`() throws {
        let bench = try Bench(.memory)
        let decree = SampleEvent("xp.adjusted", id: "1", source: "phone")
        try bench.ingest([decree.json])
        let rights = SenderRights.limited(types: ["xp.adjusted"])
        #expect(try report(bench, [request([Self.retracted(decree).json], rights)])[0].stored == 1)
    }

    @Test func `a retraction of the own source holds when its target comes later, whatever that is`() throws {
        let bench = try Bench(.sqlite)
        let decree = SampleEvent("xp.adjusted", id: "1", source: "phone")
        #expect(try report(bench, [request([Self.retracted(decree).json])])[0].stored == 1)
        try bench.ingest([decree.json])
        #expect(try bench.engine.learner("ana").progress(at: Bench.date)?.totalXP == 0)
        // For this reason, administrators send from sources that learners cannot use.
        let safe = SampleEvent("xp.adjusted", id: "1", source: "laurel/school")
        #expect(codes(try report(bench, [request([Self.retracted(safe, id: "r2").json])])[0]) == ["0 \(Self.refusal)"])
    }

    /// The decision is the same, whether events come one by one or together.
    @Test(arguments: 1...6) func `together or one by one`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let kinds = ["line.spoken", "xp.adjusted", "event.retracted", "learner.updated", "event.retracted"]
        func pick<T>(_ values: [T]) -> T { values.randomElement(using: &random)! }
        let events = (0..<120).map { _ in
            let kind = pick(kinds)
            let data =
                switch kind {
                case "event.retracted":
                    #"{"source":"\#(pick(["a", "b"]))","id":"\#(Int.random(in: 0..<9, using: &random))"}"#
                case "learner.updated": pick([#"{"cohort":"x"}"#, #"{"displayName":"x"}"#])
                default: nil as String?
                }
            let id = "\(Int.random(in: 0..<9, using: &random))"
            return (
                event: SampleEvent(kind, id: id, source: pick(["a", "b"]), learner: pick(["ana", "bob"]), data: data),
                rights: pick([SenderRights.limited(), .limited(), .administrator])
            )
        }
        let (together, apart) = (try Bench(.sqlite), try Bench(.memoryPartitioned))
        var (joined, single): ([[String]], [[String]]) = ([], [])
        for event in events {
            single += try report(apart, [request([event.event.json], event.rights)]).map { $0.problems.map(\.code) }
        }
        var rest = events[...]
        while !rest.isEmpty {
            let some = rest.prefix(Int.random(in: 1...40, using: &random))
            rest = rest.dropFirst(some.count)
            joined += try report(together, some.map { request([$0.event.json], $0.rights) }).map {
                $0.problems.map(\.code)
            }
        }
        #expect(joined == single, "seed \(seed)")
        #expect(try together.export().sorted() == apart.export().sorted(), "seed \(seed)")
        #expect(single.joined().contains("forbidden-retraction") && single.joined().contains("forbidden-type"))
    }
}
