// SPDX-License-Identifier: Apache-2.0

/// The statements that a session of the server has parsed, by their names on the server.
///
/// A name is derived from the statement's text. So if a pooler lends the session to other clients, a statement of the
/// same name is the same statement.
struct PreparedStatements {
    enum Way: Equatable {
        case unnamed
        case prepare(String)
        case execute(String)
    }

    private var names: [String: (name: String, types: [UInt32])] = [:]
    /// The statements that were sent once. Most of them are never sent again.
    private var once: Set<String> = []
    /// The statements that may not have been prepared, because their answer is outstanding.
    private var unanswered: [String] = []
    private var failures = 0

    /// The most prepared statements, more than Laurel has. Each takes some ten kilobytes of the server's memory.
    private static let most = 256
    private static let words = ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"]

    /// The way to send a statement.
    /// - Parameter mayPrepare: true if an additional answer is allowed.
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

    /// Called when all sent statements have been answered.
    mutating func didAnswer(hasFailed: Bool) {
        if hasFailed, !unanswered.isEmpty {
            for sql in unanswered { names[sql] = nil }
            // Some of the statements may have been prepared nevertheless.
            failures += 1
        }
        unanswered = []
    }

    /// FNV-1a, a hash that is the same in every process.
    private static func hash(_ sql: String) -> UInt64 {
        sql.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
