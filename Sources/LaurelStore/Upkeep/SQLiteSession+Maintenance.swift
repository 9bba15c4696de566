// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

extension SQLiteSession {
    /// What a transaction does last: seals the tail if it has become too large, and merges blocks.
    func settle() throws {
        try endAppending()
        try settleQuarantine()
        if try remembered(\.tail, storedTail).events > options.tailLimit { try sealTail() }
        if hasNewBlocks { try mergeGenerations() }
        try settleIdentities()
        try settleChanges()
        if hasNewBlocks { try giveBackFreePages(above: 4) }
    }

    /// Makes the file smaller where more than one page in `share` is free, as after a merge.
    func giveBackFreePages(above share: Int64) throws {
        let free = try connection.number("PRAGMA freelist_count") ?? 0
        let all = try connection.number("PRAGMA page_count") ?? 0
        if free > 256, free * share > all { try connection.execute("PRAGMA incremental_vacuum") }
    }

    private func sealTail() throws {
        let tail = try self.tail(learners: .min ... .max, times: .min ... .max)
        var writer = try BlockWriter<EventTable>(self)
        for (learner, rows) in tail.runs { try writer.append(tail.table, rows, of: learner) }
        try writer.finish()
        try connection.run("DELETE FROM tail")
        try setMeta("tail_events", 0)
        known.tail?.events = 0
    }

    func erase(subject: [UInt8]) throws -> Bool {
        let lines = try quarantinedLines(of: subject)
        try dropQuarantined(ids: lines)
        let learner = try self.learner(named: subject)
        if let learner { try erase(learner.id) }
        guard learner != nil || !lines.isEmpty else { return false }
        mustClean = true
        try setMeta("erasure_pending", 1)
        known.hasNoPendingErasure = false
        return true
    }

    private func quarantinedLines(of subject: [UInt8]) throws -> [Int64] {
        let statement = try connection.statement("SELECT id FROM quarantine WHERE subject = ?")
        try statement.bind([.text(subject)])
        defer { statement.reset() }
        var ids: [Int64] = []
        while try statement.step() { ids.append(statement.integer(0)) }
        return ids
    }

    private func erase(_ learner: Int64) throws {
        try writeUnwritten()
        try touchEverybody()
        openIdentities.forget(learner)
        for block in Set(try entries(learners: learner...learner).map(\.block)).sorted() {
            try rewrite(block, without: learner)
        }
        try connection.run("DELETE FROM tail WHERE learner = ?", .integer(learner))
        try setMeta("tail_events", try meta("tail_events") - Int64(connection.changes))
        // Other copies of the derived tables are there while rules are applied.
        let derived = Schema.derivedTables + (try leftovers()).filter { $0 != "shadow_changed" }
        for table in derived + ["identities", "identity_leaves", "copies", "learners"] {
            try connection.run("DELETE FROM \(table) WHERE learner = ?", .integer(learner))
        }
        let languages = derived.filter { table in Schema.projectedTables.contains { table.hasSuffix($0) } }
            .map { "SELECT language FROM \($0)" }
        try connection.run(
            "DELETE FROM languages WHERE language NOT IN (\(languages.joined(separator: " UNION ")))"
        )
        let achievements = derived.filter { $0.hasSuffix("achievement_rows") }.map { "SELECT achievement FROM \($0)" }
        try connection.run(
            "DELETE FROM achievement_names WHERE achievement NOT IN (\(achievements.joined(separator: " UNION ")))"
        )
        forgetRows()
    }

    private func rewrite(_ id: Int64, without learner: Int64) throws {
        let decoded = try decodeBlock(id, .all)
        let generation = try connection.number("SELECT generation FROM blocks WHERE block = ?", .integer(id)) ?? 0
        try count(events: -decoded.table.count, runs: -decoded.runs.count, in: generation)
        try delete(
            decoded.runs.map { learner, rows in
                let times = (
                    decoded.table.milliseconds[rows.lowerBound], decoded.table.milliseconds[rows.upperBound - 1]
                )
                return RunEntry(learner: learner, block: id, rows: rows, firstTime: times.0, lastTime: times.1)
            }
        )
        try connection.run("DELETE FROM blocks WHERE block = ?", .integer(id))
        var writer = try BlockWriter<EventTable>(self, generation: generation)
        for run in decoded.runs where run.learner != learner {
            try writer.append(decoded.table, run.rows, of: run.learner)
        }
        try writer.finish()
    }
}
