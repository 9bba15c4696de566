internal import LaurelEvents

/// What a transaction under way knows of the learners it writes to, some of it not written yet.
///
/// One batch after the other has events of the same learners. To ask the tables for each of them every time, and to write a
/// number or two, would take longer than all else that tells what is new.
struct OpenLearners {
    /// Ids that count up, of one learner and one ``IdentityKey/family``.
    struct Family: Hashable {
        var learner: Int64
        var number: Int64
    }

    /// That of a family which has the greatest numbers.
    struct LastRun {
        var numbers: ClosedRange<Int64>
        var isWritten: Bool
    }

    /// Events of a learner.
    struct Count {
        var stored: Int
        /// How many of them `learners` does not count yet.
        var added: Int
    }

    private var subjects = TextTable()
    /// Of the subject with the index i, element i − 1.
    private var ids: [Int64] = []
    private(set) var counts: [Int64: Count] = [:]
    private(set) var lastRuns: [Family: LastRun] = [:]

    /// Bounds the memory, to some 15 MiB.
    private static let most = 65_536

    var isEmpty: Bool { ids.isEmpty && counts.isEmpty && lastRuns.isEmpty }
    var isFull: Bool { max(ids.count, counts.count, lastRuns.count) >= OpenLearners.most }

    func id(of subject: [UInt8]) -> Int64? {
        subject.withUnsafeBufferPointer { subjects.find($0) }.map { ids[Int($0) - 1] }
    }

    mutating func open(_ id: Int64, of subject: [UInt8]) {
        guard ids.count < OpenLearners.most else { return }
        let index = subject.withUnsafeBufferPointer { subjects.intern($0) }
        if Int(index) > ids.count { ids.append(id) }
    }

    mutating func open(_ learner: Int64, events: Int) { counts[learner] = Count(stored: events, added: 0) }

    /// Counts events of a learner who is open.
    mutating func add(_ events: Int, to learner: Int64) {
        counts[learner]!.stored += events
        counts[learner]!.added += events
    }

    subscript(family: Family) -> LastRun? {
        get { lastRuns[family] }
        set { lastRuns[family] = newValue }
    }
}

extension SQLiteSession {
    /// How many events a learner has, those included that are not written yet.
    func eventCount(of learner: Int64) throws -> Int {
        if let known = openLearners.counts[learner] { return known.stored }
        guard let record = try self.learner(learner) else {
            throw StoreError(.misuse, "learner \(learner) does not exist")
        }
        openLearners.open(learner, events: record.eventCount)
        return record.eventCount
    }

    /// Writes what is known of learners, and forgets it. To be called before anything else reads `learners` or `identities`.
    func closeLearners() throws {
        guard !openLearners.isEmpty else { return }
        let open = openLearners
        openLearners = OpenLearners()
        let added = open.counts.filter { $0.value.added > 0 }.sorted { $0.key < $1.key }
        try write(added)
        let index = try IdentityIndex(self)
        let families = open.lastRuns.filter { !$0.value.isWritten }
            .sorted { ($0.key.learner, $0.key.number) < ($1.key.learner, $1.key.number) }
        for (family, run) in families { try index.write(run.numbers, of: family) }
    }

    private func write(_ added: [(key: Int64, value: OpenLearners.Count)]) throws {
        guard !added.isEmpty else { return }
        let commit = try touch(added.lazy.map(\.key))
        let count = try connection.statement("UPDATE learners SET events = events + ?, changed = ? WHERE learner = ?")
        for (learner, events) in added { try count.run(.count(events.added), .integer(commit), .integer(learner)) }
    }
}
