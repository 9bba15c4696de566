// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Decodes several blocks at once.
///
/// A store has one writer, so its blocks are decoded on all cores. Several readers may run at once, so they use all
/// cores only for long histories.
extension StoreSession {
    /// A block, or some learners' part of it.
    struct WantedBlock: Sendable {
        var block: Int64
        /// The learners whose events are wanted; nil for all.
        var learners: ClosedRange<Int64>?
    }

    /// - Parameter known: learners whose subjects need not be looked up, ascending.
    func decodeOnAllCores(
        _ wanted: [WantedBlock],
        _ fields: FieldSelection,
        known: [LearnerRecord]
    ) throws -> [DecodedBlock] {
        let connecting = Lock()
        return try ParallelMap.results(of: wanted) { wanted in
            let data = try connecting.withLock { try self.data(ofBlock: wanted.block) }
            return try data.withUnsafeBytes { data in
                try self.corruption(ofBlock: wanted.block) {
                    try self.decoders.withOne { decoder in
                        try decoder.decode(data, fields: fields, of: wanted.learners) { learner in
                            if let record = known.record(learner) { return record.subject }
                            return try connecting.withLock { try self.subject(of: learner) }
                        }
                    }
                }
            }
        }
    }

    /// A learner's events in several blocks.
    func runs(_ entries: [RunEntry], _ fields: FieldSelection) throws -> [EventRun] {
        guard isWriter, entries.count > 1 else { return try entries.map { try run($0, fields) } }
        var decoded: [Int64: DecodedBlock] = [:]
        var wanted: [WantedBlock] = []
        for entry in entries {
            if let cached = cache.find(entry.block, fields) {
                decoded[entry.block] = cached
            } else {
                let alone = isWantedAlone(entry) ? entry.learner...entry.learner : nil
                wanted.append(WantedBlock(block: entry.block, learners: alone))
            }
        }
        let owner = try learner(entries[0].learner)
        let blocks = try decodeOnAllCores(wanted, fields, known: owner.map { [$0] } ?? [])
        for (wanted, block) in zip(wanted, blocks) {
            if wanted.learners == nil { cache.insert(wanted.block, fields, block) }
            decoded[wanted.block] = block
        }
        return try entries.map { try run($0, of: decoded[$0.block]!) }
    }
}
