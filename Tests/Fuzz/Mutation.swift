// SPDX-License-Identifier: Apache-2.0

@_exported public import SeededRandom

/// Makes inputs from other inputs.
struct Mutation {
    private let inputs: [[UInt8]]
    private let tokens: [[UInt8]]
    private var random: SeededGenerator
    private static let longest = 1 << 16

    /// Numbers at which arithmetic often fails.
    private static let numbers = [
        "0", "-0", "-1", "1e999", "-1e999", "9007199254740993", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "18446744073709551616", "99999999999999999999", "0.1e-400", "2147483648", "null",
    ].map(\.bytes)
    private static let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, 0x22, 0x0A, 0x5C]

    init(_ inputs: [[UInt8]], tokens: [String], seed: UInt64) {
        self.inputs = inputs.isEmpty ? [[]] : inputs
        self.tokens = tokens.map(\.bytes) + Mutation.numbers
        random = SeededGenerator(seed: seed)
    }

    mutating func next() -> [UInt8] {
        var bytes = inputs.randomElement(using: &random)!
        for _ in 0..<Int.random(in: 1...6, using: &random) { edit(&bytes) }
        return bytes.count > Mutation.longest ? Array(bytes[..<Mutation.longest]) : bytes
    }

    private mutating func edit(_ bytes: inout [UInt8]) {
        guard let place = bytes.indices.randomElement(using: &random) else {
            return bytes.append(contentsOf: tokens.randomElement(using: &random)!)
        }
        let end = min(bytes.count, place + Int.random(in: 1...(Bool.random(using: &random) ? 8 : 64), using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes[place] = Mutation.extremes.randomElement(using: &random)!
        case 3: bytes.removeSubrange(place..<end)
        case 4: bytes.insert(contentsOf: Array(bytes[place..<end]), at: bytes.indices.randomElement(using: &random)!)
        case 5: bytes.replaceSubrange(place..<end, with: tokens.randomElement(using: &random)!)
        case 6: bytes.removeSubrange(place...)
        case 7:
            // Appends the end of another input.
            let other = inputs.randomElement(using: &random)!
            let cut = Int.random(in: 0...other.count, using: &random)
            bytes.replaceSubrange(place..., with: other[cut...])
        default: bytes.insert(contentsOf: tokens.randomElement(using: &random)!, at: place)
        }
    }
}
