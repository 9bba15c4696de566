// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// Learners' events, read and not yet folded: some thousand, enough to be worth handing to another core.
struct LearnerShare {
    private(set) var learners: [(learner: Int64, runs: [EventRun])] = []
    private(set) var events = 0
    /// Events of the tables that it keeps in memory and the share before does not.
    private var decoded = 0
    private var tables: Set<ObjectIdentifier> = []
    private var tablesBefore: Set<ObjectIdentifier> = []

    /// What is found of an event takes memory, too.
    var weight: Int { max(decoded, events * 8) }

    init() {}

    init(after other: LearnerShare) { tablesBefore = other.tables }

    mutating func append(_ learner: Int64, _ runs: [EventRun]) {
        learners.append((learner, runs))
        for run in runs {
            events += run.rows.count
            let table = ObjectIdentifier(run.shared)
            if tables.insert(table).inserted, !tablesBefore.contains(table) { decoded += run.shared.table.count }
        }
    }
}
