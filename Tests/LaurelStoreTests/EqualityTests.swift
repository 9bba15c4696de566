// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore
import Testing

/// The difference between a duplicate and a conflict.
@Suite struct EqualityTests {
    struct Row: CustomTestStringConvertible {
        var name: String
        var one: TestEvent
        var other: TestEvent
        var isDuplicate: Bool
        var testDescription: String { name }

        init(_ name: String, _ isDuplicate: Bool, _ change: (inout TestEvent, inout TestEvent) -> Void) {
            self.name = name
            self.isDuplicate = isDuplicate
            one = TestEvent(id: "e1")
            other = one
            change(&one, &other)
        }

        static func value(_ name: String, _ isDuplicate: Bool, _ one: Datum, _ other: Datum) -> Row {
            Row(name, isDuplicate) {
                $0.data = [("a", one)]
                $1.data = [("a", other)]
            }
        }
    }

    static let rows: [Row] = [
        Row("the same", true) { _, _ in },
        Row("another time", false) { _, other in other.milliseconds += 1 },
        Row("a much later time", false) { _, other in other.milliseconds += 40_000_000_000 },
        Row("the same instant, another offset", false) { _, other in other.offset = 120 },
        Row("Z and -00:00", false) {
            $0.offset = 2000; $1.offset = 2001
        },
        Row("another spelling of the time", true) {
            $0.flags = 32 | 3; $1.flags = 32 | 4
        },
        Row("specversion written or not", false) {
            $0.flags = 32; $1.flags = 48
        },
        Row("data empty or absent", false) {
            $0.flags = 32; $1.flags = 0
        },
        Row("another type", false) { _, other in other.type = "x" },
        Row("another language", false) {
            $0.language = "es"; $1.language = "de"
        },
        Row("a language or none", false) { _, other in other.language = "de" },
        Row("another session", false) { _, other in other.session = "s" },
        Row("another timezone", false) { _, other in other.timezone = "UTC" },
        Row("extensions in another order", true) {
            $0.extensions = #"{"a":1,"b":[1,2]}"#
            $1.extensions = #"{"b":[1.0,2e0],"a":1}"#
        },
        Row("extensions null or absent", true) { one, _ in one.extensions = #"{"a":null}"# },
        Row("other extensions", false) {
            $0.extensions = #"{"a":1}"#; $1.extensions = #"{"a":2}"#
        },
        Row("fields in another order", true) {
            $0.data = [("a", .integer(1)), ("b", .text("x"))]
            $1.data = [("b", .text("x")), ("a", .integer(1))]
        },
        Row("another field", false) {
            $0.data = [("a", .integer(1))]; $1.data = [("b", .integer(1))]
        },
        Row("a field more", false) { _, other in other.data = [("b", .integer(1))] },
        Row("null or absent", false) { _, other in other.data = [("b", .null)] },
        .value("1 and 1.0", true, .integer(1), .double(1)),
        .value("0 and -0.0", true, .integer(0), .double(-0.0)),
        .value("1 and 1e0 spelled", true, .integer(1), .spelled("1e0")),
        .value("1 and 2", false, .integer(1), .integer(2)),
        .value("large neighbours", false, .integer(.max), .integer(.max - 1)),
        .value("a large integer and its double", false, .integer(.max), .double(9_223_372_036_854_775_808)),
        .value("1e400 and 10e399", true, .spelled("1e400"), .spelled("10e399")),
        .value("1e400 and 1e401", false, .spelled("1e400"), .spelled("1e401")),
        .value(
            "30 digits",
            false,
            .spelled("123456789012345678901234567890"),
            .spelled("123456789012345678901234567891")
        ),
        .value("number and text", false, .integer(1), .text("1")),
        .value("yes and no", false, .yes, .no),
        .value(
            "json spelled otherwise",
            true,
            .json(#"{"a":[1,{"b":null}],"c":"A"}"#),
            .json(#"{"c":"\u0041","a":[1.0,{"b":null}]}"#)
        ),
        .value("json null or absent", false, .json(#"{"b":null}"#), .json("{}")),
        .value("json in another order", false, .json("[1,2]"), .json("[2,1]")),
        .value("composed and decomposed", false, .text("é"), .text("e\u{301}")),
        .value("text and json", false, .text("[]"), .json("[]")),
    ]

    @Test(arguments: Backend.allCases, rows)
    func decides(backend: Backend, row: Row) throws {
        let expected: AppendResult.Outcome = row.isDuplicate ? .duplicate : .conflict
        let test = try backend.make()
        #expect(try test.outcomes(row.one) == [.stored])
        #expect(try test.outcomes(row.other) == [expected])
        #expect(try test.outcomes(row.one) == [.duplicate])
        #expect(try test.events(of: "ana") == [EventTable([row.one]).describe(0)])
        let within = try backend.make()
        #expect(try within.outcomes(row.one, row.other) == [.stored, expected])
    }

    @Test(arguments: Backend.allCases)
    func idsAreComparedAsWritten(backend: Backend) throws {
        let test = try backend.make()
        let ids = ["7", "07", "007", "e7", "E7", "e7-", "é7", "e\u{301}7", "0", "00", ""]
        for id in ids { #expect(try test.outcomes(TestEvent(id: id)) == [.stored], "\(id)") }
        for id in ids { #expect(try test.outcomes(TestEvent(id: id)) == [.duplicate], "\(id)") }
        #expect(
            try test.outcomes(TestEvent(source: "other", id: "7"), TestEvent(subject: "bo", id: "7")) == [
                .stored, .stored,
            ]
        )
    }
}
