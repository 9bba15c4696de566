// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

/// 2026-02-05T18:00:00Z
let testClock: Int64 = 1_770_314_400_000

func decode(_ line: String, clock: Int64? = testClock) -> (table: EventTable, refusal: Refusal?) {
    decode(Array(line.utf8), clock: clock)
}

func decode(_ line: [UInt8], clock: Int64? = testClock) -> (table: EventTable, refusal: Refusal?) {
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

/// A valid event as JSON, with some attributes replaced (nil: left out).
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
