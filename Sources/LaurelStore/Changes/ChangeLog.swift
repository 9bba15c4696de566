// SPDX-License-Identifier: Apache-2.0

/// The learners that the latest commits touched. Followers of a store use the list to reload only these learners.
///
/// The log is stored in the table `meta` under `recent_changes`, in a page that every append writes anyway:
///
///     number of the last commit that touched a learner     8 bytes, the lowest first
///     number of the last commit that touched all learners  8
///     number of the commit before the list                 8
///     the list: for each learner of each commit            varint: id << 1, + 1 for the first of a commit
///
/// If the list becomes too long, its older half is removed. A commit that touches many learners starts a new list. For
/// commits before the list, the commit numbers in the table `learners` are read instead.
struct ChangeLog: Equatable {
    private(set) var commit: Int64 = 0
    private(set) var allLearners: Int64 = 0
    /// The number of the commit before the list. The list contains all learners of every later commit.
    private(set) var start: Int64 = 0
    private var list: [UInt8] = []

    /// The maximum number of learners in the list for one commit.
    static let mostPerCommit = 64
    /// The maximum size in bytes, so that the row fits into its page.
    private static let mostBytes = 800
    /// The valid commit numbers.
    private static let numbers: ClosedRange<Int64> = 0...1 << 48

    static func isNumber(_ value: Int64) -> Bool { numbers.contains(value) }

    /// - Parameter commit: the number of the last commit. The log covers only later commits.
    init(after commit: Int64 = 0) { (self.commit, allLearners, start) = (commit, commit, commit) }

    /// The log for the next commits, whose numbers must be at least `first`. If that skips numbers, all followers
    /// reload all learners.
    func counted(from first: Int64) -> ChangeLog {
        commit + 1 < first && Self.isNumber(first) ? ChangeLog(after: first - 1) : self
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(Corruption) {
        var reader = ByteReader(bytes)
        commit = Int64(truncatingIfNeeded: try reader.word())
        allLearners = Int64(truncatingIfNeeded: try reader.word())
        start = Int64(truncatingIfNeeded: try reader.word())
        guard Self.isNumber(commit), (0...commit).contains(allLearners), (allLearners...commit).contains(start) else {
            throw Corruption("numbers of commits that are none")
        }
        list = Array(try reader.take(reader.remaining))
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24 + list.count)
        for number in [commit, allLearners, start] { bytes.append(word: UInt64(bitPattern: number)) }
        return bytes + list
    }

    /// Adds the next commit.
    /// - Parameter learners: the touched learners, without duplicates.
    mutating func add(_ learners: [Int64]) {
        commit += 1
        guard !learners.isEmpty, learners.count <= Self.mostPerCommit else { return begin() }
        for (index, learner) in learners.enumerated() {
            list.append(varint: UInt64(bitPattern: learner) << 1 | (index == 0 ? 1 : 0))
        }
        if list.count > Self.mostBytes { shorten() }
    }

    mutating func addCommitToAllLearners() {
        commit += 1
        allLearners = commit
        begin()
    }

    private mutating func begin() {
        start = commit
        list = []
    }

    /// The learners that were touched after a commit; nil if the list does not contain all commits since.
    func learners(since commit: Int64) -> Set<Int64>? {
        guard commit >= start else { return nil }
        var learners: Set<Int64> = []
        let end = try? forEach { entry in
            if entry.commit > commit { learners.insert(entry.learner) }
        }
        return end == self.commit ? learners : nil
    }

    private mutating func shorten() {
        var cut: Entry?
        let end = try? forEach { entry in
            if cut == nil, entry.isFirst, entry.offset >= Self.mostBytes / 2 { cut = entry }
        }
        guard end == commit, let cut else { return begin() }
        list.removeFirst(cut.offset)
        start = cut.commit - 1
    }

    private struct Entry {
        let learner: Int64
        let commit: Int64
        let isFirst: Bool
        /// The position in the list.
        let offset: Int
    }

    /// Calls `body` with each entry.
    /// - Returns: the number of the last commit.
    private func forEach(_ body: (Entry) -> Void) throws -> Int64 {
        try list.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            var commit = start
            while reader.remaining > 0 {
                let offset = reader.position
                let value = try reader.varint()
                commit += Int64(value & 1)
                body(Entry(learner: Int64(value >> 1), commit: commit, isFirst: value & 1 == 1, offset: offset))
            }
            return commit
        }
    }
}
