// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

@Suite struct TextTableTests {
    /// Compares with a dictionary. The texts are similar, and have all lengths that are hashed in different ways.
    @Test(arguments: 1...10) func `equal texts have one index`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var table = TextTable()
        var indexes: [[UInt8]: UInt32] = [:]
        for _ in 0..<20_000 {
            let length = Int.random(in: 1...40, using: &random)
            var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
            for _ in 0..<random.pick([0, 1, 2]) {
                text[Int.random(in: 0..<length, using: &random)] = random.pick([UInt8(0), UInt8(ascii: "b"), 0xFF])
            }
            let index = table.intern(text)
            #expect(indexes[text, default: index] == index, "seed \(seed)")
            #expect(Array(table[index]) == text, "seed \(seed)")
            indexes[text] = index
        }
        #expect(table.count == indexes.count + 1, "seed \(seed)")
    }
}
