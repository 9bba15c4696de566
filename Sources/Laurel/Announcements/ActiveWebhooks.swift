// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelResults
import LaurelStore

/// The webhooks that are told, as far as they are known without asking the store: any process may change them, and each
/// transaction that stores events has to know them.
struct ActiveWebhooks {
    /// The state of the store in which they were as they are here; nil before they were read.
    private var version: StoreVersion?
    private var records: [String: String] = [:]
    private var webhooks: [Webhook] = []

    /// Those in a transaction that does not change them; nil where it has to read them.
    mutating func known(in step: VersionStep) -> [Webhook]? {
        guard let version, version == step.before || version == step.after else { return nil }
        // Whether it is committed or rolled back, they are the same afterwards.
        self.version = step.after
        return webhooks
    }

    /// - Parameter records: as they are in the transaction.
    mutating func read(_ records: [String: String], in step: VersionStep) -> [Webhook] {
        // Decoding them each time would take longer than a small transaction may.
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
