// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Consecutive rows of a table that are in the learner's order.
package struct PlannedRows {
    package let bound: PlannedTable
    package let rows: Range<Int>

    package init(bound: PlannedTable, rows: Range<Int>) {
        self.bound = bound
        self.rows = rows
    }
}

/// Merges runs of rows whose times may overlap into one order.
///
/// Most runs do not overlap, so they only need to be sorted. Overlapping runs are merged row by row.
package enum EventOrder {
    /// Returns spans of rows that together contain all rows in the learner's order.
    /// - Complexity: O(runs · log runs) if no runs overlap. Overlapping runs take O(rows · log runs).
    package static func spans(_ runs: [PlannedRows]) -> [PlannedRows] {
        if runs.count == 1, !runs[0].rows.isEmpty { return runs }
        let sorted = runs.filter { !$0.rows.isEmpty }.sorted {
            $0.bound.table.isBefore($0.rows.lowerBound, $1.bound.table, $1.rows.lowerBound)
        }
        var result: [PlannedRows] = []
        var overlapping: [PlannedRows] = []
        var latest: PlannedRows?
        for run in sorted {
            if let end = latest,
                run.bound.table.isBefore(
                    run.rows.lowerBound,
                    end.bound.table,
                    end.rows.upperBound - 1
                )
            {
                overlapping.append(run)
                if end.bound.table.isBefore(end.rows.upperBound - 1, run.bound.table, run.rows.upperBound - 1) {
                    latest = run
                }
            } else {
                result += merge(overlapping)
                overlapping = [run]
                latest = run
            }
        }
        return result + merge(overlapping)
    }

    /// Merges overlapping runs with a binary heap of their first rows. Each step moves all rows of one run that
    /// precede the first rows of the other runs. A single late event therefore adds only a few steps.
    private static func merge(_ runs: [PlannedRows]) -> [PlannedRows] {
        guard runs.count > 1 else { return runs }
        var heads = runs
        var result: [PlannedRows] = []
        func precedes(_ one: PlannedRows, _ other: PlannedRows) -> Bool {
            one.bound.table.isBefore(one.rows.lowerBound, other.bound.table, other.rows.lowerBound)
        }
        func sink(_ start: Int) {
            var index = start
            while true {
                var least = index
                for child in [2 * index + 1, 2 * index + 2] where child < heads.count {
                    if precedes(heads[child], heads[least]) { least = child }
                }
                if least == index { return }
                heads.swapAt(index, least)
                index = least
            }
        }
        for index in stride(from: heads.count / 2, through: 0, by: -1) { sink(index) }
        while let head = heads.first {
            let next = heads.count > 2 && precedes(heads[2], heads[1]) ? 2 : 1
            let end = next < heads.count ? end(of: head, before: heads[next]) : head.rows.upperBound
            append(PlannedRows(bound: head.bound, rows: head.rows.lowerBound..<end), to: &result)
            let rest = end..<head.rows.upperBound
            if rest.isEmpty {
                heads[0] = heads[heads.count - 1]
                heads.removeLast()
            } else {
                heads[0] = PlannedRows(bound: head.bound, rows: rest)
            }
            if !heads.isEmpty { sink(0) }
        }
        return result
    }

    /// Returns the end of the rows in a run that precede the first row of another run. The run's first row must precede
    /// that row.
    /// - Complexity: O(log n), where n is the number of rows that precede.
    private static func end(of run: PlannedRows, before other: PlannedRows) -> Int {
        let (table, bound) = (run.bound.table, other.bound.table)
        var low = run.rows.lowerBound + 1
        var step = 1
        while low + step <= run.rows.upperBound, table.isBefore(low + step - 1, bound, other.rows.lowerBound) {
            low += step
            step *= 2
        }
        let high = min(low + step - 1, run.rows.upperBound)
        return (low..<high).partitioningIndex { !table.isBefore($0, bound, other.rows.lowerBound) }
    }

    private static func append(_ run: PlannedRows, to spans: inout [PlannedRows]) {
        if let last = spans.last, last.bound === run.bound, last.rows.upperBound == run.rows.lowerBound {
            spans[spans.count - 1] = PlannedRows(bound: run.bound, rows: last.rows.lowerBound..<run.rows.upperBound)
        } else {
            spans.append(run)
        }
    }
}
