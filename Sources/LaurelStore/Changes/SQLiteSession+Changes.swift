// SPDX-License-Identifier: Apache-2.0

/// What the transaction under way touches.
struct PendingChanges {
    /// As the last commit left it.
    let log: ChangeLog
    private(set) var touchesEverybody = false
    /// A few more than are listed tell that there are many.
    private(set) var learners: Set<Int64> = []

    init(after log: ChangeLog) { self.log = log }

    /// The transaction's number.
    var commit: Int64 { log.commit + 1 }

    mutating func add(_ touched: some Sequence<Int64>) {
        for learner in touched where learners.count <= ChangeLog.mostPerCommit { learners.insert(learner) }
    }

    mutating func addEverybody() { touchesEverybody = true }

    var newLog: ChangeLog {
        var log = log
        if touchesEverybody { log.addCommitToEverybody() } else { log.add(learners.sorted()) }
        return log
    }
}

/// Commits have numbers, and `learners.changed` says which one touched a learner last. A commit that touches everybody, as a
/// replay does, is noted once, in the ``ChangeLog``; so is an erasure, which is to leave no trace of who it was.
extension SQLiteSession {
    /// Notes whom the transaction touches.
    /// - Returns: its number, for `learners.changed`.
    func touch(_ learners: some Sequence<Int64>) throws -> Int64 {
        var pending = try pendingChanges ?? PendingChanges(after: try remembered(\.changes, changeLogToWrite))
        pending.add(learners)
        pendingChanges = pending
        return pending.commit
    }

    func touchEverybody() throws {
        _ = try touch([])
        pendingChanges?.addEverybody()
    }

    /// To be called when the transaction touches nobody any more.
    func settleChanges() throws {
        guard let pending = pendingChanges else { return }
        let log = pending.newLog
        try connection.run("INSERT OR REPLACE INTO meta VALUES ('recent_changes', ?)", .blob(log.bytes))
        known.changes = log
    }

    func changes(since commit: Int64, limit: Int) throws -> StoreChanges {
        guard try format() >= 6, let log = try changeLog() else { return StoreChanges(commit: 0, everybody: true) }
        guard (log.everybody...log.commit).contains(commit) else {
            return StoreChanges(commit: log.commit, everybody: true)
        }
        let subjects = try log.learners(since: commit).map(subjects) ?? subjects(changedAfter: commit, upTo: limit)
        let isTooMany = subjects.count > limit
        return StoreChanges(commit: log.commit, everybody: isTooMany, learners: isTooMany ? [] : subjects)
    }

    /// The number of the last commit that touched everybody.
    func lastChangeOfEverybody() throws -> Int64 { try changeLog()?.everybody ?? -1 }

    private func subjects(of learners: Set<Int64>) throws -> [[UInt8]] {
        try learners.sorted().compactMap { try learner($0)?.subject }
    }

    /// - Returns: one more where there are more than `limit`.
    /// - Complexity: O(learners).
    private func subjects(changedAfter commit: Int64, upTo limit: Int) throws -> [[UInt8]] {
        let statement = try connection.statement("SELECT subject FROM learners WHERE changed > ? LIMIT ?")
        try statement.bind([.integer(commit), .count(min(limit, .max - 1) + 1)])
        defer { statement.reset() }
        var subjects: [[UInt8]] = []
        while try statement.step() { subjects.append(statement.array(0)) }
        return subjects
    }

    /// An empty one before the first commit; nil where what is stored is none.
    private func changeLog() throws -> ChangeLog? {
        let statement = try connection.statement("SELECT value FROM meta WHERE name = 'recent_changes'")
        defer { statement.reset() }
        return try statement.step() ? try? ChangeLog(statement.bytes(0)) : ChangeLog()
    }

    /// One that is damaged begins anew: whoever follows the store then looks at everybody.
    private func changeLogToWrite() throws -> ChangeLog {
        if let log = try changeLog(), log != ChangeLog() { return log }
        let last = try connection.number("SELECT max(changed) FROM learners") ?? 0
        return ChangeLog(after: ChangeLog.isNumber(last) ? last : 0)
    }

    /// What is wrong with the numbers of commits, in sentences.
    func changeProblems() throws -> [String] {
        guard try format() >= 6 else { return [] }
        guard let log = try changeLog() else {
            return ["the list of recent changes is damaged; the next write begins it anew"]
        }
        let changed = try connection.numbers(
            "SELECT learner FROM learners WHERE changed > ? LIMIT 5000",
            .integer(log.start)
        )
        var problems: [String] = []
        if log.learners(since: log.start) != Set(changed) {
            problems.append("the list of recent changes does not name those who have changed")
        }
        let last = try connection.number("SELECT max(changed) FROM learners") ?? 0
        if !(0...log.commit).contains(last) {
            problems.append("a learner changed with commit \(last), and there have been \(log.commit)")
        }
        return problems
    }
}
