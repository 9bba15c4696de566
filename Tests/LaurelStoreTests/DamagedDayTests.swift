// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore
import StoreTesting
import Testing

/// Rows of progress with values that no fold has written.
@Suite struct DamagedDayTests {
    @Test func `a write onto a day that is none says what is damaged`() throws {
        let projection = DerivedStateTests.projection(seed: 1)
        let test = try Backend.sqlite.make()
        try test.append([TestEvent(subject: "ana", id: "a")])
        let ana = try test.store.write { transaction throws in
            let ana = try transaction.learnerID(for: Array("ana".utf8))
            try transaction.project(projection, of: ana, days: .all)
            return ana
        }
        (test.store as? SQLiteStore)?.close()
        let path = try #require(test.path)
        DamageTests.Vandal(path).write("UPDATE daily_rows SET day = day + (1 << 40)", [])
        let store = try SQLiteStore(path: path, mode: .readWrite)
        defer { store.close() }
        let error = #expect(throws: StoreError.self) {
            try store.write { try $0.project(projection, of: ana, days: .all) }
        }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("learner \(ana) is damaged") == true)
        #expect(error?.message.contains("laurel replay") == true)
    }
}
