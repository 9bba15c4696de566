// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Generations: blocks written together, in which each learner's events are together.
///
/// With every batch a learner's events lie in one more place. Small runs cost space and time, so generations of about
/// the same size are merged when there are enough of them; each event is so rewritten a few times at most. Generations
/// whose runs are long already, or that are large, are left alone.
extension SQLiteSession {
    struct Generation {
        var id: Int64
        var events: Int
        var runs: Int
    }

    func count(events: Int, runs: Int, in generation: Int64) throws {
        try connection.run(
            """
            INSERT INTO generations VALUES (?1, ?2, ?3)
            ON CONFLICT DO UPDATE SET events = events + ?2, runs = runs + ?3
            """,
            .integer(generation),
            .count(events),
            .count(runs)
        )
    }

    func generations() throws -> [Generation] {
        let statement = try connection.statement("SELECT generation, events, runs FROM generations ORDER BY generation")
        defer { statement.reset() }
        var result: [Generation] = []
        while try statement.step() {
            result.append(
                Generation(
                    id: statement.integer(0),
                    events: try statement.amount(1),
                    runs: try statement.amount(2)
                )
            )
        }
        return result
    }

    /// Merges generations until no more than a few of each size are left.
    func mergeGenerations() throws {
        while let group = try generationsToMerge() { try merge(group) }
    }

    private func generationsToMerge() throws -> [Generation]? {
        let small = try generations().filter {
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
        let blocks = try blocks(of: group)
        var writer = try BlockWriter<EventTable>(self, level: options.mergedCompressionLevel)
        let ids = try learnerIDs()
        var open: [Int64: DecodedBlock] = [:]
        // Learners' ids are dense, so a span of ids bounds the memory.
        for first in stride(from: ids.lowerBound, to: ids.upperBound, by: 1024) {
            let all = try entries(learners: first...first + 1023)
            let mine = all.filter { blocks.contains($0.block) }
            try forEachLearner(of: mine, .all, &open) { try copy($0, $1, to: &writer) }
            try delete(mine)
        }
        try writer.finish()
        for block in blocks { try connection.run("DELETE FROM blocks WHERE block = ?", .integer(block)) }
        for generation in group {
            try connection.run("DELETE FROM generations WHERE generation = ?", .integer(generation.id))
        }
    }

    private func blocks(of group: [Generation]) throws -> Set<Int64> {
        var blocks: Set<Int64> = []
        for generation in group {
            let statement = try connection.statement("SELECT block FROM blocks WHERE generation = ?")
            try statement.bind([.integer(generation.id)])
            while try statement.step() { blocks.insert(statement.integer(0)) }
        }
        return blocks
    }

    func delete(_ entries: [RunEntry]) throws {
        let statement = try connection.statement("DELETE FROM runs WHERE learner = ? AND first_ms = ? AND block = ?")
        for entry in entries {
            try statement.run(.integer(entry.learner), .integer(entry.firstTime), .integer(entry.block))
        }
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
