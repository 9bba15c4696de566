internal import LaurelEvents

/// Sorting into a learner's order: time, source, id.
extension EventTable {
    /// Sorts rows of one learner; rows that are in order already cost one pass.
    func sortIntoLearnerOrder(_ rows: inout [Int]) {
        for place in rows.indices.dropFirst() where !precedes(rows[place - 1], rows[place]) {
            rows.sort(by: precedes)
            return
        }
    }

    /// Whether a row comes before another of the same learner. Rows of equal identity do not precede each other.
    func precedes(_ one: Int, _ other: Int) -> Bool {
        if milliseconds[one] != milliseconds[other] { return milliseconds[one] < milliseconds[other] }
        let (oneID, otherID) = (identifiers[one], identifiers[other])
        // Ids that count up from one device are the usual tie: with equally many digits their numbers decide.
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

/// Bringing several runs of one learner's events into one order.
enum LearnerOrder {
    /// Rows of a table, in the learner's order; none is empty.
    struct Run<Rows: RandomAccessCollection<Int>> {
        var table: EventTable
        var rows: Rows
    }

    /// All rows in the learner's order, as stretches of the runs.
    /// - Complexity: O(runs) where each follows the one before, as they mostly do; else O(n log n).
    static func merged<Rows>(_ runs: [Run<Rows>]) -> [(run: Int, rows: [Int])] {
        let areApart = zip(runs, runs.dropFirst()).allSatisfy { before, after in
            before.table.milliseconds[before.rows.last!] < after.table.milliseconds[after.rows.first!]
        }
        if areApart { return runs.enumerated().map { ($0, Array($1.rows)) } }
        var rows: [(milliseconds: Int64, run: Int, row: Int)] = []
        for (number, run) in runs.enumerated() {
            let times = run.table.milliseconds
            for row in run.rows { rows.append((times[row], number, row)) }
        }
        rows.sort {
            if $0.milliseconds != $1.milliseconds { return $0.milliseconds < $1.milliseconds }
            return runs[$0.run].table.isBefore($0.row, runs[$1.run].table, $1.row)
        }
        var stretches: [(run: Int, rows: [Int])] = []
        for (_, run, row) in rows {
            if stretches.last?.run == run {
                stretches[stretches.count - 1].rows.append(row)
            } else {
                stretches.append((run, [row]))
            }
        }
        return stretches
    }
}
