// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelWire
import Synchronization

/// Rules that somebody is about to apply: pasted, checked, and compared with those in force.
struct Draft: Sendable {
    let id: String
    let text: String
    /// nil: in force from the beginning.
    let from: LocalDay?
    let check: RulesCheck
    /// The hash of the rules that they would follow: another's change must not be undone unseen.
    let present: String
    /// The job that finds out who wins and who loses; nil where the rules have mistakes.
    var comparison: String?

    var isSound: Bool { !check.diagnostics.contains { $0.severity == .error } }
}

/// The latest drafts, and secrets that are shown once. Kept by this process alone, for as long as it runs.
final class DraftStore: Sendable {
    private static let mostDrafts = 32
    private let drafts = Mutex<[Draft]>([])
    private let secrets = Mutex<[(id: String, text: String)]>([])

    func keep(_ draft: Draft) {
        drafts.withLock { drafts in
            drafts.append(draft)
            if drafts.count > Self.mostDrafts { drafts.removeFirst() }
        }
    }

    func draft(_ id: String) throws -> Draft {
        guard let draft = drafts.withLock({ $0.first { $0.id == id } }) else {
            throw Problem.notFound("there is no such draft any more: paste the rules again")
        }
        return draft
    }

    /// - Returns: what the secret is asked for by, once.
    func hand(over secret: String) -> String {
        let id = Secrets.random(8).hexadecimal
        secrets.withLock { secrets in
            secrets.append((id, secret))
            if secrets.count > Self.mostDrafts { secrets.removeFirst() }
        }
        return id
    }

    func takeSecret(_ id: String) -> String? {
        secrets.withLock { secrets in
            guard let index = secrets.firstIndex(where: { $0.id == id }) else { return nil }
            return secrets.remove(at: index).text
        }
    }
}
