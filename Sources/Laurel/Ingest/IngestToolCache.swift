// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Synchronization

/// What an ingest works with that serves the next one, too.
struct IngestTools {
    var updater: LearnerUpdater
    let decoder = ReusedDecoder()

    /// The updater, which follows the rules of a plan from now on.
    mutating func updater(of plan: FoldPlan) -> LearnerUpdater {
        if plan !== updater.plan { updater = updater.following(plan) }
        return updater
    }
}

extension ProgressEngine {
    /// Tools for a small ingest, to be given back.
    func tools(for plan: FoldPlan) -> IngestTools {
        toolCache.take(plan) ?? IngestTools(updater: LearnerUpdater(store: store, plan: plan, recent: recent))
    }
}

/// The tools of the last small ingests: to make them anew takes a small one as long as much of its work.
final class IngestToolCache: @unchecked Sendable {
    private let lock = Mutex(())
    /// Used with `lock` held only.
    private var spare: [IngestTools] = []
    /// As many as ingest at once, mostly.
    private static let most = 8

    /// Those that serve under a plan; nil if there are none.
    func take(_ plan: FoldPlan) -> IngestTools? {
        lock.withLock { _ in
            spare.removeAll { $0.updater.plan !== plan }
            return spare.popLast()
        }
    }

    /// To be called once what they were used for is durable.
    func giveBack(_ tools: IngestTools) {
        tools.updater.rest()
        lock.withLock { _ in if spare.count < Self.most { spare.append(tools) } }
    }
}
