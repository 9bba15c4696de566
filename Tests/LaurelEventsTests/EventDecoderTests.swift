import LaurelEvents
import Testing

/// 2026-02-05T18:00:00Z
let testClock: Int64 = 1_770_314_400_000

func decode(_ line: String, clock: Int64 = testClock) -> (table: EventTable, refusal: Refusal?) {
    decode(Array(line.utf8), clock: clock)
}

func decode(_ line: [UInt8], clock: Int64 = testClock) -> (table: EventTable, refusal: Refusal?) {
    var decoder = EventDecoder()
    var table = EventTable()
    let result = line.withUnsafeBufferPointer { decoder.decode(line: $0, into: &table, clock: clock) }
    if case .refused(let refusal) = result { return (table, refusal) }
    return (table, nil)
}

func encoded(_ table: EventTable, _ row: Int = 0) -> String {
    var output: [UInt8] = []
    table.encode(row, into: &output)
    return String(decoding: output, as: UTF8.self)
}

/// A valid event, some attributes replaced (nil: left out), JSON as given.
func line(_ changes: KeyValuePairs<String, String?> = [:]) -> String {
    var attributes: [(String, String)] = [
        ("id", #""e-1""#), ("source", #""app""#), ("type", #""line.spoken""#), ("subject", #""ana""#),
        ("time", #""2026-02-05T18:00:00Z""#),
    ]
    for (name, value) in changes {
        attributes.removeAll { $0.0 == name }
        if let value { attributes.append((name, value)) }
    }
    return "{" + attributes.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
}

struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var line: String
    var expected: String

    init(_ name: String, _ line: String, _ expected: String) {
        (self.name, self.line, self.expected) = (name, line, expected)
    }

    var testDescription: String { name }
}

@Suite struct EventDecoderTests {
    static let refused: [Row] = [
        Row("no id", line(["id": nil]), "id is missing; every event needs it"),
        Row("null id", line(["id": "null"]), "id is missing; every event needs it"),
        Row("number as id", line(["id": "5"]), "id is 5; it must be text of 1 to 128 bytes (UTF-8)"),
        Row("empty id", line(["id": #""""#]), "id is empty; it must be text of 1 to 128 bytes (UTF-8)"),
        Row(
            "long id, in bytes",
            line(["id": "\"" + String(repeating: "é", count: 65) + "\""]),
            "id has 130 bytes; it must be text of 1 to 128 bytes (UTF-8)"
        ),
        Row("no source", line(["source": nil]), "source is missing; every event needs it"),
        Row("no subject", line(["subject": nil]), "subject is missing; every event needs it"),
        Row(
            "list as subject",
            line(["subject": "[1]"]),
            "subject is a list; it must be text of 1 to 256 bytes (UTF-8)"
        ),
        Row(
            "upper case type",
            line(["type": #""Line.Spoken""#]),
            "type is “Line.Spoken”; it must be lower-case words and digits joined by . _ or -, such as line.spoken"
        ),
        Row(
            "type ends in a dot",
            line(["type": #""line.""#]),
            "type is “line.”; it must be lower-case words and digits joined by . _ or -, such as line.spoken"
        ),
        Row(
            "long type",
            line(["type": "\"" + String(repeating: "a", count: 65) + "\""]),
            "type has 65 bytes; it must be text of 1 to 64 bytes (UTF-8)"
        ),
        Row("no time", line(["time": nil]), "time is missing; every event needs it"),
        Row(
            "number as time",
            line(["time": "17"]),
            "time is 17; it must be an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"
        ),
        Row(
            "no such date",
            line(["time": #""2026-02-30T18:00:00Z""#]),
            "time is “2026-02-30T18:00:00Z”: the date 2026-02-30 does not exist"
        ),
        Row(
            "leap second",
            line(["time": #""2016-12-31T23:59:60Z""#]),
            "time is “2016-12-31T23:59:60Z”: second 60 is refused: seconds go from 00 to 59"
        ),
        Row(
            "before 1970",
            line(["time": #""1970-01-01T00:30:00+01:00""#]),
            "time is “1970-01-01T00:30:00+01:00”: the years go from 1970 to 9999 (UTC)"
        ),
        Row(
            "ahead",
            line(["time": #""2026-02-06T18:00:00.001Z""#]),
            "time is “2026-02-06T18:00:00.001Z”, more than 24 hours ahead of the clock (2026-02-05T18:00:00.000Z)"
        ),
        Row(
            "old specversion",
            line(["specversion": #""0.3""#]),
            "specversion is “0.3”; it must be “1.0” where present"
        ),
        Row(
            "language in words",
            line(["language": #""Brazilian Portuguese""#]),
            "language is “Brazilian Portuguese”; it must be a BCP 47 tag, such as es or pt-BR"
        ),
        Row("empty session", line(["session": #""""#]), "session is empty; it must be text of 1 to 128 bytes (UTF-8)"),
        Row(
            "unknown zone",
            line(["timezone": #""Europe/Berln""#]),
            "timezone is “Europe/Berln”; it must be an IANA time zone, such as Europe/Berlin "
                + "(did you mean Europe/Berlin?)"
        ),
        Row(
            "zone out of the directory",
            line(["timezone": #""../zoneinfo/UTC""#]),
            "timezone is “../zoneinfo/UTC”; it must be an IANA time zone, such as Europe/Berlin"
        ),
        Row("data is a list", line(["data": "[]"]), "data is a list; it must be an object"),
        Row(
            "large data",
            line(["data": #"{"x":""# + String(repeating: "a", count: 65_536) + "\"}"]),
            "data has 65544 bytes; it may have 65536 at most (64 KiB)"
        ),
        Row(
            "key twice",
            line(["data": #"{"x":1,"y":2,"x":1}"#]),
            "data has the key “x” twice; which of them counts is not defined"
        ),
        Row(
            "key twice, escaped",
            line(["data": #"{"x":1,"\u0078":1}"#]),
            "data has the key “x” twice; which of them counts is not defined"
        ),
        Row(
            "attribute twice",
            #"{"id":"a","id":"a"}"#,
            "the event has the key “id” twice; which of them counts is not defined"
        ),
    ]

    static let refusedFields: [Row] = [
        Row(
            "accuracy too large",
            line(["data": #"{"accuracy":1.5}"#]),
            "data.accuracy is 1.5; it must be a number from 0 to 1"
        ),
        Row(
            "accuracy as text",
            line(["data": #"{"accuracy":"1"}"#]),
            "data.accuracy is “1”; it must be a number from 0 to 1"
        ),
        Row(
            "negative count",
            line(["data": #"{"errors":-1}"#]),
            "data.errors is -1; it must be a whole number, 0 or more"
        ),
        Row("fraction", line(["data": #"{"errors":1.5}"#]), "data.errors is 1.5; it must be a whole number, 0 or more"),
        Row(
            "too large",
            line(["data": #"{"errors":1e400}"#]),
            "data.errors is 1e400; it must be a whole number, 0 or more"
        ),
        Row("number as text", line(["data": #"{"text":1}"#]), "data.text is 1; it must be text"),
        Row(
            "no word",
            line(["type": #""review.graded""#, "data": #"{"grade":"good"}"#]),
            "data.word is missing; review.graded needs it"
        ),
        Row(
            "null word",
            line(["type": #""word.learned""#, "data": #"{"word":null}"#]),
            "data.word is missing; word.learned needs it"
        ),
        Row("no data", line(["type": #""word.learned""#]), "data.word is missing; word.learned needs it"),
        Row(
            "misspelled grade",
            line(["type": #""review.graded""#, "data": #"{"word":"w","grade":"goood"}"#]),
            "data.grade is “goood”; it must be again, hard, good or easy (did you mean good?)"
        ),
        Row(
            "number in tags",
            line(["type": #""word.added""#, "data": #"{"word":"w","tags":["a",1]}"#]),
            "data.tags is a list; it must be a list of text, every element of it"
        ),
        Row(
            "helped as text",
            line(["type": #""repair.made""#, "data": #"{"helped":"yes"}"#]),
            "data.helped is “yes”; it must be true or false"
        ),
        Row(
            "no such day",
            line(["type": #""streak.frozen""#, "data": #"{"date":"2026-02-29"}"#]),
            "data.date is “2026-02-29”; it must be a date that exists, as YYYY-MM-DD"
        ),
        Row(
            "review time",
            line(["type": #""word.imported""#, "data": #"{"word":"w","nextReviewAt":"2026-02-05"}"#]),
            "data.nextReviewAt is “2026-02-05”: not an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"
        ),
        Row(
            "ease",
            line(["type": #""word.imported""#, "data": #"{"word":"w","easeFactor":1.2}"#]),
            "data.easeFactor is 1.2; it must be a number, 1.3 or more"
        ),
        Row(
            "stability",
            line(["type": #""word.imported""#, "data": #"{"word":"w","stability":0}"#]),
            "data.stability is 0; it must be a number greater than 0"
        ),
        Row(
            "level without language",
            line(["type": #""level.declared""#, "data": #"{"level":"B1"}"#]),
            "language is missing; level.declared needs it"
        ),
        Row(
            "discard without session",
            line(["type": #""session.discarded""#]),
            "session is missing; session.discarded needs it"
        ),
    ]

    static let malformed: [Row] = [
        Row("nothing", "", "there is nothing here at column 1"),
        Row("blank", "  ", "there is nothing here at column 1"),
        Row("cut off", #"{"id":"é""#, "the text ends in the middle of a value at column 10"),
        Row("cut off in a string", #"{"id":"é"#, "the text ends in the middle of the string that starts at column 7"),
        Row("list", "[1]", "an event is an object, it starts with {, unlike what stands at column 1"),
        Row("no quotes", "{id:1}", "a key in double quotes is missing at column 2"),
        Row("no colon", #"{"id" 1}"#, "a colon is missing at column 7"),
        Row("no comma", #"{"a":1 "b":2}"#, "a comma or a closing bracket is missing at column 8"),
        Row("comma too many", #"{"a":1,}"#, "a key in double quotes is missing at column 8"),
        Row(
            "no value",
            #"{"a":}"#,
            "no value (text in double quotes, number, true, false, null, list or object) at column 6"
        ),
        Row("nested, no comma", #"{"a":[1 2]}"#, "a comma or a closing bracket is missing at column 9"),
        Row("nested, brackets mixed", #"{"a":[1}"#, "a comma or a closing bracket is missing at column 8"),
        Row("two", #"{"a":1}{"#, "something follows the end of the event at column 8"),
        Row("leading zero", #"{"a":01}"#, "not a number at column 6"),
        Row("plain point", #"{"a":1.}"#, "not a number at column 6"),
        Row("nested number", #"{"a":[[-]]}"#, "not a number at column 8"),
        Row("number and string", #"{"a":1"b"}"#, "not a number at column 6"),
        Row("escape", #"{"a":"\x"}"#, "an escape that JSON does not know at column 7"),
        Row("short escape", #"{"a":"\u12"}"#, "an escape that JSON does not know at column 7"),
        Row("lone high half", #"{"a":"\ud83d"}"#, "half of a surrogate pair (an emoji cut in two?) at column 7"),
        Row("lone low half", #"{"a":["\udE00"]}"#, "half of a surrogate pair (an emoji cut in two?) at column 8"),
        Row(
            "high half, then a letter",
            #"{"a":"\ud83d\u0041"}"#,
            "half of a surrogate pair (an emoji cut in two?) at column 7"
        ),
        Row(
            "half in a nested key",
            #"{"a":{"\ud83d":1}}"#,
            "half of a surrogate pair (an emoji cut in two?) at column 8"
        ),
        Row(
            "half in data",
            #"{"data":{"a":[{"b":"\ud83d"}]}}"#,
            "half of a surrogate pair (an emoji cut in two?) at column 21"
        ),
        Row(
            "control character",
            "{\"a\":\"\u{1}\"}",
            #"a control character in a string (write \n, \t or \u0001) at column 7"#
        ),
        Row(
            "NUL",
            "{\"a\":\u{0}}",
            "no value (text in double quotes, number, true, false, null, list or object) at column 6"
        ),
    ]

    @Test(arguments: refused + refusedFields) func `refuses with a sentence`(row: Row) {
        let (table, refusal) = decode(row.line)
        #expect(refusal?.message == row.expected)
        #expect(table.count == 0 && table.values.isEmpty)
    }

    @Test(arguments: malformed) func `refuses what is not JSON`(row: Row) {
        #expect(decode(row.line).refusal?.message == "not valid JSON: " + row.expected)
        #expect(decode(row.line).refusal?.code == .invalidJSON)
    }

    @Test func `refuses bytes that are not UTF-8`() {
        let bytes = Array(#"{"id":"a"#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
        #expect(decode(bytes).refusal?.message == "not valid JSON: bytes that are not UTF-8 at column 9")
    }

    static let accepted: [Row] = [
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
        // What was given back is taken again, as the same.
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
