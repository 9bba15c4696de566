// SPDX-License-Identifier: Apache-2.0

/// Which learners the latest commits touched, so that whoever follows a store closely need not look at every learner.
///
/// It stands in `meta` under `recent_changes`, in a page that every append writes anyway:
///
///     number of the last commit that touched anybody       8 bytes, the lowest first
///     number of the last commit that touched everybody     8
///     number of the commit after which the list begins     8
///     the list: for each learner of each commit            varint: id << 1, + 1 for the first of a commit
///
/// A list that becomes too long loses its older half, and a commit that touches many learners begins a new one. Whoever
/// asks about earlier commits reads the numbers that stand beside the learners.
struct ChangeLog: Equatable {
    private(set) var commit: Int64 = 0
    private(set) var everybody: Int64 = 0
    /// Of every commit after this one the list has all learners.
    private(set) var start: Int64 = 0
    private var list: [UInt8] = []

    /// Learners of one commit in the list.
    static let mostPerCommit = 64
    /// So that the row stays within its page.
    private static let mostBytes = 800
    /// What can have been counted.
    private static let numbers: ClosedRange<Int64> = 0...1 << 48

    static func isNumber(_ value: Int64) -> Bool { numbers.contains(value) }

    /// - Parameter commit: the last one's number, of which nothing else is known.
    init(after commit: Int64 = 0) { (self.commit, everybody, start) = (commit, commit, commit) }

    /// The log to go on with where the next commit's number is to be no less than another: from a leap on all who follow look at everybody.
    func counted(from first: Int64) -> ChangeLog {
        commit + 1 < first && Self.isNumber(first) ? ChangeLog(after: first - 1) : self
    }

    init(_ bytes: UnsafeRawBufferPointer) throws(Corruption) {
        var reader = ByteReader(bytes)
        commit = Int64(truncatingIfNeeded: try reader.word())
        everybody = Int64(truncatingIfNeeded: try reader.word())
        start = Int64(truncatingIfNeeded: try reader.word())
        guard Self.isNumber(commit), (0...commit).contains(everybody), (everybody...commit).contains(start) else {
            throw Corruption("numbers of commits that are none")
        }
        list = Array(try reader.take(reader.remaining))
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24 + list.count)
        for number in [commit, everybody, start] { bytes.append(word: UInt64(bitPattern: number)) }
        return bytes + list
    }

    /// Adds the next commit.
    /// - Parameter learners: those that it touches, each once.
    mutating func add(_ learners: [Int64]) {
        commit += 1
        guard !learners.isEmpty, learners.count <= Self.mostPerCommit else { return begin() }
        for (index, learner) in learners.enumerated() {
            list.append(varint: UInt64(bitPattern: learner) << 1 | (index == 0 ? 1 : 0))
        }
        if list.count > Self.mostBytes { shorten() }
    }

    mutating func addCommitToEverybody() {
        commit += 1
        everybody = commit
        begin()
    }

    private mutating func begin() {
        start = commit
        list = []
    }

    /// The learners that commits after this one touched; nil where the list does not reach back so far.
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
            if cut == nil, entry.isFirst, entry.place >= Self.mostBytes / 2 { cut = entry }
        }
        guard end == commit, let cut else { return begin() }
        list.removeFirst(cut.place)
        start = cut.commit - 1
    }

    private struct Entry {
        let learner: Int64
        let commit: Int64
        let isFirst: Bool
        /// In the list.
        let place: Int
    }

    /// - Returns: the number of the last commit.
    private func forEach(_ body: (Entry) -> Void) throws -> Int64 {
        try list.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            var commit = start
            while reader.remaining > 0 {
                let place = reader.position
                let value = try reader.varint()
                commit += Int64(value & 1)
                body(Entry(learner: Int64(value >> 1), commit: commit, isFirst: value & 1 == 1, place: place))
            }
            return commit
        }
    }
}
