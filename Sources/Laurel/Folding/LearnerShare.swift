// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// The events of some learners, read but not yet folded. A share has a few thousand events, so that passing it to
/// another core is worth the cost.
struct LearnerShare {
    private(set) var learners: [(learner: Int64, runs: [EventRun])] = []
    private(set) var events = 0
    /// The number of events in tables that this share keeps in memory and that the previous share does not keep.
    private var decoded = 0
    private var tables: Set<ObjectIdentifier> = []
    private var tablesBefore: Set<ObjectIdentifier> = []

    /// The share's estimated memory, as a number of events: the decoded events, or the results of their fold if these
    /// take more.
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
