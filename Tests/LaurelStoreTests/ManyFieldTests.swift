// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore
import Testing

/// Events with always new field names, more than one block can hold.
@Suite struct ManyFieldTests {
    private static func event(_ number: Int) -> TestEvent {
        var event = TestEvent(subject: "learner \(number % 3)", id: "e\(number)", milliseconds: Int64(number))
        event.data = (0..<10).map { ("field \(number * 10 + $0)", .integer(Int64($0))) }
        return event
    }

    @Test func `events with seventy thousand names of fields come back`() throws {
        let test = try Backend.sqlite.make()
        let events = (0..<7000).map(ManyFieldTests.event)
        #expect(try test.append(events).outcomes.allSatisfy { $0 == .stored })
        try test.reopen()
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
        for learner in 0..<3 {
            let expected = EventTable(events.filter { $0.subject == "learner \(learner)" })
            let found = try test.events(of: "learner \(learner)")
            #expect(found == (0..<expected.count).map(expected.describe), "learner \(learner)")
        }
    }
}
