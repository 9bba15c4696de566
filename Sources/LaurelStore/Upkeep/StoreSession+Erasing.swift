// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

extension StoreSession {
    func sealTail(of part: PartitionState) throws {
        let learners = partitionCount == 1 ? .min ... .max : Partition.learners(of: part.partition)
        let tail = try self.tail([EventQuery(learners: learners)])
        part.eventsInNewBlocks += tail.table.count
        var writer: BlockWriter<EventTable> = blockWriter(in: try newGeneration(of: part.partition))
        for (learner, rows) in tail.runs { try writer.append(tail.table, rows, of: learner) }
        try writer.finish()
        try tables.emptyTail(of: part.partition)
        try tables.setCounter(.tailEvents, of: part.partition, 0)
        part.tail?.events = 0
    }

    func erase(subject: [UInt8]) throws -> Bool {
        let part = try part(named: subject)
        let lines = try tables.quarantined(of: subject)
        try dropQuarantined(ids: lines)
        let learner = try tables.learners(.subjects([subject]))[0]
        if let learner { try remove(learner.id, of: part, keepsNames: false) }
        let isMerged = try !tables.merges(of: [subject]).isEmpty
        if isMerged { try tables.deleteMerge(of: subject) }
        guard learner != nil || !lines.isEmpty || isMerged else { return false }
        try tables.deleteSecurely(in: part.partition)
        return true
    }

    /// Removes a learner's rows, and the learner's events from shared blocks.
    /// - Parameter keepsNames: see ``LearnerTables/deleteLearner(_:keepsNames:)``.
    func remove(_ learner: Int64, of part: PartitionState, keepsNames: Bool) throws {
        try writeUnwritten()
        try touchAllLearners(of: [part])
        memory.openIdentities.forget(learner)
        for block in Set(try tables.runs([EventQuery(learners: learner...learner)]).map(\.block)).sorted() {
            try rewrite(block, without: learner)
        }
        let inTail = try tables.deleteLearner(learner, keepsNames: keepsNames)
        let tailEvents = try tables.counter(.tailEvents, of: part.partition)
        try tables.setCounter(.tailEvents, of: part.partition, tailEvents - Int64(inTail))
        forgetRows()
    }

    private func rewrite(_ id: Int64, without learner: Int64) throws {
        let decoded = try decodeBlock(id, .all)
        let times = decoded.table.milliseconds
        let runs = decoded.runs.map { learner, rows in
            let (first, last) = (times[rows.lowerBound], times[rows.upperBound - 1])
            return RunEntry(learner: learner, block: id, rows: rows, firstTime: first, lastTime: last)
        }
        let generation = try tables.delete(block: id, runs, events: decoded.table.count)
        var writer: BlockWriter<EventTable> = blockWriter(in: generation)
        for run in decoded.runs where run.learner != learner {
            try writer.append(decoded.table, run.rows, of: run.learner)
        }
        try writer.finish()
    }
}
