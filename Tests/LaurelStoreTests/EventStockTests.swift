// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

@testable import LaurelStore

/// Events that wait in packed form are unpacked unchanged.
@Suite struct EventStockTests {
    private let seed = UInt64.random(in: 0...999)

    /// Some tables of unusual events, of alternating learners.
    private func tables() -> [EventTable] {
        var odd = OddEvents(seed: seed)
        var random = SeededGenerator(seed: seed)
        return [1, 700, 40, 1500].map { count in
            var events: [TestEvent] = []
            for _ in 0..<count {
                events.append(odd.event(subject: "learner-\(Int.random(in: 0..<30, using: &random))"))
            }
            return EventTable(events)
        }
    }

    private func line(_ batch: Int, _ row: Int) -> String {
        "{\"batch\":\(batch),\"row\":\(row)\(String(repeating: " ", count: row % 300))}"
    }

    private func stock(of tables: [EventTable]) -> EventStock {
        let stock = EventStock { Partition.of($0, among: 8) }
        for (batch, table) in tables.enumerated() {
            stock.append(table) { (10 * $0 + batch, Array(line(batch, $0).utf8)[...]) }
        }
        return stock
    }

    @Test func `rows, lines and the order of arrival`() throws {
        let tables = tables()
        let stock = stock(of: tables)
        let places = tables.enumerated().flatMap { batch, table in (0..<table.count).map { (batch, $0) } }
        #expect(stock.count == places.count)
        var met: Set<Int> = []
        var reader = EventStock.LineReader(stock)
        for subject in stock.subjects.shuffled() {
            let table = stock.table([(subject.subject, subject.rows)])
            #expect(subject.partition == Partition.of(subject.subject, among: 8))
            var latest = -1
            for (place, row) in subject.rows.flatMap(\.self).enumerated() {
                let arrival = stock.arrival(of: row)
                let (batch, original) = places[arrival]
                #expect(arrival > latest && met.insert(row).inserted, "seed \(seed)")
                #expect(table.describe(place) == tables[batch].describe(original), "seed \(seed)")
                let (number, bytes) = try reader.original(row)
                #expect(number == 10 * original + batch, "seed \(seed)")
                #expect(String(decoding: bytes, as: UTF8.self) == line(batch, original), "seed \(seed)")
                latest = arrival
            }
        }
        #expect(met.count == stock.count)
    }

    @Test func `several learners at once`() throws {
        let tables = tables()
        let stock = stock(of: tables)
        let some = stock.subjects.filter { $0.partition < 4 }
        let table = stock.table(some.map { ($0.subject, $0.rows) })
        let expected = some.flatMap { subject in
            tables.flatMap { table in
                (0..<table.count).filter { table.texts[table.subject[$0]].elementsEqual(subject.subject) }
                    .map(table.describe)
            }
        }
        #expect((0..<table.count).map(table.describe) == expected, "seed \(seed)")
    }

    @Test func `long events count for several`() throws {
        var (short, long) = (TestEvent(id: "a"), TestEvent(id: String(repeating: "x", count: 4000)))
        (short.subject, long.subject) = ("short", "long")
        let stock = stock(of: [EventTable([short, long])])
        let sizes = stock.subjects.map { stock.size(of: $0.rows[0]) }
        #expect(sizes[0] == 1 && 10...20 ~= sizes[1])
        #expect(stock.byteCount > 4000)
    }
}
