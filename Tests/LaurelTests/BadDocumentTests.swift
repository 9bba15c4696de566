// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelStore
import Testing

/// A bad line affects only itself, whatever its content.
@Suite struct BadDocumentTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let reason: String
        var testDescription: String { name }

        init(_ name: String, _ reason: String, _ text: String) {
            self.init(name, reason, Array(text.utf8))
        }

        init(_ name: String, _ reason: String, _ bytes: [UInt8]) {
            self.name = name
            self.reason = reason
            self.bytes = bytes
        }
    }

    private static func with(_ attribute: String, _ value: String) -> String {
        line("x").replacing("}", with: ",\"\(attribute)\":\(value)}")
    }

    private static let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)

    private static let broken: [Row] = [
        Row("cut off", "invalid-json", String(line("x").dropLast(9))),
        Row("two on a line", "invalid-json", line("x") + line("y")),
        Row("no JSON", "invalid-json", "id=x source=app"),
        Row("a number", "invalid-json", "5"),
        Row("a list", "invalid-json", "5,[]"),
        Row("a comma too many", "invalid-json", line("x").replacing("}", with: ",}")),
        Row("single quotes", "invalid-json", line("x").replacing("\"", with: "'")),
        Row("NaN", "invalid-json", line("x", data: #"{"accuracy":NaN}"#)),
        Row("half a surrogate pair", "invalid-json", line(#"\ud83d"#)),
        Row("the other half", "invalid-json", line("x", data: #"{"text":"\ude00 alone"}"#)),
        Row("a NUL byte", "invalid-json", Array(line("x\u{0}").utf8)),
        Row("NUL bytes alone", "invalid-json", [UInt8](repeating: 0, count: 100)),
        Row("a control character", "invalid-json", line("x", data: "{\"text\":\"\u{1}\"}")),
        Row("no UTF-8", "invalid-json", Array("{\"id\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8)),
        Row("UTF-8 too long", "invalid-json", Array("{\"id\":\"".utf8) + [0xC0, 0xAF] + Array("\"}".utf8)),
        Row("too deep", "invalid-json", line("x", data: #"{"x":\#(deep)}"#)),
        Row("only braces", "invalid-json", String(repeating: "{", count: 100_000)),
    ]

    private static let wrong: [Row] = [
        Row("nothing in it", "missing", "{}"),
        Row("no subject", "missing", line("x").replacing(#","subject":"ana""#, with: "")),
        Row("a number as id", "invalid-attribute", line("x").replacing(#""x""#, with: "5")),
        Row("an empty id", "invalid-attribute", line("")),
        Row("a long id", "invalid-attribute", line(String(repeating: "x", count: 129))),
        Row("an impossible date", "invalid-attribute", line("x", at: "2026-02-29T10:00:00Z")),
        Row("an impossible hour", "invalid-attribute", line("x", at: "2026-02-05T24:00:00Z")),
        Row("second 60", "invalid-attribute", line("x", at: "2016-12-31T23:59:60Z")),
        Row("no zone", "invalid-attribute", line("x", at: "2026-02-05T10:00:00")),
        Row("before 1970", "invalid-attribute", line("x", at: "1969-12-31T23:59:59.999Z")),
        Row("the future", "future", line("x", at: "9999-12-31T23:59:59Z")),
        Row("an unknown time zone", "invalid-attribute", with("timezone", #""Mars/Olympus""#)),
        Row("a path as time zone", "invalid-attribute", with("timezone", #""../../etc/passwd""#)),
        Row("another specversion", "invalid-attribute", with("specversion", #""2.0""#)),
        Row("no language", "invalid-attribute", with("language", #""Spanish, please""#)),
        Row("data as text", "invalid-attribute", line("x", data: #""{}""#)),
        Row("an id twice", "duplicate-key", with("id", #""y""#)),
        Row("a field twice", "duplicate-key", line("x", data: #"{"a":1,"a":2}"#)),
        Row("accuracy as text", "invalid-field", line("x", data: #"{"accuracy":"1"}"#)),
        Row("accuracy out of range", "invalid-field", line("x", data: #"{"accuracy":1.0000001}"#)),
        Row("half an error", "invalid-field", line("x", data: #"{"errors":0.5}"#)),
        Row("a number beyond doubles", "invalid-field", line("x", data: #"{"accuracy":1e999}"#)),
        Row("a review of no word", "missing", line("x", "review.graded", data: #"{"grade":"good"}"#)),
        Row("an unknown grade", "invalid-field", line("x", "review.graded", data: #"{"word":"a","grade":"fine"}"#)),
        Row("a date as time", "invalid-field", line("x", "streak.frozen", data: #"{"date":"2026-02-31"}"#)),
        Row(
            "oversized data",
            "invalid-attribute",
            line("x", data: #"{"text":"\#(String(repeating: "a", count: 70_000))"}"#)
        ),
        Row(
            "an oversized line",
            "too-long",
            line("x", data: #"{"text":"\#(String(repeating: "a", count: 2_000_000))"}"#)
        ),
    ]

    static let rows = broken + wrong

    @Test(arguments: rows) func `costs one line`(row: Row) throws {
        let bench = try Bench(.memory)
        let newline: [UInt8] = [10]
        let report = try bench.ingest(
            Array(line("before").utf8) + newline + row.bytes + newline + Array(line("after").utf8)
        )
        #expect((report.read, report.stored, report.refused) == (3, 2, 1), "\(report.problems.map(\.message))")
        #expect(report.problems.map(\.line) == [2])
        let kept = try #require(try bench.quarantined().first)
        #expect(kept.line.reason == row.reason, "\(kept.line.message)")
        #expect(kept.bytes == row.bytes)
        #expect(try bench.export().count == 2)
    }

    @Test(arguments: Backend.files) func `all of them at once`(backend: Backend) throws {
        let bench = try Bench(backend)
        var bytes: [UInt8] = []
        for (index, row) in BadDocumentTests.rows.enumerated() {
            bytes += Array((line("e\(index)") + "\n").utf8) + row.bytes + [10]
        }
        let report = try bench.ingest(bytes)
        let count = BadDocumentTests.rows.count
        #expect((report.read, report.stored, report.refused) == (2 * count, count, count))
        #expect(try bench.quarantined().map(\.bytes) == BadDocumentTests.rows.map(\.bytes))
        #expect(try bench.quarantined().map(\.line.line) == (1...count).map { 2 * $0 })
        _ = try bench.soundFingerprint()
    }
}
