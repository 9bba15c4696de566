// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

func decode(_ line: [UInt8], clock: Int64) -> (table: EventTable, refusal: Refusal?) {
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

struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var line: String
    var expected: String

    init(_ name: String, _ line: String, _ expected: String) {
        (self.name, self.line, self.expected) = (name, line, expected)
    }

    var testDescription: String { name }
}
