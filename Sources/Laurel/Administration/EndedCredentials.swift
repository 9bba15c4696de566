// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelResults
import LaurelStore

/// The part of a credential's record that names a learner.
private struct CredentialRecord: Decodable {
    struct Token: Decodable { var sub: String? }

    /// The only learner whom a key is for.
    var learner: String?
    /// The token that a session was opened with.
    var token: Token?
}

extension StoreTransaction {
    /// Ends all credentials that are for one of some learners, who are being erased: otherwise a device that still has one
    /// would bring the learner back. Keys and sessions are deleted. Tokens are stored nowhere, so the instant of the erasure is.
    ///
    /// Learners who are unknown count, too: a token may be about to make one.
    func endCredentials(of learners: [String], at date: Date = Date()) throws {
        for learner in learners {
            try setServiceRecord(ServiceRecordName.erasure(of: learner), "\(date.milliseconds)")
        }
        let erased = Set(learners.map { Array($0.utf8) })
        for prefix in [ServiceRecordName.keys, ServiceRecordName.sessions] {
            for (name, text) in try serviceRecords(prefix: prefix) {
                let record = try? LaurelJSON.decode(CredentialRecord.self, from: Data(text.utf8))
                guard let learner = record?.learner ?? record?.token?.sub, erased.contains(Array(learner.utf8)) else {
                    continue
                }
                try setServiceRecord(name, nil)
            }
        }
    }
}
