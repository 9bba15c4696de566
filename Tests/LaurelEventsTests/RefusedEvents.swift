// SPDX-License-Identifier: Apache-2.0

/// Refused events, and the reasons.
enum Refused {
    static let attributes: [Row] = [
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
        Row("NUL in the id", line(["id": #""a\u0000b""#]), "id has the character NUL (\\u0000); leave it out"),
        Row(
            "NUL in the subject",
            line(["subject": #""\u0000""#]),
            "subject has the character NUL (\\u0000); leave it out"
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

    static let fields: [Row] = [
        Row(
            "more than a double counts",
            line(["data": #"{"errors":9007199254740993}"#]),
            "data.errors is 9007199254740993; it must be a whole number, 0 or more, up to 9007199254740992"
        ),
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
        Row("number and string", #"{"a":1"b"}"#, "a comma or a closing bracket is missing at column 7"),
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
}
