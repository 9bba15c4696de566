// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Synchronization

/// What an ingest works with that serves the next one, too.
struct IngestTools {
    var updater: LearnerUpdater
    /// Made with the first input that needs one.
    var decoder: EventDecoder?
}

/// The tools of the last small ingest: to make them anew takes a small one as long as much of its work.
final class SpareTools: @unchecked Sendable {
    private let isUsed = Mutex(())
    /// Used with `isUsed` held only.
    private var spare: IngestTools?

    /// Those that serve under a plan; nil if there are none.
    func take(_ plan: FoldPlan) -> IngestTools? {
        isUsed.withLock { _ in
            guard let tools = spare.take(), tools.updater.plan === plan else { return nil }
            return tools
        }
    }

    /// To be called once what they were used for is durable.
    func giveBack(_ tools: IngestTools) {
        tools.updater.rest()
        isUsed.withLock { _ in spare = tools }
    }
}
