// SPDX-License-Identifier: Apache-2.0

/// A store of blocks that can merge generations outside of write transactions.
protocol GenerationStore: EventStore {
    func readBlocks<T>(_ body: (StoreSession) throws -> T) throws -> T
    func writeBlocks<T>(in partition: Int, _ body: (StoreSession) throws -> T) throws -> T
}

extension GenerationStore {
    package func isMergingDue() throws -> Bool { try readBlocks { try !$0.dueGenerations().isEmpty } }

    package func mergeGenerations(_ progress: (Double) throws -> Void) throws -> Int {
        let partitions = try readBlocks { try $0.dueGenerations().map { $0[0].partition } }
        var count = 0
        for (position, partition) in partitions.enumerated() {
            let done = Double(position) / Double(partitions.count)
            count += try mergeGenerations(of: partition) { try progress(done) }
        }
        return count
    }

    /// Merges the generations of a partition. If an erasure changes their blocks meanwhile, the merge starts again, a
    /// few times at most. Then the merging is left to a later call.
    private func mergeGenerations(of partition: Int, _ pause: () throws -> Void) throws -> Int {
        var (count, attempts) = (0, 3)
        while attempts > 0, let merged = try nextMerged(of: partition, pause) {
            if try writeBlocks(in: partition, { try $0.adopt(merged) }) {
                count += merged.sources.count
            } else {
                attempts -= 1
            }
        }
        return count
    }

    private func nextMerged(of partition: Int, _ pause: () throws -> Void) throws -> MergedGeneration? {
        try readBlocks { session in
            let group = try session.dueGenerations().first { $0[0].partition == partition }
            return try group.map { try session.merged($0, pause) }
        }
    }
}
