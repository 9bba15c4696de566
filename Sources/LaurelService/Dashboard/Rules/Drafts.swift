// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelWire
import Synchronization

/// A draft of rules that a reader has entered. It was checked, and compared with the store's rules.
struct Draft: Sendable {
    let id: String
    /// The rules, and the options for applying them. The comparison and the later application use this same job.
    let job: RulesJob
    let check: RulesCheck
    /// The id of the job that finds the learners who gain or lose; nil if the rules have mistakes.
    var comparison: String?

    var isValid: Bool { !check.diagnostics.contains { $0.severity == .error } }
}

/// The latest drafts, and secrets that are shown once. They are in the store, because another node may receive the next
/// request.
final class DraftStore: Sendable {
    /// The stored form of a draft. Mistakes are not stored. They are found again when the draft is read.
    private struct Record: Codable {
        var job: RulesJob
        var comparison: String?
    }

    private static let most = 32
    private static let drafts = "draft/"
    private static let secrets = ServiceRecordName.shownOnce
    private let engine: ProgressEngine
    /// The drafts made or read on this node. They are cached, because a check takes longer than loading a page.
    private let drafts = Mutex<[Draft]>([])

    init(_ engine: ProgressEngine) { self.engine = engine }

    /// A new id that an attacker cannot guess. Later ids sort after earlier ids.
    static func newID(at date: Date) -> String {
        let time = String(Int64(date.timeIntervalSince1970 * 1000), radix: 16)
        return String(repeating: "0", count: max(0, 12 - time.count)) + time + Secrets.random(8).hexadecimal
    }

    func keep(_ draft: Draft) throws {
        let record = Record(job: draft.job, comparison: draft.comparison)
        try keep(ServiceRecords.text(record), as: draft.id, among: Self.drafts)
        remember(draft)
    }

    private func remember(_ draft: Draft) {
        drafts.withLock { drafts in
            drafts.append(draft)
            if drafts.count > Self.most { drafts.removeFirst() }
        }
    }

    func draft(_ id: String) throws -> Draft {
        if let draft = drafts.withLock({ $0.first { $0.id == id } }) { return draft }
        let name = Self.drafts + id
        guard let text = try engine.serviceRecords(prefix: name)[name],
            let record = try? LaurelJSON.decode(Record.self, from: Data(text.utf8))
        else { throw Problem.notFound("there is no such draft any more: paste the rules again") }
        let check = try DraftPage.check(record.job)
        let draft = Draft(id: id, job: record.job, check: check, comparison: record.comparison)
        remember(draft)
        return draft
    }

    /// Stores a secret, so that it can be read once. The secret is split between the store and the returned text, so
    /// that neither reveals it alone.
    /// - Returns: the text with which the secret can be read once.
    func storeSecret(once secret: String, at date: Date) throws -> String {
        let id = Self.newID(at: date)
        let pad = Secrets.random(secret.utf8.count)
        try keep(Base64URL.encode(zip(secret.utf8, pad).map { $0 ^ $1 }), as: id, among: Self.secrets)
        return "\(id).\(Base64URL.encode(pad))"
    }

    func redeemSecret(_ receipt: String) throws -> String? {
        let parts = receipt.split(separator: ".")
        guard parts.count == 2, let pad = Base64URL.decode(parts[1]) else { return nil }
        let name = Self.secrets + parts[0]
        guard let sealed = try engine.serviceRecords(prefix: name)[name].flatMap({ Base64URL.decode($0) }),
            sealed.count == pad.count
        else { return nil }
        try engine.setServiceRecords([name: nil])
        return String(decoding: zip(sealed, pad).map { $0 ^ $1 }, as: UTF8.self)
    }

    /// Stores a record, and deletes the oldest records of the kind if there are too many.
    private func keep(_ value: String, as id: String, among prefix: String) throws {
        var records: [String: String?] = [prefix + id: value]
        for name in try engine.serviceRecords(prefix: prefix).keys.sorted().dropLast(Self.most - 1) {
            records.updateValue(nil, forKey: name)
        }
        try engine.setServiceRecords(records)
    }
}
