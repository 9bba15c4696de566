// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

@Suite struct EventDecoderTests {
    @Test(arguments: Refused.attributes + Refused.fields) func `refuses with a sentence`(row: Row) {
        let (table, refusal) = decode(row.line)
        #expect(refusal?.message == row.expected)
        #expect(table.count == 0 && table.values.isEmpty)
    }

    @Test(arguments: Refused.malformed) func `refuses what is not JSON`(row: Row) {
        #expect(decode(row.line).refusal?.message == "not valid JSON: " + row.expected)
        #expect(decode(row.line).refusal?.code == .invalidJSON)
    }

    @Test func `without a clock an event may have any time`() {
        let late = line(["time": #""9999-12-31T23:59:59Z""#])
        #expect(decode(late).refusal?.code == .future)
        for clock in [nil, Int64.max] { #expect(decode(late, clock: clock).refusal == nil) }
    }

    @Test func `refuses bytes that are not UTF-8`() {
        let bytes = Array(#"{"id":"a"#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        #expect(decode(bytes).refusal?.message == "not valid JSON: bytes that are not UTF-8 at column 9")
    }

    static let accepted: [Row] = [
        Row(
            "minus zero",
            line(["data": #"{"errors":-0,"accuracy":-0.0}"#]),
            line(["data": #"{"errors":-0.0,"accuracy":-0.0}"#])
        ),
        Row("least", line(), line()),
        Row("23:59:59 ahead", line(["time": #""2026-02-06T18:00:00Z""#]), ""),
        Row("specversion", line(["specversion": #""1.0""#]), ""),
        Row(
            "whole numbers in other spellings",
            line(["data": #"{"errors":5.0,"words":5e0,"durationMs":50e-1}"#]),
            line(["data": #"{"errors":5,"words":5,"durationMs":5}"#])
        ),
        Row("null fields", line(["data": #"{"accuracy":null,"errors":null}"#]), ""),
        Row(
            "null attributes",
            line(["language": "null", "session": "null", "data": "null", "specversion": "null"]),
            ""
        ),
        Row("empty data", line(["data": "{}"]), ""),
        Row(
            "unknown type",
            line(["type": #""quest.finished-2_b""#, "data": #"{"accuracy":"much","deep":[{"a":[]},{}]}"#]),
            ""
        ),
        Row(
            "extensions of all kinds",
            line(["a": "1", "b": "null", "c": #"{"x":[1,"\u00e9\n"]}"#, "d": "true", "": #""""#]),
            ""
        ),
        Row(
            "language",
            line(["language": #""zh-Hant-TW""#, "session": #""s""#, "timezone": #""America/Argentina/Ushuaia""#]),
            ""
        ),
        Row(
            "big numbers",
            line([
                "data":
                    #"{"a":12345678901234567890,"b":1e400,"c":0.1234567890123456789,"d":-0.0,"e":1e-7,"f":9223372036854775807,"g":-9223372036854775808}"#
            ]),
            ""
        ),
        Row("longest data", line(["data": #"{"x":""# + String(repeating: "a", count: 65_528) + "\"}"]), ""),
        Row(
            "word details",
            line(["type": #""word.added""#, "data": #"{"word":"","tags":[],"text":"\ud83d\ude00"}"#]),
            line(["type": #""word.added""#, "data": #"{"word":"","tags":[],"text":"😀"}"#])
        ),
        Row(
            "space everywhere",
            " { \"id\" : \"e-1\" ,\t\"source\":\"app\",\"type\":\"x\",\"subject\":\"a\",\"time\":\"1970-01-01T00:00:00Z\", \"z\" : [ 1 , { \"a\" : 2 } ] } \r",
            #"{"id":"e-1","source":"app","type":"x","subject":"a","time":"1970-01-01T00:00:00Z","z":[1,{"a":2}]}"#
        ),
    ]

    @Test(arguments: accepted) func `takes and gives back`(row: Row) throws {
        let (table, refusal) = decode(row.line)
        #expect(refusal == nil)
        #expect(table.count == 1)
        let expected = row.expected.isEmpty ? row.line : row.expected
        #expect(JSONValue(validated: encoded(table).utf8) == JSONValue(validated: expected.utf8))
        // An exported event is accepted again as the same.
        let (again, problem) = decode(encoded(table))
        #expect(problem == nil)
        #expect(table.hasSameContent(0, again, 0))
    }

    @Test func `names what could be read of a refused event`() {
        let refusal = decode(#"{"id":"a","source":"s","subject":"l","x":tru}"#).refusal
        #expect(refusal?.id == "a" && refusal?.source == "s" && refusal?.subject == "l")
        let field = decode(line(["data": #"{"accuracy":7}"#])).refusal
        #expect(field?.id == "e-1" && field?.source == "app" && field?.subject == "ana")
    }

    @Test func `depth is bounded at 128`() {
        func nested(_ depth: Int) -> String {
            line(["x": String(repeating: "[", count: depth) + String(repeating: "]", count: depth)])
        }
        #expect(decode(nested(127)).refusal == nil)
        #expect(decode(nested(128)).refusal?.message.contains("more than 128 levels") == true)
        #expect(decode(String(repeating: "[", count: 100_000)).refusal != nil)
        #expect(decode("{\"a\":" + String(repeating: "{\"a\":[", count: 50_000)).refusal != nil)
    }

    @Test func `a line may have 1 MiB`() {
        let empty = line(["x": #""""#]).utf8.count
        let longest = line(["x": "\"" + String(repeating: "a", count: 1 << 20 - empty) + "\""])
        #expect(longest.utf8.count == 1 << 20)
        #expect(decode(longest).refusal == nil)
        #expect(decode(longest + " ").refusal?.code == .tooLong)
    }

    @Test func `a decoder may go from table to table`() {
        var decoder = EventDecoder()
        var tables = [EventTable(), EventTable(), EventTable()]
        for round in 0..<30 {
            let text = line([
                "id": "\"\(round)\"", "subject": "\"learner-\(round % 4)\"",
                "data": round % 2 == 0 ? #"{"a":1,"errors":2}"# : #"{"errors":3,"b":"x","a":"learner-1"}"#,
            ])
            _ = Array(text.utf8).withUnsafeBufferPointer {
                decoder.decode(line: $0, into: &tables[round % 3], clock: testClock)
            }
            let table = tables[round % 3]
            #expect(JSONValue(validated: encoded(table, table.count - 1).utf8) == JSONValue(validated: text.utf8))
        }
    }

    @Test func `content is compared as JSON`() {
        func same(_ one: String, _ other: String) -> Bool {
            let (first, second) = (decode(one), decode(other))
            #expect(first.refusal == nil && second.refusal == nil)
            return first.table.hasSameContent(0, second.table, 0)
        }
        func data(_ json: String) -> String { line(["data": json]) }
        #expect(same(data(#"{"a":1,"b":[1.0,{"x":1e1,"y":2}]}"#), data(#"{"b":[1,{"y":2.0,"x":10}],"a":1.0}"#)))
        #expect(same(data(#"{"a":"é"}"#), data(#"{"a":"\u00e9"}"#)))
        #expect(!same(data(#"{"a":"é"}"#), data(#"{"a":"e\u0301"}"#)))
        #expect(!same(data(#"{"a":["é"]}"#), data(#"{"a":["e\u0301"]}"#)))
        #expect(same(data(#"{"a":-0.0,"b":1e400}"#), data(#"{"b":10e399,"a":0}"#)))
        #expect(!same(data(#"{"a":true}"#), data(#"{"a":1}"#)))
        #expect(!same(data(#"{"a":null}"#), data("{}")))
        #expect(!same(data("{}"), line()))
        #expect(same(line(["language": "null", "x": "null", "y": "[1]"]), line(["y": "[1.0]"])))
        #expect(!same(line(), line(["time": #""2026-02-05T18:00:00+00:00""#])))
        #expect(same(line(), line(["time": #""2026-02-05T18:00:00.000Z""#])))
    }
}
