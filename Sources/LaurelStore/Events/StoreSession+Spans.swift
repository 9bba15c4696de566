// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Reads the runs of many learners in many blocks.
extension StoreSession {
    /// Calls `body` with the runs of each learner, and with the decoded blocks. Decodes each block once. Several blocks
    /// are decoded at a time, on all cores.
    /// - Parameters:
    ///   - entries: ascending by learner.
    ///   - open: decoded blocks that also contain learners after the current ones.
    func forEachLearner(
        of entries: [RunEntry],
        _ fields: FieldSelection,
        _ open: inout [Int64: DecodedBlock],
        _ body: (ArraySlice<RunEntry>, [Int64: DecodedBlock]) throws -> Void
    ) throws {
        var left = entries[...].byLearner()[...]
        while !left.isEmpty {
            let span = learners(of: left, opening: Threads.processors * 2, open)
            try openBlocks(of: Array(span.joined()), fields, known: [], &open)
            for runs in span { try body(runs, open) }
            let last = span.last!.last!.learner
            open = open.filter { $0.value.runs.last!.learner > last }
            left = left.dropFirst(span.count)
        }
    }

    /// The next learners that together need at most `limit` further blocks; at least one learner.
    private func learners(
        of runs: ArraySlice<ArraySlice<RunEntry>>,
        opening limit: Int,
        _ open: [Int64: DecodedBlock]
    ) -> ArraySlice<ArraySlice<RunEntry>> {
        var closed: Set<Int64> = []
        var end = runs.startIndex
        for entries in runs {
            for entry in entries where open[entry.block] == nil { closed.insert(entry.block) }
            if closed.count > limit, end > runs.startIndex { break }
            end += 1
        }
        return runs[..<end]
    }
}

extension ArraySlice<RunEntry> {
    fileprivate func byLearner() -> [ArraySlice<RunEntry>] {
        var chunks: [ArraySlice<RunEntry>] = []
        var rest = self
        while let learner = rest.first?.learner {
            let runs = rest.prefix { $0.learner == learner }
            chunks.append(runs)
            rest = rest.dropFirst(runs.count)
        }
        return chunks
    }
}
