// SPDX-License-Identifier: Apache-2.0

/// A deterministic random number generator: xoshiro256** (Blackman and Vigna 2018), seeded through splitmix64.
package struct Random: Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// Creates a generator. Generators with the same seed but different streams are independent of each other.
    package init(seed: UInt64, stream: UInt64) {
        var position = scrambled(seed) ^ scrambled(stream &+ 0x5851_F42D_4C95_7F2D)
        func next(_ position: inout UInt64) -> UInt64 {
            position &+= 0x9E37_79B9_7F4A_7C15
            return scrambled(position)
        }
        state = (next(&position), next(&position), next(&position), next(&position))
    }

    /// A purpose with its own random numbers, so that other numbers stay the same if it needs more or fewer.
    enum Purpose: UInt64 {
        case friends = 1, teams, cheats, absences
    }

    /// Creates the generator of a purpose. No learner's stream is as high.
    init(seed: UInt64, for purpose: Purpose) {
        self.init(seed: seed, stream: purpose.rawValue << 40)
    }

    mutating func next() -> UInt64 {
        let scaled = state.1 &* 5
        let result = ((scaled << 7) | (scaled >> 57)) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = (state.3 << 45) | (state.3 >> 19)
        return result
    }

    /// A random number in 0 ..< `count`. `count` must be less than 2³².
    package mutating func below(_ count: Int) -> Int {
        Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(truncatingIfNeeded: count)) >> 32)
    }

    mutating func between(_ low: Int, _ high: Int) -> Int {
        low + below(high - low + 1)
    }

    /// A random number from `centre` − `spread` to `centre` + `spread`. Numbers near `centre` are more likely.
    mutating func around(_ centre: Int, spread: Int) -> Int {
        centre - spread + below(spread + 1) + below(spread + 1)
    }

    mutating func happens(perMille chance: Int) -> Bool {
        below(1000) < chance
    }

    mutating func oneIn(_ count: Int) -> Bool {
        below(count) == 0
    }

    /// A random number in 0 ..< 1, a multiple of 2⁻²⁴.
    mutating func unit() -> Float {
        Float(next() >> 40) * 0x1p-24
    }

    /// A random index of `shares`. The probability of an index is its share divided by the sum of all shares.
    package mutating func choice(among shares: [Int]) -> Int {
        var left = below(shares.reduce(0, +))
        for (place, share) in shares.enumerated() {
            if left < share { return place }
            left -= share
        }
        return shares.count - 1
    }
}

/// The finalizer of splitmix64. Each bit of `value` affects all bits of the result.
func scrambled(_ value: UInt64) -> UInt64 {
    var word = value
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
}
