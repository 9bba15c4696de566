// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore
import Synchronization

/// The merged ids whose events this process has stored. The next events of such an id are stored without a failed attempt
/// under the merged id.
final class MergedNames: Sendable {
    private let known = Mutex<Set<[UInt8]>>([])

    /// The maximum number of ids. If it is exceeded, all ids are forgotten. An id is found again when its next events
    /// are stored.
    private static let most = 65_536

    func note(_ names: some Collection<[UInt8]>) {
        known.withLock { known in
            if known.count + names.count > Self.most { known = [] }
            known.formUnion(names)
        }
    }

    /// For each known merged id in a table, the id that it means now.
    func currentNames(of table: EventTable, in store: any EventStore) throws -> [[UInt8]: [UInt8]] {
        let known = known.withLock { known in known.isEmpty ? [] : table.subjects.filter(known.contains) }
        return known.isEmpty ? [:] : try store.read { try $0.currentNames(of: known) }
    }
}
