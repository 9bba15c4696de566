// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Stored events that a batch was compared with, kept packed for the next batches. When a file is sent again, each
/// batch needs the same blocks as the previous batch, but slightly later events of each block.
struct DuplicateCache {
    /// The events of a block within a span of time.
    struct Excerpt {
        let events: PackedEvents
        /// The rows of `events` that belong to each learner.
        let rows: [Int64: Range<Int>]
        /// The span of time. The excerpt holds all events of the block within this span.
        let times: ClosedRange<Int64>
        fileprivate var lastUse: Int

        fileprivate static let bytesPerLearner = 48

        var byteCount: Int { events.byteCount + rows.count * Excerpt.bytesPerLearner }
    }

    private(set) var dictionary = PackingDictionary()
    private var excerpts: [Int64: Excerpt] = [:]
    private var excerptBytes = 0
    private var excerptEvents = 0
    /// For each block, the number of runs that its excerpt lacked. Each such run had to be decoded separately.
    private var misses: [Int64: Int] = [:]
    /// The number of the current batch.
    private var batch = 0
    /// The largest number of events in an excerpt of the current batch.
    private var excerptLimit = 0
    private var limit = 0
    /// The number of events decoded so far for comparison.
    var decodedEvents = 0

    /// The approximate size of a packed event in bytes, used until events have been packed.
    private static let usualBytes = 40
    /// The number of single runs whose decoding costs as much as the whole block.
    private static let runsPerBlock = 4

    var isEmpty: Bool { excerpts.isEmpty }
    private var bytes: Int { excerptBytes + dictionary.byteCount }

    /// - Parameters:
    ///   - limit: the approximate size limit of the cache, in bytes.
    ///   - blocks: the number of blocks that hold events of the batch, at least 1.
    mutating func beginBatch(limit: Int, blocks: Int) {
        batch += 1
        self.limit = limit
        // Texts of removed excerpts are freed only when the whole cache is cleared.
        if dictionary.byteCount > limit / 2 { removeAll() }
        let size = excerptEvents == 0 ? DuplicateCache.usualBytes : max(1, excerptBytes / excerptEvents)
        excerptLimit = (limit - dictionary.byteCount) / size / blocks
        trim()
    }

    mutating func excerpt(of block: Int64) -> Excerpt? {
        excerpts[block]?.lastUse = batch
        return excerpts[block]
    }

    /// Adds to the number of runs that were needed from a block. Returns true if the block should be decoded as a
    /// whole, because that costs less than decoding the runs separately.
    /// - Parameters:
    ///   - runs: the number of runs that the current batch needs, and that the excerpt lacks.
    ///   - areMost: true if these runs have most of the block's events.
    mutating func shouldDecodeWhole(_ block: Int64, runs: Int, areMost: Bool) -> Bool {
        misses[block, default: 0] += runs
        // A run that is needed alone is decoded through the session's cache of blocks, which is kept after the
        // transaction.
        return misses[block]! >= DuplicateCache.runsPerBlock || runs > 1 && areMost
    }

    /// Keeps the events of a block. If the block has more events than an excerpt may have, keeps only the events from a
    /// little before `time` on.
    mutating func keep(_ id: Int64, _ block: DecodedBlock, around time: Int64) {
        misses[id] = nil
        remove(id)
        let excerpt = excerpt(of: block, times: span(of: block.table.milliseconds, around: time))
        excerpts[id] = excerpt
        excerptBytes += excerpt.byteCount
        excerptEvents += excerpt.events.count
        trim()
    }

    /// Empties the cache, but keeps the count of decoded events.
    mutating func removeAll() {
        let done = decodedEvents
        self = DuplicateCache()
        decodedEvents = done
    }

    private mutating func remove(_ block: Int64) {
        guard let old = excerpts.removeValue(forKey: block) else { return }
        excerptBytes -= old.byteCount
        excerptEvents -= old.events.count
    }

    private mutating func trim() {
        while bytes > limit, let oldest = excerpts.min(by: { ($0.value.lastUse, $0.key) < ($1.value.lastUse, $1.key) })
        {
            remove(oldest.key)
        }
    }

    /// The span that begins a little before a time and holds as many events as an excerpt may have.
    private func span(of milliseconds: [Int64], around time: Int64) -> ClosedRange<Int64> {
        guard milliseconds.count > excerptLimit, excerptLimit > 0 else { return .min ... .max }
        let times = milliseconds.sorted()
        // Most late events are only a little late.
        let position = times.indices.partitioningIndex { times[$0] >= time }
        let first = max(0, min(position - excerptLimit / 8, times.count - excerptLimit))
        let end = first + excerptLimit
        return (first == 0 ? .min : times[first])...(end == times.count ? .max : times[end - 1])
    }

    private func excerpt(of block: DecodedBlock, times: ClosedRange<Int64>) -> Excerpt {
        let milliseconds = block.table.milliseconds
        var rows: [TableRow] = []
        var positions: [Int64: Range<Int>] = [:]
        for run in block.runs {
            let first = run.rows.partitioningIndex { milliseconds[$0] >= times.lowerBound }
            let end = (first..<run.rows.upperBound).partitioningIndex { milliseconds[$0] > times.upperBound }
            guard first < end else { continue }
            positions[run.learner] = rows.count..<rows.count + end - first
            for row in first..<end { rows.append(TableRow(table: 0, row: Int32(row))) }
        }
        let events = PackedEvents(rows, of: [block.table], dictionary: dictionary)
        return Excerpt(events: events, rows: positions, times: times, lastUse: batch)
    }
}
