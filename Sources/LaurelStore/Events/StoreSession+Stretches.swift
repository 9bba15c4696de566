// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Reads a long history, a few blocks at a time.
extension StoreSession {
    /// The number of blocks decoded at a time. If blocks overlap in time, more are decoded together.
    private static let blocksAtOnce = 8

    func forEachStretch(
        of learner: Int64,
        fields: FieldSelection,
        types: [String]?,
        _ body: ([EventRun]) throws -> Void
    ) throws {
        try endAppending()
        let query = EventQuery(learners: learner...learner)
        var entries = try tables.runs([query])[...]
        if let types { entries = try entries.filter { try hasType(among: types, block: $0.block) }[...] }
        let tail = try self.tail([query])
        var left = tail.runs.first?.rows ?? 0..<0
        if types == nil { try expectAll(of: learner, entries.reduce(left.count) { $0 + $1.rows.count }) }
        while !entries.isEmpty {
            let stretch = StoreSession.stretch(entries)
            entries = entries.dropFirst(stretch.count)
            var open: [Int64: DecodedBlock] = [:]
            try openBlocks(of: stretch, fields, known: [], onAllCores: true, &open)
            var runs = try stretch.map { try run($0, of: open[$0.block]!) }
            let last = stretch.reduce(Int64.min) { max($0, $1.lastTime) }
            let end = left.partitioningIndex { tail.table.milliseconds[$0] > last }
            if left.lowerBound < end { runs.append(EventRun(tail.shared, rows: left.lowerBound..<end)) }
            left = end..<left.upperBound
            try body(runs)
        }
        if !left.isEmpty { try body([EventRun(tail.shared, rows: left)]) }
    }

    /// The first runs that do not overlap later runs in time. There are at least ``blocksAtOnce`` of them, unless fewer
    /// remain.
    private static func stretch(_ entries: ArraySlice<RunEntry>) -> ArraySlice<RunEntry> {
        var last = Int64.min
        for (count, entry) in entries.enumerated() {
            if count >= blocksAtOnce, entry.firstTime > last { return entries.prefix(count) }
            last = max(last, entry.lastTime)
        }
        return entries
    }

    private func hasType(among names: [String], block id: Int64) throws -> Bool {
        try withData(ofBlock: id) { data in
            let types = try corruption(ofBlock: id) { try decoder.types(of: data) }
            return types.contains { type in names.contains { type.elementsEqual($0.utf8) } }
        }
    }
}
