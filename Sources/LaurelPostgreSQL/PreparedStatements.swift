// SPDX-License-Identifier: Apache-2.0

/// The statements that a server session has parsed, by their names on the server.
///
/// A name is derived from the statement's text. So if a pooler gives the session to several clients, equal names always
/// mean equal statements.
struct PreparedStatements {
    enum Execution: Equatable {
        case unnamed
        case prepare(String)
        case execute(String)
    }

    private var names: [String: (name: String, types: [UInt32])] = [:]
    /// The statements that were sent once so far. Most of them are never sent again, so they are not prepared.
    private var once: Set<String> = []
    /// The statements that were sent for preparation, and whose answers were not read yet.
    private var unanswered: [String] = []
    private var failures = 0

    /// The maximum number of prepared statements, which is more than Laurel uses. Each needs some ten kilobytes of the
    /// server's memory.
    private static let most = 256
    private static let words = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"]

    /// Decides how to send a statement.
    /// - Parameter mayPrepare: true if the statement may be prepared. If it is prepared, the server sends one more
    ///   answer.
    mutating func way(_ sql: String, _ types: [UInt32], mayPrepare: Bool) -> Execution {
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

    /// Records that all sent statements have been answered.
    mutating func didAnswer(hasFailed: Bool) {
        if hasFailed, !unanswered.isEmpty {
            for sql in unanswered { names[sql] = nil }
            // Some of the statements may have been prepared despite the failure.
            failures += 1
        }
        unanswered = []
    }

    /// The FNV-1a hash, which is the same in every process.
    private static func hash(_ sql: String) -> UInt64 {
        sql.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
