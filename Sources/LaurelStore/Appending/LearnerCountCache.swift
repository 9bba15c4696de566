// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The writer's cache of the learners that it writes to, with changes that are not written yet.
///
/// Successive batches have events of the same learners. Without the cache, reading and writing these few numbers
/// would take longer than all other work of finding new events. Part of the cache stays valid after the transaction,
/// as ``PartitionState`` does.
struct LearnerCountCache {
    /// The run of consecutive numbers that has the greatest numbers of a family (see ``IdentityKey``).
    struct LastRun {
        var numbers: ClosedRange<Int64>
        var isWritten: Bool
    }

    /// The number of a learner's events.
    struct Count {
        var stored: Int
        /// The number of events that the table `learners` does not count yet.
        var added: Int
    }

    private var subjects = TextTable()
    /// The ids of learners; element i − 1 belongs to the subject with index i.
    private var ids: [Int64] = []
    private(set) var counts: [Int64: Count] = [:]
    private(set) var lastRuns: [IdentityFamily: LastRun] = [:]
    /// The families that have no run.
    private var emptyFamilies: Set<IdentityFamily> = []

    /// The maximum number of learners and families to keep. Together they use up to about 15 MiB.
    private static let most = 65_536
    /// The learners and families with unwritten changes; some may appear twice.
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

    /// Adds to the count of a learner who is already in the cache.
    mutating func add(_ events: Int, to learner: Int64) {
        guard events > 0 else { return }
        if counts[learner]!.added == 0 { unwritten.learners.append(learner) }
        counts[learner]!.stored += events
        counts[learner]!.added += events
    }

    /// Returns true if the cache knows the family's last run, or that the family has none.
    func hasCached(_ family: IdentityFamily) -> Bool { lastRuns[family] != nil || emptyFamilies.contains(family) }

    /// - Parameter run: the last run in the table; nil if the family has none.
    mutating func open(_ family: IdentityFamily, _ run: ClosedRange<Int64>?) {
        if let run {
            lastRuns[family] = LastRun(numbers: run, isWritten: true)
        } else {
            emptyFamilies.insert(family)
        }
    }

    /// The last run of a family. Setting nil removes it from the cache.
    subscript(family: IdentityFamily) -> LastRun? {
        get { lastRuns[family] }
        set {
            emptyFamilies.remove(family)
            let wasWritten = lastRuns[family]?.isWritten ?? true
            lastRuns[family] = newValue
            if wasWritten, newValue?.isWritten == false { unwritten.families.append(family) }
        }
    }

    /// Removes learners from the cache. All their changes must have been written.
    mutating func forget(_ learners: Set<Int64>) {
        guard !learners.isEmpty else { return }
        for learner in learners { counts[learner] = nil }
        lastRuns = lastRuns.filter { !learners.contains($0.key.learner) }
        emptyFamilies = emptyFamilies.filter { !learners.contains($0.learner) }
    }

    /// Marks all changes as written.
    /// - Parameter most: the limit for learners, and also for families. If the cache has more learners, it removes all
    ///   learners. The same holds for families.
    mutating func didWrite(keeping most: Int) {
        // If every id begins in a different way, there are many families but few learners.
        if familyCount > most { (lastRuns, emptyFamilies) = ([:], []) }
        if learnerCount > most { (subjects, ids, counts) = (TextTable(), [], [:]) }
        for learner in unwritten.learners { counts[learner]?.added = 0 }
        for family in unwritten.families { lastRuns[family]?.isWritten = true }
        unwritten = ([], [])
    }
}

extension StoreSession {
    /// Writes the unwritten changes of learners. Call it before anything else reads `learners` or `identities`.
    func closeLearners() throws {
        var counted: [CountedEvents] = []
        var runs: [IdentityRun] = []
        for part in parts {
            // The parts are read one by one. A copy of the whole value would make each change below copy every entry.
            let unwritten = part.openLearners.unwritten
            guard !unwritten.learners.isEmpty || !unwritten.families.isEmpty else { continue }
            if !unwritten.learners.isEmpty {
                let commit = try touch(unwritten.learners, of: part)
                counted += unwritten.learners.sorted().map {
                    CountedEvents(learner: $0, events: part.openLearners.counts[$0]!.added, commit: commit)
                }
            }
            runs += Set(unwritten.families).sorted().compactMap { family in
                guard let run = part.openLearners.lastRuns[family], !run.isWritten else { return nil }
                return IdentityRun(family: family, numbers: run.numbers)
            }
            part.openLearners.didWrite(keeping: options.cachedLearners)
        }
        if !counted.isEmpty { try tables.count(counted) }
        if !runs.isEmpty { try tables.write(runs) }
    }
}
