// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

@Suite struct RandomEventTests {
    @Test(arguments: 1...8) func `random events come back equal`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var decoder = EventDecoder()
        var table = EventTable()
        for _ in 0..<200 {
            let sent = random.event()
            let result = Array(sent.utf8).withUnsafeBufferPointer {
                decoder.decode(line: $0, into: &table, clock: testClock)
            }
            if case .refused(let refusal) = result {
                Issue.record("seed \(seed): \(refusal.message): \(sent)")
                continue
            }
            let row = table.count - 1
            let returned = encoded(table, row)
            #expect(JSONValue(validated: returned.utf8) == JSONValue(validated: sent.utf8), "seed \(seed)")
            let (again, refusal) = decode(returned)
            #expect(refusal == nil, "seed \(seed)")
            #expect(table.hasSameContent(row, again, 0) && again.hasSameContent(0, table, row), "seed \(seed)")
            checkValueType(table, row, seed)
        }
    }

    /// The public `Event` of a row gives the same event again, except for a version and an empty `data`.
    private func checkValueType(_ table: EventTable, _ row: Int, _ seed: Int) {
        let event = table.event(at: row)
        var other = EventTable()
        do throws(Refusal) {
            try other.append([event])
            let back = other.event(at: 0)
            #expect(back == event, "seed \(seed)")
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }
}
