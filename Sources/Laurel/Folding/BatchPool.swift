// SPDX-License-Identifier: Apache-2.0

import LaurelStore
import Synchronization

/// Batches of projections that serve again, with their memory, once they have been written.
final class BatchPool: Sendable {
    private let store: any EventStore
    private let free = Mutex<[any ProjectionBatch]>([])

    init(_ store: any EventStore) { self.store = store }

    @Sendable func take() -> any ProjectionBatch { free.withLock { $0.popLast() } ?? store.newBatch() }

    func giveBack(_ batch: any ProjectionBatch) {
        batch.removeAll()
        free.withLock { $0.append(batch) }
    }
}
