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
extension StoreSession {
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
        try tables.setRecentChanges(log.bytes)
        known.changes = log
    }

    func changes(since commit: Int64, limit: Int) throws -> StoreChanges {
        guard try tables.format() >= 6, let log = try changeLog() else {
            return StoreChanges(commit: 0, everybody: true)
        }
        guard (log.everybody...log.commit).contains(commit) else {
            return StoreChanges(commit: log.commit, everybody: true)
        }
        let learners =
            try log.learners(since: commit).map { try tables.learners($0.sorted()).compactMap(\.self) }
            ?? tables.learners(changedAfter: commit, limit: min(limit, .max - 1) + 1)
        let isTooMany = learners.count > limit
        return StoreChanges(
            commit: log.commit,
            everybody: isTooMany,
            learners: isTooMany ? [] : learners.map(\.subject)
        )
    }

    func version(ofLearner subject: [UInt8]) throws -> LearnerVersion? {
        guard try tables.format() >= 6, let learner = try tables.lastChange(of: subject) else { return nil }
        return LearnerVersion(learner: learner, everybody: try changeLog()?.everybody ?? -1)
    }

    /// An empty one before the first commit; nil where what is stored is none.
    private func changeLog() throws -> ChangeLog? {
        guard let bytes = try tables.recentChanges() else { return ChangeLog() }
        return bytes.withUnsafeBytes { try? ChangeLog($0) }
    }

    /// One that is damaged begins anew: whoever follows the store then looks at everybody.
    private func changeLogToWrite() throws -> ChangeLog {
        if let log = try changeLog(), log != ChangeLog() { return log }
        let last = try tables.lastChange()
        return ChangeLog(after: ChangeLog.isNumber(last) ? last : 0)
    }

    /// What is wrong with the numbers of commits, in sentences.
    func changeProblems() throws -> [String] {
        guard try tables.format() >= 6 else { return [] }
        guard let log = try changeLog() else {
            return ["the list of recent changes is damaged; the next write begins it anew"]
        }
        let changed = try tables.learners(changedAfter: log.start, limit: 5000).map(\.id)
        var problems: [String] = []
        if log.learners(since: log.start) != Set(changed) {
            problems.append("the list of recent changes does not name those who have changed")
        }
        let last = try tables.lastChange()
        if !(0...log.commit).contains(last) {
            problems.append("a learner changed with commit \(last), and there have been \(log.commit)")
        }
        return problems
    }
}
