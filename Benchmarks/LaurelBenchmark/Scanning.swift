// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// Decodes every event of a store with all its fields on one thread, and counts them: the cost of reading the whole
/// history.
struct Scanning {
    let location: String

    func run() throws -> Report {
        let store = try StoreBackend(location).open(mode: .readOnly)
        let startProcessor = processorSeconds()
        var (events, values) = (0, 0)
        let time = try nanoseconds {
            try store.read { reader in
                for ids in try reader.learnerRanges() {
                    try reader.forEachLearner(ids: ids) { _, runs in
                        for run in runs {
                            let table = run.table
                            events += run.rows.count
                            for row in run.rows { values += table.values(of: row).count }
                        }
                    }
                }
            }
        }
        var report = Report()
        report.add("seconds", Double(time) / 1e9)
        report.add("cpu_seconds", processorSeconds() - startProcessor)
        report.add("events", Double(events))
        report.add("values", Double(values))
        return report
    }
}
