// SPDX-License-Identifier: Apache-2.0

/// Which statements a session of the server has parsed already, by the names that they have there.
///
/// A name follows from the statement's text: where a pooler lends the session to others, theirs of the same name is the same statement.
struct PreparedStatements {
    enum Way: Equatable {
        case unnamed
        case prepare(String)
        case execute(String)
    }

    private var names: [String: (name: String, types: [UInt32])] = [:]
    /// Those that were sent once: most of what is sent once is not sent again.
    private var once: Set<String> = []
    /// Those of which it is not known yet whether they were prepared.
    private var unanswered: [String] = []
    private var failures = 0

    /// More than there are in all lists of statements. Each takes some ten kilobytes of the server's memory.
    private static let most = 256
    private static let words = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"]

    /// How to send a statement.
    /// - Parameter mayPrepare: whether an answer more does no harm.
    mutating func way(_ sql: String, _ types: [UInt32], mayPrepare: Bool) -> Way {
        if let known = names[sql] { return known.types == types ? .execute(known.name) : .unnamed }
        guard mayPrepare, names.count < Self.most, Self.words.contains(where: sql.hasPrefix) else { return .unnamed }
        guard once.remove(sql) != nil else {
            if once.count < Self.most { once.insert(sql) }
            return .unnamed
        }
        let name = "laurel_\(String(Self.hash(sql), radix: 36))_\(failures)"
        names[sql] = (name, types)
        unanswered.append(sql)
        return .prepare(name)
    }

    /// To be told when answers have come to all that was sent.
    mutating func didAnswer(hasFailed: Bool) {
        if hasFailed, !unanswered.isEmpty {
            for sql in unanswered { names[sql] = nil }
            // Some may be there all the same.
            failures += 1
        }
        unanswered = []
    }

    /// FNV-1a, which is the same in every process.
    private static func hash(_ sql: String) -> UInt64 {
        sql.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
