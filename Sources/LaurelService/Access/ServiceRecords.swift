// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents

/// The records of a service in the store, by name.
struct ServiceRecords: Sendable, Hashable {
    let records: [String: String]

    init(_ records: [String: String]) { self.records = records }

    /// The keys. Unreadable records were written by a later version, and are ignored.
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

    /// Reads the records that decide about requests.
    static func read(_ engine: ProgressEngine) throws(EngineError) -> ServiceRecords {
        ServiceRecords(
            try engine.serviceRecords(prefixes: [
                keys, uses, webhooks, sessions, signingKeys, formerSecret, ServiceRecordName.erasures,
            ])
        )
    }

    /// The keys with their latest uses, the oldest first.
    var keys: [AccessKey] {
        storedKeys.map(\.key).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }.map { key in
            var key = key
            key.lastUsedAt = records[Self.uses + key.id].flatMap { Int64($0) }.map { Date(milliseconds: $0) }
            return key
        }
    }

    /// The instant of an erasure of the token's learner after the token was made; nil if there was none.
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
        // Laurel's own records can always be encoded.
        (try? LaurelJSON.encode(record)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
