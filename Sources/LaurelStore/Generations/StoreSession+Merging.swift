// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Blocks that were written together. Each learner's events are together in them.
struct Generation {
    var id: Int64
    var events: Int
    var runs: Int
}

/// Merges generations of blocks.
///
/// Every generation adds one more place where a learner's events are. Short runs cost space and time, so generations of
/// about the same size are merged when there are enough of them. So each event is rewritten only a few times.
/// Generations with long runs, and large ones, stay as they are.
extension StoreSession {
    private static let learnersMerged = 1024

    /// Merges until no size has enough generations left.
    func mergeGenerations() throws {
        while let group = try generationsToMerge() { try merge(group) }
    }

    private func generationsToMerge() throws -> [Generation]? {
        let small = try tables.generations().filter {
            $0.events <= options.mergeLimit && $0.runs * options.goodRunLength > $0.events
        }
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

    private func merge(_ group: [Generation]) throws {
        let generations = group.map(\.id)
        let blocks = try tables.blocks(of: generations)
        var writer = try BlockWriter<EventTable>(self, level: options.mergedCompressionLevel)
        var open: [Int64: DecodedBlock] = [:]
        for ids in try learnerRanges() {
            var next = ids.lowerBound
            while next < ids.upperBound {
                // Some learners at a time bound the memory.
                let some = try tables.learnerIDs(in: next..<ids.upperBound, limit: StoreSession.learnersMerged)
                guard let last = some.last else { break }
                let all = try tables.runs([EventQuery(learners: next...last)])
                let mine = all.filter { blocks.contains($0.block) }
                try forEachLearner(of: mine, .all, &open) { try copy($0, $1, to: &writer) }
                try tables.delete(mine)
                next = last + 1
            }
        }
        try writer.finish()
        try tables.deleteGenerations(generations)
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
