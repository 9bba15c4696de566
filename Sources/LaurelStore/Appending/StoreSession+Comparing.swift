// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Checks the events whose identities seem to be stored. Compares each of these events with the stored events.
extension StoreSession {
    /// A run of stored events in a block, which rows of the batch are compared with.
    private struct AskedRun {
        /// The index of the learner in the search.
        var index: Int
        var entry: RunEntry

        var times: ClosedRange<Int64> { entry.firstTime...entry.lastTime }
    }

    /// Finds the stored events that have the identities of the given rows. Searches first among events of the same
    /// time, then among all events.
    /// - Parameter known: the rows of each learner that seem to be stored.
    /// - Returns: the outcome of each row that is stored.
    func compareWithStored(
        _ table: EventTable,
        _ known: [LearnerRows]
    ) throws -> [(row: Int, outcome: AppendResult.Outcome)] {
        let known = known.filter { !$0.rows.isEmpty }
        guard !known.isEmpty else { return [] }
        var comparison = DuplicateSearch(table, known)
        for index in comparison.indexes {
            for stretch in memory.unwritten.stretches(of: comparison.left[index].learner) {
                comparison.search(index, in: stretch.events, stretch.rows)
            }
        }
        try compareWithBlocks(&comparison)
        let indexes = comparison.indexes
        let tail = try self.tail(indexes.map { comparison.query($0) })
        let tailRows = Dictionary(tail.runs.map { ($0.learner, $0.rows) }) { first, _ in first }
        for index in indexes {
            if let rows = tailRows[comparison.left[index].learner] { comparison.search(index, in: tail.table, rows) }
        }
        let conflicts = try conflictsAtOtherTimes(table, comparison.indexes.map { comparison.left[$0] })
        for index in comparison.indexes {
            comparison.markConflicts(index, conflicts[comparison.left[index].learner] ?? [])
        }
        return comparison.outcomes
    }

    private func compareWithBlocks(_ comparison: inout DuplicateSearch) throws {
        var asked: [Int64: [AskedRun]] = [:]
        let indexes = comparison.indexes
        let indexOfLearner = Dictionary(indexes.map { (comparison.left[$0].learner, $0) }) { first, _ in first }
        for entry in try tables.runs(indexes.map { comparison.query($0) }) {
            let run = AskedRun(index: indexOfLearner[entry.learner]!, entry: entry)
            if comparison.isLeft(run.index, in: run.times) { asked[entry.block, default: []].append(run) }
        }
        guard !asked.isEmpty else { return }
        let limit = max(options.unwrittenBytes / 8, unwrittenLimit - memory.unwritten.bytes)
        memory.compared.beginBatch(limit: limit, blocks: asked.count)
        let fronts = asked.mapValues { front(of: $0, comparison) }
        compareWithExcerpts(asked, &comparison)
        var wanted: [WantedBlock] = []
        for (block, runs) in asked.sorted(by: { $0.key < $1.key }) {
            let done = memory.compared.excerpt(of: block)?.times
            let runs = runs.filter { comparison.isLeft($0.index, in: $0.times, outside: done) }
            guard !runs.isEmpty else { continue }
            let areMost = runs.reduce(0) { $0 + $1.entry.rows.count } * 2 >= options.eventsPerBlock
            if memory.compared.shouldDecodeWhole(block, runs: runs.count, areMost: areMost) {
                wanted.append(WantedBlock(block: block))
            } else {
                try compareAlone(runs, &comparison)
            }
        }
        for start in stride(from: 0, to: wanted.count, by: Threads.processors * 2) {
            let some = Array(wanted[start..<min(start + Threads.processors * 2, wanted.count)])
            for (wanted, block) in zip(some, try decodeOnAllCores(some, .all, known: [])) {
                memory.compared.decodedEvents += block.table.count
                for asked in asked[wanted.block]! {
                    let run = try run(asked.entry, of: block)
                    comparison.search(asked.index, in: run.table, run.rows)
                }
                memory.compared.keep(wanted.block, block, around: fronts[wanted.block]!)
            }
        }
    }

    /// A time before which an eighth of the wanted events lie.
    private func front(of runs: [AskedRun], _ comparison: DuplicateSearch) -> Int64 {
        let times = runs.flatMap { run in comparison.times(run.index).filter { run.times.contains($0) } }.sorted()
        return times[times.count / 8]
    }

    private func compareWithExcerpts(_ asked: [Int64: [AskedRun]], _ comparison: inout DuplicateSearch) {
        guard !memory.compared.isEmpty else { return }
        let packed = comparison.packed(memory.compared.dictionary)
        for (block, runs) in asked {
            guard let excerpt = memory.compared.excerpt(of: block) else { continue }
            for run in runs {
                guard let rows = excerpt.rows[run.entry.learner] else { continue }
                comparison.search(run.index, in: excerpt.events, rows, packed: packed)
            }
        }
    }

    private func compareAlone(_ runs: [AskedRun], _ comparison: inout DuplicateSearch) throws {
        for asked in runs {
            let run = try run(asked.entry, .all)
            memory.compared.decodedEvents += run.rows.count
            comparison.search(asked.index, in: run.table, run.rows)
        }
    }

    /// For each learner, the rows whose identity is stored with another time. Such rows are conflicts.
    private func conflictsAtOtherTimes(_ table: EventTable, _ rows: [LearnerRows]) throws -> [Int64: [Int]] {
        guard !rows.isEmpty else { return [:] }
        var keys = IdentityKeys()
        let wanted = Dictionary(
            rows.map { ($0.learner, Dictionary(grouping: $0.rows) { keys.key(table, $0) }) }
        ) { $1 }
        var conflicts: [Int64: [Int]] = [:]
        try searchIdentities(of: wanted.keys.sorted()) { learner, other, row, key in
            for candidate in wanted[learner]?[key] ?? [] where table.hasSameIdentity(candidate, other, row) {
                conflicts[learner, default: []].append(candidate)
            }
        }
        return conflicts
    }
}
