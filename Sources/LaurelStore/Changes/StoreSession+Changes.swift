// SPDX-License-Identifier: Apache-2.0

/// The learners that the current transaction touches.
struct PendingChanges {
    /// The log as of the last commit.
    let log: ChangeLog
    private(set) var touchesAllLearners = false
    /// The touched learners. If there are more than ``ChangeLog/mostPerCommit``, no further learner is added.
    private(set) var learners: Set<Int64> = []

    init(after log: ChangeLog) { self.log = log }

    /// The number of the transaction's commit.
    var commit: Int64 { log.commit + 1 }

    mutating func add(_ touched: some Sequence<Int64>) {
        for learner in touched where learners.count <= ChangeLog.mostPerCommit { learners.insert(learner) }
    }

    mutating func addAllLearners() { touchesAllLearners = true }

    var newLog: ChangeLog {
        var log = log
        if touchesAllLearners { log.addCommitToAllLearners() } else { log.add(learners.sorted()) }
        return log
    }
}

/// Commits are numbered. The column `learners.changed` contains the number of the last commit that touched the learner.
/// A commit that touches all learners, such as a replay, is recorded once in the ``ChangeLog``. An erasure is also
/// recorded there only, because it must leave no trace of the learner.
extension StoreSession {
    /// Records that the transaction touches some learners of a partition.
    /// - Returns: the transaction's number in the partition, for `learners.changed`.
    func touch(_ learners: some Sequence<Int64>, of part: PartitionState) throws -> Int64 {
        try openChanges(of: [part])
        part.pendingChanges!.add(learners)
        return part.pendingChanges!.commit
    }

    func touchAllLearners() throws { try touchAllLearners(of: parts) }

    func touchAllLearners(of parts: [PartitionState]) throws {
        try openChanges(of: parts)
        for part in parts { part.pendingChanges!.addAllLearners() }
    }

    private func openChanges(of parts: [PartitionState]) throws {
        let unknown = try parts.filter { part in
            guard part.pendingChanges == nil, part.changes == nil else { return false }
            part.changes = changeLog(try tables.recentChanges(of: part.partition))
            // A damaged log is replaced by a new log. Followers then reload all learners.
            return part.changes == nil || part.changes == ChangeLog()
        }
        if !unknown.isEmpty {
            for (part, last) in zip(unknown, try tables.lastChanges(of: unknown.map(\.partition))) {
                part.changes = ChangeLog(after: ChangeLog.isNumber(last) ? last : 0)
            }
        }
        for part in parts where part.pendingChanges == nil {
            part.pendingChanges = PendingChanges(after: part.changes!.counted(from: firstCommit))
        }
    }

    func numberCommits(above last: Int64) throws {
        guard parts.allSatisfy({ $0.pendingChanges == nil }) else {
            throw StoreError(.misuse, "the commit has a number already")
        }
        firstCommit = max(firstCommit, last + 1)
        try touchAllLearners()
    }

    /// Writes the logs. Call it after the transaction has touched its last learner.
    func settleChanges() throws {
        for part in parts {
            guard let log = part.pendingChanges?.newLog else { continue }
            try tables.setRecentChanges(of: part.partition, log.bytes)
            part.changes = log
        }
    }

    /// The commits that led to the current state. Do not call this function if the partition's commits may be
    /// renumbered.
    func history() throws -> PartitionHistory.Content {
        PartitionHistory.Content(era: [], changes: try tables.recentChanges()[0])
    }

    func changes(since commits: [Int64], limit: Int) throws -> StoreChanges {
        let logs = try changeLogs()
        let present = logs.map { $0?.commit ?? 0 }
        let since = commits + Array(repeating: 0, count: max(0, logs.count - commits.count))
        let isKnown = zip(logs, since).allSatisfy { log, commit in
            log.map { ($0.allLearners...$0.commit).contains(commit) } ?? false
        }
        guard isKnown, since.count == logs.count else { return StoreChanges(commits: present, allLearners: true) }
        let learners =
            try listedChanges(logs, since).map { try tables.learners(.ids($0)).compactMap(\.self) }
            ?? tables.learners(changedAfter: since, limit: min(limit, .max - 1) + 1)
        let isTooMany = learners.count > limit
        return StoreChanges(
            commits: present,
            allLearners: isTooMany,
            learners: isTooMany ? [] : learners.map(\.subject)
        )
    }

    /// The learners that were touched after the commit of their partition, ascending. The result is nil if the list of
    /// a partition does not reach back to that partition's commit.
    private func listedChanges(_ logs: [ChangeLog?], _ since: [Int64]) -> [Int64]? {
        var listed: [Int64] = []
        for (log, commit) in zip(logs, since) {
            guard let learners = log?.learners(since: commit) else { return nil }
            listed += learners.sorted()
        }
        return listed
    }

    func version(ofLearner subject: [UInt8]) throws -> LearnerVersion? {
        var found = try tables.lastChange(of: subject)
        if found == nil, let current = try currentNames(of: [subject])[subject] {
            found = try tables.lastChange(of: current)
        }
        guard let last = found else { return nil }
        return LearnerVersion(learner: last.commit, allLearners: changeLog(last.recent)?.allLearners ?? -1)
    }

    /// The log of each partition: empty before the first commit, nil if it is damaged.
    private func changeLogs() throws -> [ChangeLog?] {
        try tables.recentChanges().map(changeLog)
    }

    private func changeLog(_ bytes: [UInt8]?) -> ChangeLog? {
        guard let bytes else { return ChangeLog() }
        return bytes.withUnsafeBytes { try? ChangeLog($0) }
    }

    /// Problems with the numbers of commits, as sentences.
    func changeProblems() throws -> [String] {
        let logs = try changeLogs()
        let sound = logs.compactMap(\.self)
        guard sound.count == logs.count else {
            return ["the list of recent changes is damaged; the next write begins it anew"]
        }
        let changed = try tables.learners(changedAfter: sound.map(\.start), limit: 5000 * logs.count).map(\.id)
        var problems: [String] = []
        if listedChanges(logs, sound.map(\.start)).map(Set.init) != Set(changed) {
            problems.append("the list of recent changes does not name those who have changed")
        }
        for (log, last) in zip(sound, try tables.lastChanges(of: Array(logs.indices)))
        where !(0...log.commit).contains(last) {
            problems.append("a learner changed with commit \(last), and there have been \(log.commit)")
        }
        return problems
    }
}
