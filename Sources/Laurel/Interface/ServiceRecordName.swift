// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The beginnings of the names of a service's records.
package enum ServiceRecordName {
    package static let keys = "key/"
    /// Latest uses of keys. They are separate records, so that a use does not write the key's record.
    package static let uses = "used/"
    package static let signingKeys = "signing/"
    /// The only signing key of version 0.2, which also signed sessions.
    package static let formerSecret = "token-secret"
    /// Sessions of the dashboard.
    package static let sessions = "session/"
    /// Secrets that a page shows once.
    package static let shownOnce = "shown-once/"
    /// Recent erasures: the instant, in milliseconds since 1970. Tokens issued before it are invalid.
    package static let erasures = "erased/"

    /// Records that are copied with a store on request.
    static let secrets = [keys, uses, signingKeys, formerSecret, ProgressEngine.webhooks]
    /// Records that are never copied.
    static let passing = [sessions, shownOnce, erasures]

    /// The name of an erasure's record. It contains a hash of the id, and is deleted when all earlier tokens have
    /// expired.
    package static func erasure(of learner: String) -> String {
        erasures + SHA256.hash(Array(learner.utf8)).hexadecimal
    }
}
