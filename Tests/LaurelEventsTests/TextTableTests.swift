// SPDX-License-Identifier: Apache-2.0

import Foundation
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

    /// As those of a learner of ten million events may be.
    @Test(.enabled(if: ProcessInfo.processInfo.physicalMemory > 8 << 30))
    func `texts may be more than 4 GiB together`() {
        let length = 1 << 32 - 2
        // Never touched, and with room for more, so that it takes no memory.
        let bytes = [UInt8](unsafeUninitializedCapacity: length + 4096) { $1 = length }
        var table = TextTable(bytes: bytes, ends: [0, length])
        let texts = ["uno", "dos", "tres"]
        #expect(texts.map { table.intern($0) } == [2, 3, 4])
        #expect(texts.indices.map { table.string(UInt32($0 + 2)) } == texts)
        #expect(texts.map { table.intern($0) } == [2, 3, 4])
    }
}
