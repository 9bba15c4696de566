// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelResults
import LaurelStore

/// The members of a credential's record that name a learner.
private struct CredentialRecord: Decodable {
    struct Token: Decodable { var sub: String? }

    /// The learner to whom a key is limited; nil for all learners.
    var learner: String?
    /// The token that opened a session; nil if no token did.
    var token: Token?
}

extension StoreTransaction {
    /// Ends all credentials of the learners being erased. Otherwise a device with a credential could send events,
    /// which would create the learner again. Keys and sessions are deleted. Tokens are not stored, so the instant of
    /// the erasure is stored instead: tokens issued earlier are invalid.
    ///
    /// Learners without events are included, because a device with a valid token may be about to send the first event.
    func endCredentials(of learners: [String], at date: Date = Date()) throws {
        for learner in learners {
            try setServiceRecord(ServiceRecordName.erasure(of: learner), "\(date.milliseconds)")
            try setServiceRecord(ServiceRecordName.named(learner), nil)
        }
        try deleteCredentials(of: learners)
    }

    /// Deletes the keys and sessions of learners.
    func deleteCredentials(of learners: [String]) throws {
        let ended = Set(learners.map { Array($0.utf8) })
        for prefix in [ServiceRecordName.keys, ServiceRecordName.sessions] {
            for (name, text) in try serviceRecords(prefix: prefix) {
                let record = try? LaurelJSON.decode(CredentialRecord.self, from: Data(text.utf8))
                guard let learner = record?.learner ?? record?.token?.sub, ended.contains(Array(learner.utf8)) else {
                    continue
                }
                try setServiceRecord(name, nil)
            }
        }
    }
}
