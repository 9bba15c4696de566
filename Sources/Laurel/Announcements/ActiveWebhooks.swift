// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelResults
import LaurelStore

/// A cache of the active webhooks. Every transaction that stores events needs them, and any process may change them.
struct ActiveWebhooks {
    /// The version of the store for which the cache is valid; nil before the first reading.
    private var version: StoreVersion?
    private var records: [String: String] = [:]
    private var webhooks: [Webhook] = []

    /// The webhooks for a transaction that does not change them; nil if they must be read from the store.
    mutating func cached(in step: VersionStep) -> [Webhook]? {
        guard let version, version == step.before || version == step.after else { return nil }
        // The transaction leaves the webhooks unchanged, whether it is committed or rolled back. So the cache is also
        // valid for the version after it.
        self.version = step.after
        return webhooks
    }

    /// - Parameter records: the webhooks' records in the transaction, by name.
    mutating func read(_ records: [String: String], in step: VersionStep) -> [Webhook] {
        // The records are decoded only if they changed, because decoding takes longer than a small transaction.
        if self.records != records {
            self.records = records
            webhooks = records.sorted { $0.key < $1.key }.compactMap {
                try? LaurelJSON.decode(Webhook.self, from: Data($0.value.utf8))
            }.filter { $0.disabledAt == nil }
        }
        version = step.after
        return webhooks
    }
}
