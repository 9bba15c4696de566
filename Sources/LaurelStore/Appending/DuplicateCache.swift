// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Stored events that others were compared with, packed, for those that come next: of a file that comes again, every batch
/// asks for the same blocks, each time for a little later events.
struct DuplicateCache {
    /// The events of a block from some span of time.
    struct Excerpt {
        let events: PackedEvents
        /// Where in them each learner's are.
        let rows: [Int64: Range<Int>]
        /// All of the block's events at these times are here.
        let times: ClosedRange<Int64>
        fileprivate var lastUse: Int

        fileprivate static let bytesPerLearner = 48

        var byteCount: Int { events.byteCount + rows.count * Excerpt.bytesPerLearner }
    }

    private(set) var dictionary = PackingDictionary()
    private var excerpts: [Int64: Excerpt] = [:]
    private var excerptBytes = 0
    private var excerptEvents = 0
    /// Runs of a block that were decoded because its excerpt did not have what was asked for, since it was made.
    private var misses: [Int64: Int] = [:]
    /// Numbers batches.
    private var batch = 0
    /// How many an excerpt of the batch at hand may have.
    private var excerptLimit = 0
    private var limit = 0
    /// Events that were decoded so far to be compared.
    var decodedEvents = 0

    /// What an event takes before any is packed, about.
    private static let usualBytes = 40
    /// So many runs of a block decoded alone make up for the whole.
    private static let runsPerBlock = 4

    var isEmpty: Bool { excerpts.isEmpty }
    private var bytes: Int { excerptBytes + dictionary.byteCount }

    /// - Parameters:
    ///   - limit: what all of it may take, in bytes, about.
    ///   - blocks: of which the batch has events, at least one.
    mutating func beginBatch(limit: Int, blocks: Int) {
        batch += 1
        self.limit = limit
        // Texts of events that have gone are forgotten only with all others.
        if dictionary.byteCount > limit / 2 { removeAll() }
        let size = excerptEvents == 0 ? DuplicateCache.usualBytes : max(1, excerptBytes / excerptEvents)
        excerptLimit = (limit - dictionary.byteCount) / size / blocks
        trim()
    }

    mutating func excerpt(of block: Int64) -> Excerpt? {
        excerpts[block]?.lastUse = batch
        return excerpts[block]
    }

    /// Whether to decode a block as a whole, of which some more runs are asked for.
    /// - Parameter areMost: whether these are most of the block.
    mutating func isWantedWhole(_ block: Int64, runs: Int, areMost: Bool) -> Bool {
        misses[block, default: 0] += runs
        // The only run of a batch is decoded by other ways, which remember it across transactions.
        return misses[block]! >= DuplicateCache.runsPerBlock || runs > 1 && areMost
    }

    /// Keeps a block, or the part of it from around some time on.
    mutating func keep(_ id: Int64, _ block: DecodedBlock, around time: Int64) {
        misses[id] = nil
        remove(id)
        let excerpt = excerpt(of: block, times: span(of: block.table.milliseconds, around: time))
        excerpts[id] = excerpt
        excerptBytes += excerpt.byteCount
        excerptEvents += excerpt.events.count
        trim()
    }

    /// Forgets everything but how much was done.
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

    /// The span that begins a little before a time and has as many events as may be kept.
    private func span(of milliseconds: [Int64], around time: Int64) -> ClosedRange<Int64> {
        guard milliseconds.count > excerptLimit, excerptLimit > 0 else { return .min ... .max }
        let times = milliseconds.sorted()
        // What comes late comes mostly a little late.
        let place = times.indices.partitioningIndex { times[$0] >= time }
        let first = max(0, min(place - excerptLimit / 8, times.count - excerptLimit))
        let end = first + excerptLimit
        return (first == 0 ? .min : times[first])...(end == times.count ? .max : times[end - 1])
    }

    private func excerpt(of block: DecodedBlock, times: ClosedRange<Int64>) -> Excerpt {
        let milliseconds = block.table.milliseconds
        var rows: [TableRow] = []
        var places: [Int64: Range<Int>] = [:]
        for run in block.runs {
            let first = run.rows.partitioningIndex { milliseconds[$0] >= times.lowerBound }
            let end = (first..<run.rows.upperBound).partitioningIndex { milliseconds[$0] > times.upperBound }
            guard first < end else { continue }
            places[run.learner] = rows.count..<rows.count + end - first
            for row in first..<end { rows.append(TableRow(table: 0, row: Int32(row))) }
        }
        let events = PackedEvents(rows, of: [block.table], dictionary: dictionary)
        return Excerpt(events: events, rows: places, times: times, lastUse: batch)
    }
}
