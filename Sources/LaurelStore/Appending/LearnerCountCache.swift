// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// What the writer knows of learners that it writes to, some of it not written yet.
///
/// One batch after the other has events of the same learners. To ask the tables for each of them every time, and to write a
/// number or two, would take longer than all else that tells what is new. What is known of a few outlives the transaction, as
/// ``WriterCache`` do.
struct LearnerCountCache {
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
    private(set) var lastRuns: [IdentityFamily: LastRun] = [:]
    /// Families that have no run.
    private var emptyFamilies: Set<IdentityFamily> = []

    /// Bounds the memory, to some 15 MiB.
    private static let most = 65_536
    /// Of learners and families that are not written, some perhaps twice.
    private(set) var unwritten: (learners: [Int64], families: [IdentityFamily]) = ([], [])

    private var learnerCount: Int { max(ids.count, counts.count) }
    private var familyCount: Int { lastRuns.count + emptyFamilies.count }
    var isFull: Bool { max(learnerCount, familyCount) >= LearnerCountCache.most }

    func id(of subject: [UInt8]) -> Int64? {
        subject.withUnsafeBufferPointer { subjects.find($0) }.map { ids[Int($0) - 1] }
    }

    mutating func open(_ id: Int64, of subject: [UInt8]) {
        guard ids.count < LearnerCountCache.most else { return }
        let index = subject.withUnsafeBufferPointer { subjects.intern($0) }
        if Int(index) > ids.count { ids.append(id) }
    }

    mutating func open(_ learner: Int64, events: Int) { counts[learner] = Count(stored: events, added: 0) }

    /// Counts events of a learner who is open.
    mutating func add(_ events: Int, to learner: Int64) {
        guard events > 0 else { return }
        if counts[learner]!.added == 0 { unwritten.learners.append(learner) }
        counts[learner]!.stored += events
        counts[learner]!.added += events
    }

    /// Whether it is known which run of a family is the last, if any.
    func knows(_ family: IdentityFamily) -> Bool { lastRuns[family] != nil || emptyFamilies.contains(family) }

    /// - Parameter run: as it is written.
    mutating func open(_ family: IdentityFamily, _ run: ClosedRange<Int64>?) {
        if let run {
            lastRuns[family] = LastRun(numbers: run, isWritten: true)
        } else {
            emptyFamilies.insert(family)
        }
    }

    /// nil makes it unknown.
    subscript(family: IdentityFamily) -> LastRun? {
        get { lastRuns[family] }
        set {
            emptyFamilies.remove(family)
            let wasWritten = lastRuns[family]?.isWritten ?? true
            lastRuns[family] = newValue
            if wasWritten, newValue?.isWritten == false { unwritten.families.append(family) }
        }
    }

    /// Makes unknown what has been written of some learners, where nothing of them is still to be.
    mutating func forget(_ learners: Set<Int64>) {
        guard !learners.isEmpty else { return }
        for learner in learners { counts[learner] = nil }
        lastRuns = lastRuns.filter { !learners.contains($0.key.learner) }
        emptyFamilies = emptyFamilies.filter { !learners.contains($0.learner) }
    }

    /// All of it is written now.
    /// - Parameter most: forgets what it knows where that is more than of so many.
    mutating func didWrite(keeping most: Int) {
        // Where every id begins in another way, there are many families of few learners.
        if familyCount > most { (lastRuns, emptyFamilies) = ([:], []) }
        if learnerCount > most { (subjects, ids, counts) = (TextTable(), [], [:]) }
        for learner in unwritten.learners { counts[learner]?.added = 0 }
        for family in unwritten.families { lastRuns[family]?.isWritten = true }
        unwritten = ([], [])
    }
}

extension StoreSession {
    /// Writes what is known of learners. To be called before anything else reads `learners` or `identities`.
    func closeLearners() throws {
        // By its parts: a copy of all of it would be changed below, and so copied entry by entry.
        let unwritten = openLearners.unwritten
        guard !unwritten.learners.isEmpty || !unwritten.families.isEmpty else { return }
        try write(unwritten.learners.sorted().map { ($0, openLearners.counts[$0]!.added) })
        let runs = Set(unwritten.families).sorted().compactMap { family -> IdentityRun? in
            guard let run = openLearners.lastRuns[family], !run.isWritten else { return nil }
            return IdentityRun(family: family, numbers: run.numbers)
        }
        if !runs.isEmpty { try tables.write(runs) }
        openLearners.didWrite(keeping: options.rememberedLearners)
    }

    private func write(_ added: [(learner: Int64, events: Int)]) throws {
        guard !added.isEmpty else { return }
        let commit = try touch(added.lazy.map(\.learner))
        try tables.count(added.map { CountedEvents(learner: $0.learner, events: $0.events) }, commit: commit)
    }
}
