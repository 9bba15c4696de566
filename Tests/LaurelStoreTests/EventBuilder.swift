// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
@_exported public import SeededRandom

/// A value of `data`, for building tables in tests.
enum Datum: Equatable {
    case null, yes, no
    case integer(Int64)
    case double(Double)
    case text(String)
    case json(String)
    case spelled(String)
}

/// An event as a test writes it.
struct TestEvent {
    var subject = "ana"
    var source = "app"
    var id: String
    var type = "line.spoken"
    var milliseconds: Int64 = 1_770_310_800_000
    var offset: Int16 = 60
    var flags: UInt8 = EventTable.hasData
    var language: String?
    var session: String?
    var timezone: String?
    var extensions: String?
    var data: [(String, Datum)] = []
}

extension EventTable {
    init(_ events: [TestEvent]) {
        self.init()
        for event in events { append(event) }
    }

    private mutating func text(_ text: String) -> UInt32 {
        var text = text
        return text.withUTF8 { intern(text: $0) }
    }

    mutating func append(_ event: TestEvent) {
        for (name, datum) in event.data {
            var name = name
            let field = name.withUTF8 { intern(field: $0) }
            switch datum {
            case .null: append(value: EventValue(field: field, kind: .null))
            case .yes: append(value: EventValue(field: field, kind: .yes))
            case .no: append(value: EventValue(field: field, kind: .no))
            case .integer(let value):
                append(value: EventValue(field: field, kind: .integer, payload: UInt64(bitPattern: value)))
            case .double(let value):
                append(value: EventValue(field: field, kind: .double, payload: value.bitPattern))
            case .text(let value): append(value: EventValue(field: field, kind: .text, payload: UInt64(text(value))))
            case .json(let value): append(value: EventValue(field: field, kind: .json, payload: UInt64(text(value))))
            case .spelled(let value):
                append(value: EventValue(field: field, kind: .spelled, payload: UInt64(text(value))))
            }
        }
        var (type, id) = (event.type, event.id)
        var row = Row(
            milliseconds: event.milliseconds,
            offset: event.offset,
            flags: event.flags,
            type: type.withUTF8 { intern(type: $0) },
            subject: text(event.subject),
            source: text(event.source),
            identifier: id.withUTF8 { identifier($0) }
        )
        row.language = event.language.map { text($0) } ?? 0
        row.session = event.session.map { text($0) } ?? 0
        row.timezone = event.timezone.map { text($0) } ?? 0
        row.extensions = event.extensions.map { text($0) } ?? 0
        append(row)
    }

    /// The whole content of a row as text, by which two tables can be compared.
    func describe(_ row: Int) -> String {
        func quoted(_ index: UInt32) -> String { index == 0 ? "-" : "'\(texts.string(index))'" }
        var parts = [
            "\(milliseconds[row])", "\(offsets[row])", "\(flags[row])", types.string(type[row]), quoted(subject[row]),
            quoted(source[row]), "'\(String(decoding: identifier(row), as: UTF8.self))'", quoted(language[row]),
            quoted(session[row]), quoted(timezone[row]), quoted(extensions[row]),
        ]
        for value in values(of: row) {
            let name = fields.string(value.field)
            switch value.kind {
            case .text, .json, .spelled:
                // The empty text may be index 0 or an entry of its own.
                parts.append("\(name)=\(value.kind)'\(texts.string(UInt32(value.payload)))'")
            default: parts.append("\(name)=\(value.kind) \(value.payload)")
            }
        }
        return parts.joined(separator: " ")
    }
}

/// Events that are as unusual as possible.
struct OddEvents {
    var random: SeededGenerator
    private var counters: [String: Int] = [:]
    private static let start: Int64 = 1_770_000_000_000

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func pick<T>(_ list: [T]) -> T { list.randomElement(using: &random)! }
    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func event(subject: String) -> TestEvent {
        let source = pick(["app", "web-1", "geräte/💻", "s"])
        var event = TestEvent(subject: subject, source: source, id: id(source + subject))
        event.milliseconds =
            OddEvents.start + Int64.random(in: 0..<200_000, using: &random) * (chance(50) ? 1 : 1000)
        if chance(1) { event.milliseconds = pick([0, 253_402_300_799_999]) }
        event.offset = pick([60, 60, 60, 120, -330, 0, 2000, 2001])
        event.flags = pick([32, 32, 35, 0, 48, 44])
        event.type = pick(["line.spoken", "review.graded", "x.y", "quest.finished"])
        event.language = pick([nil, "es", "de", "es", ""])
        event.session = pick([nil, "s1", "s2", "ünï"])
        event.timezone = pick([nil, nil, "Europe/Berlin"])
        event.extensions = pick([nil, nil, nil, #"{"traceparent":"00-1","n":null}"#])
        for name in ["word", "accuracy", "durationMs", "a", "ü b", ""] where chance(45) {
            event.data.append((name, datum(name)))
        }
        if chance(20) { event.data.reverse() }
        return event
    }

    private mutating func id(_ origin: String) -> String {
        counters[origin, default: 0] += 1
        let number = counters[origin]!
        let hex = String(random.next(), radix: 16) + String(random.next(), radix: 16)
        let digits = Array("0000000000000000000000000000000\(hex)".suffix(32))
        let uuid = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
        return pick([
            "e\(number)", "e\(number)", "\(number)", "00\(number)", "007", "7", "e99", "e100", uuid, uuid.uppercased(),
            "💡\(number)", "x", "999999999999999999", "1000000000000000000\(number)", "a-0", "a-00", "b\(number)-",
            "2026-02-05T18:00:00.\(number)",
        ])
    }

    private mutating func datum(_ name: String) -> Datum {
        if name == "word", chance(80) { return .text(pick(["casa", "perro", "gato", "ñandú"])) }
        if name == "accuracy", chance(80) { return .double(Double(Int.random(in: 0...100, using: &random)) / 100) }
        if name == "durationMs", chance(80) { return .integer(Int64.random(in: 0..<20_000, using: &random)) }
        return pick([
            .null, .yes, .no, .integer(.min), .integer(.max), .integer(0), .integer(-1), .double(0.1), .double(1e300),
            .double(-0.0), .double(1), .double(.leastNonzeroMagnitude), .double(123_456_789.123456789), .text(""),
            .text("\u{0}x"),
            .text("é"), .text("e\u{301}"), .json(#"{"a":[1,{"b":null}],"c":"d"}"#), .json("[]"),
            .spelled("123456789012345678901234567890"), .spelled("1e400"), .text("{\"a\":1}"),
        ])
    }
}
