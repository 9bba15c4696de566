// SPDX-License-Identifier: Apache-2.0

/// The achievements that one kind of track can unlock. The kinds are the overall track and language tracks.
struct AchievementScope {
    /// The indexes of the achievements, in file order.
    let indexes: UnsafeBufferPointer<Int>
    /// The union of the changes that these achievements read.
    let inputs: TrackChanges
    private let own: AchievementSet
    /// Element n contains the achievements that read the change with bit n in ``TrackChanges``.
    private let readers: UnsafeBufferPointer<AchievementSet>

    init(_ achievements: [AchievementPlan], perLanguage: Bool, memory: PlanStorage) {
        let own = achievements.indices.filter { achievements[$0].isPerLanguage == perLanguage }
        func set(_ indexes: [Int]) -> AchievementSet {
            AchievementSet(indexes, of: achievements.count, memory: memory)
        }
        indexes = memory.keep(own)
        inputs = own.reduce(into: []) { $0.formUnion(achievements[$1].inputs) }
        self.own = set(own)
        readers = memory.keep(
            (0..<TrackChanges.RawValue.bitWidth).map { bit in
                set(own.filter { achievements[$0].inputs.rawValue >> bit & 1 == 1 })
            }
        )
    }

    /// The number of 64-bit words in the results of ``affected(by:_:_:)``.
    var wordCount: Int { own.words.count }

    /// Returns the achievements whose inputs may have changed: those that read one of `changes`, and those in `others`.
    /// Each call returns one 64-bit word of the set.
    /// - Parameter changes: nil if all achievements are affected.
    @inline(__always)
    func affected(by changes: TrackChanges?, _ others: AchievementSet, _ word: Int) -> UInt64 {
        guard var rest = changes?.rawValue else { return own.words[word] }
        var affected = own.words[word] & others.words[word]
        while rest != 0 {
            affected |= readers[rest.trailingZeroBitCount].words[word]
            rest &= rest &- 1
        }
        return affected
    }
}

/// A set of a version's achievements.
struct AchievementSet {
    /// Bit n of word w is set if achievement 64 · w + n is in the set.
    let words: UnsafeBufferPointer<UInt64>

    init(_ indexes: [Int], of count: Int, memory: PlanStorage) {
        var words = [UInt64](repeating: 0, count: (count + 63) / 64)
        for index in indexes { words[index / 64] |= 1 << UInt64(index % 64) }
        self.words = memory.keep(words)
    }
}
