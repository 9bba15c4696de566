// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Files from `Tests/Generators`. Fed in any order, they give one fingerprint, and the numbers that the generator
/// computed.
@Suite struct GeneratedAppTests {
    struct Run: Sendable, CustomTestStringConvertible {
        var app: String
        var seed: Int
        var testDescription: String { "\(app), seed \(seed)" }
    }

    private static let folder = URL(filePath: Laurel.fixtures).deletingLastPathComponent().appending(path: "Generators")
    private static let repository = folder.deletingLastPathComponent().deletingLastPathComponent()

    private static let runs: [Run] = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["GENERATED_FIRST"].flatMap { Int($0) } ?? 1
        let count = environment["GENERATED_SEEDS"].flatMap { Int($0) } ?? 1
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let apps = files.filter { $0.hasSuffix(".py") && $0 != "common.py" }.map { String($0.dropLast(3)) }.sorted()
        return apps.flatMap { app in (first..<first + count).map { Run(app: app, seed: $0) } }
    }()

    /// The output of a generator.
    struct Output: Decodable {
        struct Case: Decodable {
            var name: String
            var rules: String
            var feedings: [Feeding]
            var expected: [Expectation]
        }

        struct Feeding: Decodable {
            var name: String
            var steps: [String]
            var refused: Bool?
        }

        struct Expectation: Decodable {
            var command: String
            var fields: [String: Value]?
            var by: String?
            var rows: [String: [String: Value]]?
        }

        var cases: [Case]
    }

    /// A JSON value: an object, or a text that is equal for equal values.
    enum Value: Decodable {
        case object([String: Value])
        case list([Value])
        case text(String)

        init(from decoder: any Decoder) throws {
            if let members = try? [String: Value](from: decoder) {
                self = .object(members)
            } else if let elements = try? [Value](from: decoder) {
                self = .list(elements)
            } else {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() {
                    self = .text("null")
                } else if let flag = try? container.decode(Bool.self) {
                    self = .text("\(flag)")
                } else if let number = try? container.decode(Double.self) {
                    let isWhole = number == number.rounded()
                    self = .text(isWhole ? String(format: "%.0f", number) : String(format: "%.9g", number))
                } else {
                    self = .text(try container.decode(String.self))
                }
            }
        }

        var text: String {
            switch self {
            case .object(let members): "\(members.mapValues(\.text).sorted { $0.key < $1.key })"
            case .list(let elements): "\(elements.map(\.text))"
            case .text(let text): text
            }
        }

        /// The value at a dotted path; a key may contain dots itself.
        func at(_ path: String) -> Value? {
            guard case .object(let members) = self else { return nil }
            if let value = members[path] { return value }
            let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
            return parts.count == 2 ? members[parts[0]]?.at(parts[1]) : nil
        }
    }

    @Test(arguments: runs) func `however its files are fed, an app's learner comes to what is true`(run: Run) throws {
        let laurel = try Laurel()
        let script = Self.folder.appending(path: "\(run.app).py").path
        let made = try laurel.shell("PYTHONDONTWRITEBYTECODE=1 python3 \(script) \(run.seed) .")
        try #require(made.status == 0, "\(made)")
        let output = try JSONDecoder().decode(Output.self, from: Data(made.output.utf8))
        #expect(!output.cases.isEmpty)
        for (index, one) in output.cases.enumerated() {
            var first: String?
            for (number, feeding) in one.feedings.enumerated() {
                let store = "case\(index)-\(number).db"
                let what = "\(run), \(one.name), \(feeding.name)"
                try feed(feeding, of: one, to: store, laurel, what)
                let check = try laurel.shell("laurel replay --check --store \(store)")
                #expect(check.status == 0, "\(what): \(check)")
                let fingerprint = try laurel.shell("laurel fingerprint --store \(store)").output
                #expect(fingerprint == first ?? fingerprint, "\(what): not the fingerprint of \(one.feedings[0].name)")
                first = first ?? fingerprint
            }
            for expectation in one.expected {
                try check(expectation, "case\(index)-0.db", laurel, "\(run), \(one.name): \(expectation.command)")
            }
        }
    }

    private func feed(
        _ feeding: Output.Feeding,
        of one: Output.Case,
        to store: String,
        _ laurel: Laurel,
        _ what: String
    ) throws {
        for (number, step) in feeding.steps.enumerated() {
            let rules = number == 0 ? "--rules \(Self.repository.appending(path: one.rules).path)" : ""
            let outcome = try laurel.shell(
                "laurel ingest --store \(store) --now 2030-01-01T00:00:00Z \(rules) --json \(step)"
            )
            #expect(outcome.status == (feeding.refused == true ? 1 : 0), "\(what): \(step)\n\(outcome)")
        }
    }

    private func check(_ expectation: Output.Expectation, _ store: String, _ laurel: Laurel, _ what: String) throws {
        let outcome = try laurel.shell("laurel \(expectation.command) --store \(store)")
        #expect(outcome.status == 0, "\(what): \(outcome)")
        let objects =
            switch try JSONDecoder().decode(Value.self, from: Data(outcome.output.utf8)) {
            case .list(let objects): objects
            case let object: [object]
            }
        if let fields = expectation.fields {
            try #require(objects.count == 1, "\(what): \(outcome)")
            compare(objects[0], fields, what)
        }
        guard let by = expectation.by, let rows = expectation.rows else { return }
        let found = Dictionary(objects.map { ($0.at(by)?.text ?? "null", $0) }) { first, _ in first }
        #expect(Set(found.keys) == Set(rows.keys), "\(what)")
        for (key, fields) in rows { compare(found[key] ?? .object([:]), fields, "\(what), \(key)") }
    }

    private func compare(_ object: Value, _ fields: [String: Value], _ what: String) {
        for (path, expected) in fields.sorted(by: { $0.key < $1.key }) {
            let found = object.at(path)?.text ?? "null"
            #expect(found == expected.text, "\(what): \(path) is \(found), true is \(expected.text)")
        }
    }
}
