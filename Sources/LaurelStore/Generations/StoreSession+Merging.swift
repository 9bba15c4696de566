// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Blocks that were written together. All events of a learner in the generation are contiguous.
struct Generation: Hashable {
    var id: Int64
    var events: Int
    var runs: Int

    var partition: Int { Partition.of(generation: id) }
}

/// Generations of one partition, rewritten as one generation that is not stored yet.
struct MergedGeneration {
    /// The merged generations, as they were when they were read.
    let sources: [Generation]
    /// The blocks of the merged generations.
    let replaced: Set<Int64>
    fileprivate(set) var blocks: [NewBlock] = []
    fileprivate(set) var replacedRuns: [RunEntry] = []

    var partition: Int { sources[0].partition }
}

/// Merges generations of blocks.
///
/// A learner has a run of events in each generation. Short runs cost space and time. So generations of about the same
/// size are merged when there are enough of them, and each event is rewritten only a few times. Large generations,
/// and those with long runs, stay unchanged.
///
/// Long merges are prepared outside of writes, so that no writer waits for them. Then a short write replaces the old
/// blocks.
extension StoreSession {
    private static let learnersMerged = 1024
    /// The numbers of blocks and of runs that one statement writes.
    private static let (blocksAtOnce, runsAtOnce) = (16, 8192)

    /// For each partition, the generations to merge next; empty if no merge is due.
    /// - Parameter partition: nil for all partitions.
    func dueGenerations(of partition: Int? = nil) throws -> [[Generation]] {
        let small = try tables.generations(of: partition).filter {
            $0.events <= options.mergeLimit && $0.runs * options.goodRunLength > $0.events
        }
        return Dictionary(grouping: small, by: \.partition).sorted { $0.key < $1.key }.compactMap { toMerge($0.value) }
    }

    private func toMerge(_ small: [Generation]) -> [Generation]? {
        let tiers = Dictionary(grouping: small) { generation in
            var (tier, size) = (0, options.tailLimit)
            while size < generation.events {
                size *= options.mergeWidth
                tier += 1
            }
            return tier
        }
        let group = tiers.sorted { $0.key < $1.key }.first { $0.value.count >= options.mergeWidth }?.value
        return group.map { Array($0.prefix(options.mergedAtOnce)) }
    }

    // MARK: In a write

    /// Merges until no merge is due, or until the next merge would take long.
    func mergeGenerations(of part: PartitionState) throws {
        let most = max(options.mergedInWrites, options.mergedPerNewEvent * part.eventsInNewBlocks)
        while let group = try dueGenerations(of: part.partition).first, group.reduce(0, { $0 + $1.events }) <= most {
            let generation = try newGeneration(of: part.partition)
            try rewrite(group, try tables.blocks(of: group.map(\.id))) {
                try self.insert($0, in: generation)
            } instead: {
                try tables.delete($0)
            }
            try tables.deleteGenerations(group.map(\.id))
        }
    }

    /// Replaces the sources by the generation that was merged outside of a write.
    /// - Returns: false if the sources have changed meanwhile. The store is then unchanged.
    func adopt(_ merged: MergedGeneration) throws -> Bool {
        let ids = merged.sources.map(\.id)
        guard try Set(merged.sources).isSubset(of: tables.generations(of: merged.partition)) else { return false }
        guard try tables.blocks(of: ids) == merged.replaced else { return false }
        let generation = try newGeneration(of: merged.partition)
        for start in stride(from: 0, to: merged.blocks.count, by: Self.blocksAtOnce) {
            try insert(Array(merged.blocks[start...].prefix(Self.blocksAtOnce)), in: generation)
        }
        for start in stride(from: 0, to: merged.replacedRuns.count, by: Self.runsAtOnce) {
            try tables.delete(Array(merged.replacedRuns[start...].prefix(Self.runsAtOnce)))
        }
        try tables.deleteGenerations(ids)
        return true
    }

    // MARK: Outside

    /// - Parameter pause: called between steps. An error that it throws ends the work.
    func merged(_ group: [Generation], _ pause: () throws -> Void) throws -> MergedGeneration {
        var result = MergedGeneration(sources: group, replaced: try tables.blocks(of: group.map(\.id)))
        try rewrite(group, result.replaced) {
            result.blocks += $0
        } instead: {
            result.replacedRuns += $0
            try pause()
        }
        return result
    }

    // MARK: Events

    /// Rewrites the events of some generations into new blocks, for a limited number of learners at a time. Passes the
    /// new blocks to `write`, and the runs that they replace to `instead`.
    private func rewrite(
        _ group: [Generation],
        _ blocks: Set<Int64>,
        write: @escaping ([NewBlock]) throws -> Void,
        instead: ([RunEntry]) throws -> Void
    ) throws {
        var writer = BlockWriter<EventTable>(options, level: options.mergedCompressionLevel, receive: write)
        var open: [Int64: DecodedBlock] = [:]
        for ids in try learnerRanges() where Partition.of(learner: ids.lowerBound) == group[0].partition {
            var next = ids.lowerBound
            while next < ids.upperBound {
                // The number of learners is limited, to limit memory.
                let some = try tables.learnerIDs(in: next..<ids.upperBound, limit: StoreSession.learnersMerged)
                guard let last = some.last else { break }
                let all = try tables.runs([EventQuery(learners: next...last)])
                let mine = all.filter { blocks.contains($0.block) }
                try forEachLearner(of: mine, .all, &open) { try copy($0, $1, to: &writer) }
                try instead(mine)
                next = last + 1
            }
        }
        try writer.finish()
    }

    /// Copies one learner's runs, merged into the learner's order.
    private func copy(
        _ entries: ArraySlice<RunEntry>,
        _ open: [Int64: DecodedBlock],
        to writer: inout BlockWriter<EventTable>
    ) throws {
        let tables = entries.map { open[$0.block]!.table }
        let runs = zip(tables, entries).map { table, entry in LearnerOrder.Run(events: table, rows: entry.rows) }
        for stretch in LearnerOrder.merged(runs) {
            let entry = entries[entries.startIndex + stretch.run]
            try writer.append(tables[stretch.run], stretch.rows, key: entry.block, of: entry.learner)
        }
    }
}
