// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The prefixes of the names of a service's records.
package enum ServiceRecordName {
    package static let keys = "key/"
    /// The latest uses of keys. They have separate records, so that using a key does not change the key's record.
    package static let uses = "used/"
    package static let signingKeys = "signing/"
    /// The only signing key of version 0.2, which also signed sessions.
    package static let formerSecret = "token-secret"
    /// Sessions of the dashboard.
    package static let sessions = "session/"
    /// Secrets that a page of the dashboard shows once.
    package static let shownOnce = "shown-once/"
    /// The instants of recent erasures, in milliseconds since 1970. Tokens issued before an erasure are invalid. A
    /// restore of a backup repeats the erasure.
    package static let erasures = "erased/"
    /// The number of seconds for which an erasure's record is kept. Tokens expire earlier, and most backups are deleted
    /// earlier.
    package static let erasuresKept = 35 * 24 * 3600
    /// The learners whose ids first came with a public key of an analytics SDK.
    package static let named = "named/"
    /// The instant when the last job to fit FSRS's parameters started, in seconds since 1970.
    package static let lastFit = "fit/last"
    /// The instant of the last job that settled leagues, in seconds since 1970.
    package static let lastSettlement = "leagues/last"
    /// The settled weeks of leagues: see ``LeagueRecords``.
    static let leagues = "league/"
    /// The record that makes a store's file a backup: see ``BackupMark``.
    static let backup = "backup/mark"
    /// The identifier of the backup that is being restored into the store: see ``BackupMark/id``.
    static let restoring = "restore/unfinished"

    /// The records that are copied with a store on request.
    static let secrets = [keys, uses, signingKeys, formerSecret, ProgressEngine.webhooks]
    /// The records that are never copied.
    static let passing = [sessions, shownOnce, lastFit, lastSettlement, backup, restoring]

    /// The name of an erasure's record. It contains a hash of the learner's id. The record is deleted after
    /// ``erasuresKept`` seconds.
    package static func erasure(of learner: String) -> String { erasure(of: Array(learner.utf8)) }

    /// The name of the record about a learner's first key. It contains a hash of the learner's id. An erasure of the
    /// learner deletes the record.
    package static func named(_ learner: String) -> String { named + SHA256.hash(Array(learner.utf8)).hexadecimal }

    static func erasure(of learner: [UInt8]) -> String { erasures + SHA256.hash(learner).hexadecimal }
}
