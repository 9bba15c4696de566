// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

@Suite("Level curves")
struct LevelCurveTests {
    private func curve(_ levels: String) throws -> LevelCurve {
        try load("version: 1\nlevels: \(levels)").levels
    }

    /// The way through the level, in percent.
    private func percent(_ curve: LevelCurve, _ xp: Double) -> Double { curve.level(of: xp).percent(xp: xp) }

    @Test("The standard curve: 0, 100, 300, 600, 1000")
    func standard() throws {
        let curve = try load("version: 1").levels
        #expect((1...5).map { curve.start(of: $0) } == [0, 100, 300, 600, 1000])
        #expect([0, 99, 100, 299, 300, 999, 1000].map { curve.level(for: $0) } == [1, 1, 2, 2, 3, 4, 5])
        #expect(percent(curve, 163) == 31.5)
        #expect(percent(curve, 100) == 0)
    }

    @Test("Negative XP is level 1 without progress")
    func negative() throws {
        let curve = try load("version: 1").levels
        #expect(curve.level(for: -50) == 1)
        #expect(percent(curve, -50) == 0)
    }

    @Test("A table ends")
    func table() throws {
        let curve = try curve("{table: [0, 10, 30]}")
        #expect([0, 9, 10, 30, 1e9].map { curve.level(for: $0) } == [1, 1, 2, 3, 3])
        #expect(percent(curve, 20) == 50)
        #expect(percent(curve, 30) == 100)
        #expect(curve.start(of: 4) == nil)
    }

    @Test("A formula that becomes null ends like a table")
    func endingFormula() throws {
        let curve = try curve("{xp_for: \"n <= 3 ? 10 * (n - 1) : null\"}")
        #expect(curve.level(for: 1000) == 3)
        #expect(percent(curve, 1000) == 100)
    }

    @Test("Beyond the levels that are kept, the formula goes on")
    func beyond() throws {
        let curve = try curve("{xp_for: 100 * (n - 1)}")
        for level in [9_999, 10_000, 10_001, 123_456, 98_765_432] {
            let start = Double(100 * (level - 1))
            #expect(curve.level(for: start) == level)
            #expect(curve.level(for: start - 1) == level - 1)
            #expect(percent(curve, start + 25) == 25)
        }
    }

    @Test("A steep formula ends where doubles do")
    func steep() throws {
        let curve = try curve("{xp_for: (n - 1) * (n - 1) * (n - 1) * (n - 1) * 1e300}")
        #expect(curve.level(for: 1e300) == 2)
        #expect(percent(curve, 1.7e308) > 0)
    }
}
