import LaurelEvents
import Testing

@Suite struct RandomEventTests {
    @Test(arguments: 1...20) func `random events come back equal`(seed: Int) {
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

    /// The public `Event` of a row makes the same event again, but for a version and an empty `data`.
    private func checkValueType(_ table: EventTable, _ row: Int, _ seed: Int) {
        let event = table.event(at: row)
        var other = EventTable()
        do throws(Refusal) {
            try other.append(event, clock: testClock)
            let back = other.event(at: 0)
            #expect(back == event, "seed \(seed)")
        } catch {
            Issue.record("seed \(seed): \(error)")
        }
    }

    /// No bytes whatever may crash the decoder or leave half an event in the table.
    @Test func `50 000 mutations of valid events do not crash`() {
        var random = SeededGenerator(seed: 2026)
        var decoder = EventDecoder()
        var table = EventTable()
        var accepted = 0
        for round in 0..<50_000 {
            var bytes = Array(random.event().utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) { random.damage(&bytes) }
            if table.count > 1000 { table = EventTable() }
            let before = table.count
            let result = bytes.withUnsafeBufferPointer { decoder.decode(line: $0, into: &table, clock: testClock) }
            guard case .ok = result else {
                #expect(table.count == before && table.values.count == Int(table.valueStarts[before]))
                continue
            }
            accepted += 1
            let text = encoded(table, before)
            let again = Array(text.utf8).withUnsafeBufferPointer {
                decoder.decode(line: $0, into: &table, clock: testClock)
            }
            if case .refused(let refusal) = again { Issue.record("round \(round): \(refusal.message): \(text)") }
        }
        #expect(accepted > 1000)
    }
}
