// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// What a service keeps in the store, by name.
struct ServiceRecords: Sendable, Hashable {
    let records: [String: String]

    init(_ records: [String: String]) { self.records = records }

    /// What cannot be read is of a later program, and no key of this one.
    var keys: [AccessKey] { all(Self.keys) }
    var webhooks: [Webhook] { all(Self.webhooks) }
    /// What tokens are signed with, on every node.
    var tokenSecret: [UInt8]? { records[Self.tokenSecret].flatMap { Base64URL.decode($0) } }

    static let tokenSecret = "token-secret"
    static let keys = "key/"
    static let webhooks = ProgressEngine.webhooks
    static func name(ofKey id: String) -> String { keys + id }
    static func name(ofWebhook id: String) -> String { webhooks + id }

    /// All that requests go by.
    static func read(_ engine: ProgressEngine) throws -> ServiceRecords {
        var records: [String: String] = [:]
        for prefix in [keys, webhooks, tokenSecret] {
            try records.merge(engine.serviceRecords(prefix: prefix)) { first, _ in first }
        }
        return ServiceRecords(records)
    }

    func all<Record: Decodable>(_ prefix: String) -> [Record] {
        records.filter { $0.key.hasPrefix(prefix) }.compactMap {
            try? LaurelJSON.decode(Record.self, from: Data($0.value.utf8))
        }
    }

    static func text(_ record: some Encodable) -> String {
        // Records are our own, and every one can be encoded.
        (try? LaurelJSON.encode(record)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
