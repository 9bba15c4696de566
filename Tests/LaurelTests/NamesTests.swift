// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

/// Display names, and ids that look alike.
@Suite struct NamesTests {
    private static func event(_ id: String, _ learner: String) -> String {
        #"{"id":"\#(id)","source":"app","type":"line.spoken","subject":"\#(learner)","time":"2026-02-05T18:00:00Z"}"#
    }

    @Test func `achievements are named in the reader's language`() throws {
        let rules = """
            version: 1
            metrics: {lines: {count: line.spoken}}
            achievements:
              - {id: first, name: {en: First line, de: Erste Zeile, pt-BR: Primeira linha}, value: total.lines, at_least: 1}
              - {id: plain, name: Plain, value: total.lines, at_least: 1}
              - {id: nameless, value: total.lines, at_least: 1}
            """
        let bench = try Bench(.memory, rules: rules)
        try bench.ingest([Self.event("1", "ana")])
        for (locale, name) in [
            (nil, "First line"), ("de_AT", "Erste Zeile"), ("pt-BR", "Primeira linha"), ("pt_PT", "First line"),
            ("xx", "First line"), ("", "First line"),
        ] {
            let ana = bench.engine.learner("ana", locale: locale)
            let names = [name, "Plain", "nameless"]
            #expect(try ana.progress()?.achievements.map(\.name) == names, "\(locale ?? "-")")
            #expect(try ana.tracks()?.overall.achievements.map(\.name) == names)
            #expect(try ana.achievements().map(\.name) == names)
        }
    }

    private static let composed = "Jos\u{E9}"
    private static let decomposed = "Jose\u{301}"

    @Test(arguments: Backend.allCases) func `two ids that look the same are told, and stay two`(backend: Backend) throws
    {
        let bench = try Bench(backend)
        let first = try bench.ingest([Self.event("1", Self.composed), Self.event("2", "ana"), Self.event("3", "漢字")])
        #expect(first.unknown.isEmpty)
        let second = try bench.ingest([
            Self.event("4", "ana"), Self.event("5", Self.decomposed), Self.event("6", Self.decomposed),
        ])
        let told = try #require(second.unknown.first)
        #expect(second.unknown.count == 1 && told.kind == "learner" && (told.count, told.line) == (2, 2))
        #expect(told.name.utf8.elementsEqual(Self.decomposed.utf8))
        #expect(told.nearest.map { $0.utf8.elementsEqual(Self.composed.utf8) } == true)
        #expect(try bench.ingest([Self.event("7", Self.composed)]).unknown.map(\.kind) == ["learner"])
        #expect(try bench.engine.learner(Self.composed).progress()?.events == 2)
        #expect(try bench.engine.learner(Self.decomposed).progress()?.events == 2)
    }

    @Test func `two in one input are told as well, among unknown names`() throws {
        let bench = try Bench(.sqlite)
        let typo = Self.event("1", "ana").replacing("line.spoken", with: "line.spokn")
        let report = try bench.ingest([Self.event("2", Self.decomposed), typo, Self.event("3", Self.composed)])
        #expect(report.stored == 3 && Set(report.unknown.map(\.kind)) == ["learner", "type"])
    }

    @Test func `the reports of a request's parts list a thousand names together`() {
        var (sum, part) = (RequestReport(), RequestReport())
        func name(_ number: Int) -> IngestReport.UnknownName {
            .init(kind: "learner", name: "\(number)", type: nil, count: 2, file: "", line: 1, nearest: nil)
        }
        for first in stride(from: 0, to: 5000, by: 500) {
            part.unknown = (first..<first + 500).map(name)
            sum.add(part)
        }
        #expect(sum.unknown == (0..<1000).map(name))
        sum.add(part)
        part.unknown = [name(7)]
        sum.add(part)
        #expect(sum.unknown.count == 1000 && sum.unknown[7].count == 4)
    }
}
