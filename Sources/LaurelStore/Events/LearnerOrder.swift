// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Sorts events into the learner's order, which is by time, then by source, then by id.
extension EventTable {
    /// Sorts rows of one learner. If they are already in order, one pass is enough.
    func sortIntoLearnerOrder(_ rows: inout [Int]) {
        for position in rows.indices.dropFirst() where !precedes(rows[position - 1], rows[position]) {
            rows.sort(by: precedes)
            return
        }
    }

    /// True if a row precedes another row of the same learner. If both rows have the same identity, neither precedes
    /// the other.
    func precedes(_ one: Int, _ other: Int) -> Bool {
        if milliseconds[one] != milliseconds[other] { return milliseconds[one] < milliseconds[other] }
        let (oneID, otherID) = (identifiers[one], identifiers[other])
        // Events of the same time usually have ids that one device counts up. If their numbers have equally many
        // digits, the ids are compared by these numbers.
        if source[one] == source[other], oneID.prefix == otherID.prefix, oneID.style == otherID.style,
            oneID.style != EventIdentifier.whole,
            oneID.style != EventIdentifier.natural || sameDigitCount(oneID.number, otherID.number)
        {
            return oneID.number < otherID.number
        }
        return isBefore(one, self, other)
    }

    private func sameDigitCount(_ one: UInt64, _ other: UInt64) -> Bool {
        let (less, more) = (min(one, other), max(one, other))
        var bound: UInt64 = 10
        while bound <= less { bound *= 10 }
        return more < bound
    }
}

/// Rows of events that can be put into the learner's order.
protocol OrderedEvents {
    /// The times of the rows, in milliseconds since 1970.
    var milliseconds: [Int64] { get }

    /// True if a row precedes another row with the same learner and time.
    func isBefore(_ row: Int, _ other: Self, _ otherRow: Int) -> Bool
}

extension EventTable: OrderedEvents {}

/// Merges several runs of one learner's events into the learner's order.
enum LearnerOrder {
    /// Rows of some events, in the learner's order; never empty.
    struct Run<Events: OrderedEvents> {
        var events: Events
        var rows: Range<Int>

        var first: Int64 { events.milliseconds[rows.lowerBound] }
        var last: Int64 { events.milliseconds[rows.upperBound - 1] }
    }

    /// All rows in the learner's order, as parts of the runs.
    /// - Complexity: O(runs log runs) if no runs overlap, which is common; O(rows log rows) for the overlapping runs.
    static func merged<Events>(_ runs: [Run<Events>]) -> [(run: Int, rows: Range<Int>)] {
        let order = runs.indices.sorted { (runs[$0].first, $0) < (runs[$1].first, $1) }
        var stretches: [(run: Int, rows: Range<Int>)] = []
        var overlapping: [Int] = []
        var end = Int64.min
        for run in order {
            if !overlapping.isEmpty, runs[run].first > end {
                append(overlapping, of: runs, to: &stretches)
                overlapping.removeAll(keepingCapacity: true)
            }
            overlapping.append(run)
            end = max(end, runs[run].last)
        }
        append(overlapping, of: runs, to: &stretches)
        return stretches
    }

    /// Appends the rows of runs that overlap in time.
    private static func append<Events>(
        _ positions: [Int],
        of runs: [Run<Events>],
        to stretches: inout [(run: Int, rows: Range<Int>)]
    ) {
        guard positions.count > 1 else {
            for run in positions { stretches.append((run, runs[run].rows)) }
            return
        }
        var rows: [(milliseconds: Int64, run: Int, row: Int)] = []
        for run in positions {
            let times = runs[run].events.milliseconds
            for row in runs[run].rows { rows.append((times[row], run, row)) }
        }
        rows.sort {
            if $0.milliseconds != $1.milliseconds { return $0.milliseconds < $1.milliseconds }
            return runs[$0.run].events.isBefore($0.row, runs[$1.run].events, $1.row)
        }
        for (_, run, row) in rows {
            if let last = stretches.last, last.run == run, last.rows.upperBound == row {
                stretches[stretches.count - 1].rows = last.rows.lowerBound..<row + 1
            } else {
                stretches.append((run, row..<row + 1))
            }
        }
    }
}

extension [EventRun] {
    /// The events of a learner's runs in the learner's order, as parts of the runs.
    package var inLearnerOrder: [EventRun] {
        let runs = filter { !$0.rows.isEmpty }
        let ordered = runs.map { LearnerOrder.Run(events: $0.table, rows: $0.rows) }
        return LearnerOrder.merged(ordered).map { EventRun(runs[$0.run].shared, rows: $0.rows) }
    }
}
