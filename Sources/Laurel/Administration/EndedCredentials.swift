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

/// The reason why a learner's credentials end.
enum EndOfLearner {
    case erasure, merge

    /// The name of the record of the instant.
    func record(of learner: String) -> String {
        switch self {
        case .erasure: ServiceRecordName.erasure(of: learner)
        case .merge: ServiceRecordName.merge(of: learner)
        }
    }
}

extension StoreTransaction {
    /// Ends all credentials of learners being erased or merged. Otherwise a device with a credential of an erased learner
    /// could send events, which would create the learner again. Keys and sessions are deleted. Tokens are not stored, so
    /// the instant is stored instead: tokens issued earlier are invalid.
    ///
    /// Unknown learners are included, because a valid token may be about to create one.
    func endCredentials(
        of learners: [String],
        after end: EndOfLearner = .erasure,
        at date: Date = Date()
    ) throws {
        for learner in learners {
            try setServiceRecord(end.record(of: learner), "\(date.milliseconds)")
            if end == .erasure { try setServiceRecord(ServiceRecordName.named(learner), nil) }
        }
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
