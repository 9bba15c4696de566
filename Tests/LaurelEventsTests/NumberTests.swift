// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

/// Decoded numbers equal those of Swift's standard library for the same spelling.
@Suite struct NumberTests {
    @Test(arguments: 1...20) func `short numbers are what they say`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<500 {
            let whole = random.digits(1...8)
            let fraction = random.digits(0...7)
            let spelling = random.pick(["", "", "", "-"]) + whole + (fraction.isEmpty ? "" : "." + fraction)
            let (table, refusal) = decode(line(["type": #""a.b""#, "data": "{\"n\":\(spelling)}"]))
            guard whole.count == 1 || whole.first != "0" else {
                #expect(refusal?.code == .invalidJSON, "seed \(seed): \(spelling)")
                continue
            }
            guard let value = table.values.first else {
                Issue.record("seed \(seed): \(spelling): \(refusal?.message ?? "")")
                continue
            }
            let number = Double(spelling)!
            if let integer = Int64(exactly: number), number != 0 || number.sign == .plus {
                #expect(value.kind == .integer, "seed \(seed): \(spelling)")
                #expect(Int64(bitPattern: value.payload) == integer, "seed \(seed): \(spelling)")
            } else {
                #expect(value.kind == .double, "seed \(seed): \(spelling)")
                #expect(value.payload == number.bitPattern, "seed \(seed): \(spelling)")
            }
        }
    }

    @Test(arguments: [
        ("0", Int64(0)), ("9999999999999999", 9_999_999_999_999_999), ("99999999999999999", 99_999_999_999_999_999),
        ("9223372036854775807", .max), ("-9223372036854775808", .min), ("10.0", 10), ("0.000", 0), ("1e3", 1000),
        ("1234567890123.0", 1_234_567_890_123),
    ])
    func `whole numbers, however long or spelled`(spelling: String, expected: Int64) {
        let (table, _) = decode(line(["type": #""a.b""#, "data": "{\"n\":\(spelling)}"]))
        #expect(table.values.first?.kind == .integer)
        #expect(table.values.first.map { Int64(bitPattern: $0.payload) } == expected)
    }

    @Test(arguments: ["1.", ".5", "1..2", "1.2.3", "01", "00", "00.5", "-", "-.5", "1.5x", "+1", "1_000", "0x1", "1e"])
    func `no number`(spelling: String) {
        let refusal = decode(line(["type": #""a.b""#, "data": "{\"n\":\(spelling)}"])).refusal
        #expect(refusal?.code == .invalidJSON)
    }
}

extension SeededGenerator {
    fileprivate mutating func digits(_ count: ClosedRange<Int>) -> String {
        String((0..<Int.random(in: count, using: &self)).map { _ in pick(Array("0012345678999")) })
    }
}
