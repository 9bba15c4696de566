import LaurelEvents
package import LaurelRules
import LaurelStore

extension ProgressEngine {
    /// An engine over events that are nowhere but in memory, to try things on.
    /// - Parameter events: CloudEvents, one per line; lines that are refused are left out.
    package static func inMemory(events: [UInt8], rules: RuleSet?) throws -> ProgressEngine {
        var table = EventTable()
        var decoder = EventDecoder()
        for line in events.split(separator: UInt8(ascii: "\n")) {
            _ = Array(line).withUnsafeBufferPointer { decoder.decode(line: $0, into: &table, clock: .max / 2) }
        }
        let rows = Dictionary(grouping: 0..<table.count) { Array(table.texts[table.subject[$0]]) }
        let store = MemoryStore()
        try store.write { transaction in
            // In byte order, so that ids do not depend on hashing.
            let groups = try rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { subject, rows in
                LearnerRows(learner: try transaction.learnerID(for: subject), rows: rows)
            }
            _ = try transaction.append(table, groups: groups)
        }
        return try ProgressEngine(store: store, rules: rules, clock: 0)
    }
}
