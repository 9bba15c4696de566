// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents

/// The service's records in the store, by name: keys, sessions, webhooks and others.
struct ServiceRecords: Sendable, Hashable {
    let records: [String: String]

    init(_ records: [String: String]) { self.records = records }

    /// The keys. Records that this version cannot read were written by a later version, and are ignored.
    var storedKeys: [StoredKey] { all(Self.keys) }
    var webhooks: [Webhook] { all(Self.webhooks) }
    var signingKeys: [SigningKey] { all(Self.signingKeys) }
    var sessions: [String: DashboardSession] {
        Dictionary(uniqueKeysWithValues: named(Self.sessions))
    }

    static let keys = ServiceRecordName.keys
    static let uses = ServiceRecordName.uses
    static let webhooks = ProgressEngine.webhooks
    static let sessions = ServiceRecordName.sessions
    static let signingKeys = ServiceRecordName.signingKeys
    static let formerSecret = ServiceRecordName.formerSecret

    static func name(ofKey id: String) -> String { keys + id }
    static func name(ofWebhook id: String) -> String { webhooks + id }

    /// Reads the records that are needed to admit requests.
    static func read(_ engine: ProgressEngine) throws(EngineError) -> ServiceRecords {
        ServiceRecords(
            try engine.serviceRecords(prefixes: [
                keys, uses, webhooks, sessions, signingKeys, formerSecret, ServiceRecordName.erasures,
            ])
        )
    }

    /// The keys with the times of their latest uses, the oldest key first.
    var keys: [AccessKey] {
        storedKeys.map(\.key).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map { key in
            var key = key
            key.lastUsedAt = records[Self.uses + key.id].flatMap { Int64($0) }.map { Date(milliseconds: $0) }
            return key
        }
    }

    /// The time at which the token's learner was erased after the token had been made; nil if the learner was not
    /// erased.
    func erasure(ending token: LearnerToken) -> Date? {
        let erasure = records[ServiceRecordName.erasure(of: token.sub)].flatMap { Int64($0) }
        return erasure.flatMap { Double($0) / 1000 >= token.iat ? Date(milliseconds: $0) : nil }
    }

    func all<Record: Decodable>(_ prefix: String) -> [Record] { named(prefix).map(\.1) }

    private func named<Record: Decodable>(_ prefix: String) -> [(String, Record)] {
        records.compactMap { name, text in
            guard name.hasPrefix(prefix), let record = try? LaurelJSON.decode(Record.self, from: Data(text.utf8))
            else { return nil }
            return (String(name.dropFirst(prefix.count)), record)
        }
    }

    static func text(_ record: some Encodable) -> String {
        // Encoding cannot fail, because these are Laurel's own records.
        (try? LaurelJSON.encode(record)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
