import LaurelEvents
package import LaurelRules
import LaurelStore

extension ProgressEngine {
    /// An engine over events that are nowhere but in memory, to try things on.
    /// - Parameter events: CloudEvents, one per line; lines that are refused are left out.
    package static func inMemory(events: [UInt8], rules: RuleSet?) throws -> ProgressEngine {
        var staged = StagedEvents()
        var decoder = EventDecoder()
        for line in events.split(separator: UInt8(ascii: "\n")) {
            _ = Array(line).withUnsafeBufferPointer { decoder.decode(line: $0, into: &staged.table, clock: .max / 2) }
        }
        let store = MemoryStore()
        try store.write { transaction in
            let groups = try staged.groups { try transaction.learnerID(for: $0) }
            _ = try transaction.append(staged.table, groups: groups)
        }
        return try ProgressEngine(store: store, rules: rules, clock: 0)
    }
}
