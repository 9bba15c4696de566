// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Synchronization

/// The updater and the decoder of an ingest. A later ingest can reuse them with their memory.
struct IngestTools {
    var updater: LearnerUpdater
    let decoder = ReusedDecoder()

    /// The updater, set to the rules of a plan.
    mutating func updater(of plan: FoldPlan) -> LearnerUpdater {
        if plan !== updater.plan { updater = updater.following(plan) }
        return updater
    }
}

extension ProgressEngine {
    /// Tools for a small ingest. Give them back afterwards.
    func tools(for plan: FoldPlan) -> IngestTools {
        toolCache.take(plan) ?? IngestTools(updater: LearnerUpdater(store: store, plan: plan, recent: recent))
    }
}

/// The tools of recent small ingests. Creating new tools would take about as long as a small ingest.
final class IngestToolCache: @unchecked Sendable {
    private let lock = Mutex(())
    /// The cached tools. Access them only while `lock` is held.
    private var spare: [IngestTools] = []
    /// The maximum number of tools to keep: about the number of concurrent small ingests.
    private static let most = 8

    /// Returns tools set to a plan; nil if there are none.
    func take(_ plan: FoldPlan) -> IngestTools? {
        lock.withLock { _ in
            spare.removeAll { $0.updater.plan !== plan }
            return spare.popLast()
        }
    }

    /// Returns tools to the cache. Call it when everything stored with them is durable.
    func release(_ tools: IngestTools) {
        tools.updater.rest()
        lock.withLock { _ in if spare.count < Self.most { spare.append(tools) } }
    }
}
