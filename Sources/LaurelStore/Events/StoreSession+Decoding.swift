// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LaurelEvents
internal import Synchronization

/// Decodes several blocks together.
///
/// A store has one writer, so the writer decodes blocks on all cores. Readers use all cores only for long histories,
/// because several readers may run at once.
extension StoreSession {
    /// A block, or some learners' part of it.
    struct WantedBlock: Sendable, Hashable {
        var block: Int64
        /// The learners whose events are wanted; nil for all.
        var learners: ClosedRange<Int64>?
    }

    /// - Parameter known: learners whose subjects are already known, ascending.
    func decodeOnAllCores(
        _ wanted: [WantedBlock],
        _ fields: FieldSelection,
        known: [LearnerRecord]
    ) throws -> [DecodedBlock] {
        var decoded: [DecodedBlock] = []
        decoded.reserveCapacity(wanted.count)
        for start in stride(from: 0, to: wanted.count, by: StoreSession.blocksAtOnce) {
            let some = Array(wanted[start..<min(start + StoreSession.blocksAtOnce, wanted.count)])
            decoded += try decodeTogether(some, fields, known: known)
        }
        return decoded
    }

    /// The maximum number of blocks whose bytes are in memory at the same time.
    private static let blocksAtOnce = 16

    private func decodeTogether(
        _ wanted: [WantedBlock],
        _ fields: FieldSelection,
        known: [LearnerRecord]
    ) throws -> [DecodedBlock] {
        var data: [Int64: [UInt8]] = [:]
        try tables.forEachBlock(Set(wanted.map(\.block)).sorted()) { data[$0] = Array($1) }
        let (bytes, connecting) = (data, Lock())
        return try decodeTogether(wanted) { wanted, decoder in
            guard let data = bytes[wanted.block] else { throw self.missing(block: wanted.block) }
            return try data.withUnsafeBytes { data in
                try self.corruption(ofBlock: wanted.block) {
                    try decoder.decode(data, fields: fields, of: wanted.learners) { learner in
                        if let record = known.record(learner) { return record.subject }
                        return try connecting.withLock { try self.subject(of: learner) }
                    }
                }
            }
        }
    }

    /// Decodes on the calling thread and on idle cores. No thread is started, because starting a thread takes longer
    /// than decoding many blocks.
    ///
    /// The calling thread waits only for blocks that other threads have begun. So other users of Dispatch's threads
    /// cannot block this call.
    /// - Throws: the error of the first block that cannot be decoded.
    private func decodeTogether(
        _ wanted: [WantedBlock],
        _ decode: @Sendable (WantedBlock, BlockDecoder) throws -> DecodedBlock
    ) throws -> [DecodedBlock] {
        codecs.makeDecoders(min(Threads.processors, wanted.count))
        // Each decoder is used by one thread.
        nonisolated(unsafe) let decoders = codecs.decoders
        let next = Atomic(0)
        let results = Mutex([Result<DecodedBlock, any Error>?](repeating: nil, count: wanted.count))
        DispatchQueue.concurrentPerform(iterations: min(decoders.count, wanted.count)) { worker in
            while true {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < wanted.count else { return }
                let result = Result { try decode(wanted[index], decoders[worker]) }
                results.withLock { $0[index] = result }
            }
        }
        return try results.withLock { try $0.map { try $0!.get() } }
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
                let alone = decodesEntryOnly(entry) ? entry.learner...entry.learner : nil
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

    /// Several learners' events in several blocks. From a block that is seldom read, only the wanted events are
    /// decoded.
    /// - Parameter known: learners whose subjects are already known, ascending.
    func runs(
        ofMany entries: [RunEntry],
        _ fields: FieldSelection,
        known: [LearnerRecord]
    ) throws -> [EventRun] {
        var sources: [WantedBlock: DecodedBlock] = [:]
        var positions: [WantedBlock] = []
        var wanted: [WantedBlock] = []
        var areAlone: [Int64: Bool] = [:]
        for entry in entries where cache.find(entry.block, fields) == nil {
            areAlone[entry.block] = decodesEntryOnly(entry) && areAlone[entry.block] != false
        }
        for entry in entries {
            let cached = cache.find(entry.block, fields)
            let isAlone = cached == nil && areAlone[entry.block] == true
            let position = WantedBlock(block: entry.block, learners: isAlone ? entry.learner...entry.learner : nil)
            positions.append(position)
            if let cached {
                sources[position] = cached
            } else if isAlone || !wanted.contains(position) {
                wanted.append(position)
            }
        }
        for (position, block) in zip(wanted, try decodeOnAllCores(wanted, fields, known: known)) {
            if position.learners == nil { cache.insert(position.block, fields, block) }
            sources[position] = block
        }
        return try zip(entries, positions).map { try run($0, of: sources[$1]!) }
    }
}
