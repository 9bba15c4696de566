// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The XP at which each level starts.
package final class LevelCurve: Sendable {
    /// The XP at which levels 1, 2, … start. For a table, these are all levels. For a formula, they are the first
    /// levels only.
    let starts: [Double]
    /// The formula for further levels; nil if the curve is a table.
    let formula: Program?

    /// The number of levels whose starts are computed and checked when rules load.
    static let checkedLevels = 10_000
    private static let largestLevel = 1 << 40

    /// - Parameter table: the starts, ascending from 0.
    init(table: [Double]) {
        starts = table
        formula = nil
    }

    /// - Throws: the reason why the formula is not a valid level curve.
    init(formula: Program) throws(LevelCurveError) {
        var starts: [Double] = []
        var hasMore = true
        for start in Self.evaluate(formula, 1...Self.checkedLevels) {
            let level = starts.count + 1
            if level == 1, start != 0 { throw .firstLevel(start) }
            // A formula may give null for a level. The curve then ends before that level, as a table does.
            guard start.isFinite else {
                hasMore = false
                break
            }
            if let last = starts.last, start <= last {
                // Beyond 2⁵³, doubles cannot distinguish neighbouring whole numbers.
                guard last < 0x1p53 else {
                    hasMore = false
                    break
                }
                throw .notAscending(level: level, start: start, last: last)
            }
            starts.append(start)
        }
        self.starts = starts
        self.formula = hasMore ? formula : nil
    }

    /// The highest level; nil if the curve has no end.
    var lastLevel: Int? { formula == nil ? starts.count : nil }

    /// The curve as shown in a sentence.
    var shown: String { formula.map { "`\($0.source)`" } ?? starts.map(\.brief).joined(separator: ", ") }

    /// The XP at which level `n` starts; nil if the level does not exist.
    package func start(of n: Int) -> Double? {
        if starts.indices.contains(n - 1) { return starts[n - 1] }
        guard let formula, n > 0, n <= Self.largestLevel else { return nil }
        let start = Self.evaluate(formula, n...n)[0]
        return start.isFinite && start > starts[starts.count - 1] ? start : nil
    }

    /// The highest level whose start is ≤ `xp`; 1 if `xp` is negative.
    /// - Complexity: O(log level). For the first 10,000 levels, the formula is not evaluated.
    package func level(for xp: Double) -> Int {
        guard formula != nil, xp >= starts[starts.count - 1] else {
            // Most learners' levels are low, so the search starts there.
            var (low, high) = (0, 8)
            while high < starts.count, !(starts[high] > xp) { (low, high) = (high, high * 4) }
            return max(1, (low..<min(high, starts.count)).partitioningIndex { starts[$0] > xp })
        }
        var low = starts.count
        var high = low * 2
        while let start = self.start(of: high), start <= xp {
            low = high
            high *= 2
        }
        while high - low > 1 {
            let middle = (low + high) / 2
            if let start = self.start(of: middle), start <= xp { low = middle } else { high = middle }
        }
        return low
    }

    /// The position of an amount of XP on the curve.
    package struct Level: Sendable {
        package let level: Int
        /// The XP at which the level starts, and at which the next level starts. If there is no next level, `end` is
        /// infinite.
        package let start: Double
        package let end: Double

        /// The share of the way from the level's start to the start of the next level, in percent. 0 if XP is negative,
        /// 100 at the highest level.
        package func percent(xp: Double) -> Double {
            guard xp >= 0 else { return 0 }
            return end < .infinity ? 100 * (xp - start) / (end - start) : 100
        }
    }

    /// The level for an amount of XP, with the level's start and end.
    package func level(of xp: Double) -> Level {
        let level = level(for: xp)
        return Level(level: level, start: start(of: level) ?? 0, end: start(of: level + 1) ?? .infinity)
    }

    /// Evaluates the formula for each level of a range. The formula can read only `n`.
    private static func evaluate(_ formula: Program, _ levels: ClosedRange<Int>) -> [Double] {
        formula.calculation.numbers(of: levels.lazy.map(Double.init))
    }
}

/// The reason why an expression is not a valid level curve.
enum LevelCurveError: Error {
    case firstLevel(Double)
    case notAscending(level: Int, start: Double, last: Double)
}
