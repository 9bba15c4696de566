// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelStore
import LaurelWire
import Testing

@testable import LaurelService

/// Descriptions of JSON are written from the types: `/openapi.json`, the types of the client for JavaScript, and
/// tables of the documents' site.
@Suite(.serialized) struct DescriptionTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    /// True to write outdated descriptions: see CONTRIBUTING.md.
    private static let writes = ProcessInfo.processInfo.environment["LAUREL_WRITE"] != nil

    private static let comments = Result {
        try DocComments(
            ["LaurelWire", "LaurelResults", "LaurelReports", "LaurelService"].map {
                root.appending(path: "Sources/\($0)")
            }
        ).texts
    }

    private func texts() throws -> [String: String] { try Self.comments.get() }

    @Test func everyTypeIsLearned() {
        #expect(Schemas.shapes.failures == [])
        #expect(Schemas.shapes.objects.count > 60)
        let progress = Schemas.shapes.objects["LearnerProgress"] ?? []
        #expect(progress.first == Shape.Member(name: "userId", shape: .string, owner: "LearnerProgress"))
        #expect(progress.last?.name == "rules" && progress.last?.mayBeMissing == true)
        #expect(progress.first { $0.name == "xpBreakdown" }?.shape == .map(.number))
    }

    @Test func everyTypeAndMemberIsDescribedByItsDocComment() throws {
        let texts = try texts()
        var lines: [String] = []
        for (type, members) in Schemas.shapes.objects {
            for name in [type] + members.flatMap(Self.names) {
                #expect(texts[name] != nil, "\(name) has no doc comment")
                lines.append("\(name) \(texts[name] ?? "")")
            }
        }
        let text = Set(lines).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "\n") + "\n"
        try expect(text, in: "Sources/LaurelService/Resources/descriptions.txt")
    }

    private static func names(_ member: Shape.Member) -> [String] {
        let inner: [Shape.Member] = if case .members(let members) = member.shape { members } else { [] }
        return ["\(member.owner).\(member.name)"] + inner.flatMap(names)
    }

    @Test func theTypesOfTheClientForJavaScriptAreThoseOfTheAnswers() throws {
        let path = "Clients/JavaScript/laurel.d.ts"
        let document = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        let parts = document.split(separator: /\/\/ <\/?answers>\n/, omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let routes = Route.all.filter { $0.access == .learner } + Route.purchaseRoutes
        let answers = try TypeScript(texts()).interfaces(routes)
        try expect("\(parts[0])// <answers>\n\(answers)// </answers>\n\(parts[2])", in: path)
    }

    /// The site of the documents has these tables in place of the comments that name them: see `.ci/site`.
    @Test func theTablesOfTheSiteAreWritten() throws {
        let types = try JSONTables(texts()).document
        #expect(types.contains("\n## LearnerProgress\n"))
        let tables = [
            ("docs/json.md", "types", types), ("docs/service.md", "asking", DescribedTables.asking),
            ("docs/service.md", "administering", DescribedTables.administering),
            ("docs/service.md", "webhooks", DescribedTables.webhooks),
            ("docs/service.md", "codes", DescribedTables.codes),
        ]
        let folder = Self.root.appending(path: ".build/site-tables")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (path, name, table) in tables {
            let document = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
            #expect(document.contains("<!-- table: \(name) -->\n"), "\(path) has no place for \(name)")
            try Data(table.utf8).write(to: folder.appending(path: "\(name).md"), options: .atomic)
        }
    }

    @Test func theDocumentsNameRoutesThatExist() throws {
        let document = try String(contentsOf: Self.root.appending(path: "docs/service.md"), encoding: .utf8)
        let named: [String] = document.matches(of: /`(?:[A-Z]+ )?(\/v1|…)(\/[^`?]+)/).map { found in
            let start = found.output.1 == "…" ? "/v1/learners/{id}" : "/v1"
            return start + String(found.output.2)
        }
        #expect(named.count > 30)
        #expect(Set(named).subtracting(Route.all.map(\.path)) == [])
    }

    /// Documents that no type encodes.
    @Test func documentsHaveTheMembersThatAreSentAndNoOthers() throws {
        func names(_ type: String) -> Set<String> { Set((Schemas.shapes.objects[type] ?? []).map(\.name)) }
        let own: Set = ["type", "title", "status", "code", "detail", "message", "before", "diagnostics"]
        #expect(names("ProblemDocument") == names("RequestReport").subtracting(["progress"]).union(own))
        for (kind, type) in zip(Announcement.Kind.allCases, OpenAPI.messageTypes) {
            let members = Schemas.members(of: type).map(\.name)
            guard case .object(let example) = OpenAPI.example(kind) else { continue }
            #expect(Set(example.keys) == Set(members), "\(kind)")
        }
        let test = try TestService()
        try test.post((1...4).map { event("\($0)", day: $0) }.joined(separator: "\n"))
        let report = try test.get("/v1/reports/weekly-xp?learner=ana&week=2026-W14").json
        #expect(Set(report.keys) == names("ReportContent"))
        let section = try #require((report["sections"] as? [[String: Any]])?.first)
        #expect(Set(section.keys) == names("ReportContent.Section"))
        let exhibit = try #require((section["exhibits"] as? [[String: Any]])?.first)
        #expect(Set(exhibit.keys) == names("ReportContent.Exhibit"))
        #expect(Set((report["week"] as? [String: Any] ?? [:]).keys) == names("ReportContent.Week"))
        let id = try test.service.jobs.begin(.verify)
        var job = try #require(try test.service.jobs.listing(id))
        (job.holder, job.result, job.problem) = ("node", "{}", "{}")
        let sent = try JSONSerialization.jsonObject(with: Data(job.document().utf8)) as? [String: Any]
        #expect(Set((sent ?? [:]).keys) == names("Job"))
    }

    private func expect(_ text: String, in path: String) throws {
        let file = Self.root.appending(path: path)
        if Self.writes {
            try Data(text.utf8).write(to: file)
        } else {
            let isCurrent = try String(contentsOf: file, encoding: .utf8) == text
            #expect(isCurrent, "\(path) is stale; CONTRIBUTING.md says how it is written")
        }
    }
}
