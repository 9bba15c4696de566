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
    /// Recent erasures: the instant, in milliseconds since 1970. Tokens issued before it are invalid, and a restored
    /// backup is told whom to erase again.
    package static let erasures = "erased/"
    /// The seconds for which an erasure's record is kept: longer than any token is valid, and than a usual backup is
    /// kept.
    package static let erasuresKept = 35 * 24 * 3600
    /// Makes a store's file a backup: see ``BackupMark``.
    static let backup = "backup/mark"
    /// The backup that is being restored into the store: see ``BackupMark/id``.
    static let restoring = "restore/unfinished"

    /// Records that are copied with a store on request.
    static let secrets = [keys, uses, signingKeys, formerSecret, ProgressEngine.webhooks]
    /// Records that are never copied.
    static let passing = [sessions, shownOnce, backup, restoring]

    /// The name of an erasure's record. It contains a hash of the id, and is deleted after ``erasuresKept``.
    package static func erasure(of learner: String) -> String { erasure(of: Array(learner.utf8)) }

    static func erasure(of learner: [UInt8]) -> String { erasures + SHA256.hash(learner).hexadecimal }
}
