// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The beginnings of the names of a service's records.
package enum ServiceRecordName {
    package static let keys = "key/"
    /// Latest uses of keys. They lie apart, so that a use does not write the key.
    package static let uses = "used/"
    package static let signingKeys = "signing/"
    /// The one signing key of version 0.2, which also signed sessions.
    package static let formerSecret = "token-secret"
    /// Sessions of the dashboard.
    package static let sessions = "session/"
    /// Secrets that a page is about to show once.
    package static let shownOnce = "shown-once/"
    /// Recent erasures: the instant, in milliseconds since 1970. They end the tokens that were made before.
    package static let erasures = "erased/"

    /// Records that a copy of the store gets if that is asked for.
    static let secrets = [keys, uses, signingKeys, formerSecret, ProgressEngine.webhooks]
    /// Records that no copy gets.
    static let passing = [sessions, shownOnce, erasures]

    /// The name of an erasure's record. It has a hash in place of the id, and is deleted when all tokens of that time have
    /// expired.
    package static func erasure(of learner: String) -> String {
        erasures + SHA256.hash(Array(learner.utf8)).hexadecimal
    }
}
