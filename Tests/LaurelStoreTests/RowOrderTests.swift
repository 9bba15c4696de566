// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import StoreTesting
import Testing

@testable import LaurelStore

/// Rows come in any order that no statement asks for. SQLite can be told to give the reverse of the usual one.
@Suite struct RowOrderTests {
    @Test(arguments: UInt64(1)...3) func `sums of days rely on an order that is asked for`(seed: UInt64) throws {
        let test = try Backend.sqlite.make()
        try test.store.write { transaction throws in
            for name in ["ana", "bo", "cy"] {
                let learner = try transaction.learnerID(for: Array(name.utf8))
                try transaction.project(DerivedStateTests.projection(seed: seed), of: learner, days: .all)
            }
        }
        let store = try #require(test.store as? SQLiteStore)
        let usual = try sums(store, isReversed: false)
        #expect(usual.count == 3)
        #expect(try sums(store, isReversed: true) == usual)
    }

    private func sums(_ store: SQLiteStore, isReversed: Bool) throws -> [Int64: [Double]] {
        try store.readBlocks { session throws in
            let connection = try #require(session.tables as? SQLiteTables).connection
            try connection.execute("PRAGMA reverse_unordered_selects = \(isReversed ? 1 : 0)")
            var sums: [Int64: [Double]] = [:]
            let days = LocalDay(number: 0)...LocalDay(number: 100_000)
            try session.forEachXP(language: nil, days: days, cohort: nil) { sums[$0, default: []].append($1) }
            return sums
        }
    }
}
