// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelSystem

/// Recognises events that are already stored.
extension PackedEvents {
    /// True if a row has the same bytes as a row of other events with the same dictionary. Two such rows of one learner
    /// are the same event. Rows with different bytes may also be the same event.
    func isWritten(_ row: Int, as other: PackedEvents, _ otherRow: Int) -> Bool {
        guard milliseconds[row] == other.milliseconds[otherRow] else { return false }
        let (one, two) = (restOfRecord(row), other.restOfRecord(otherRow))
        return one.context == two.context && one.rest.count == two.rest.count
            && memcmp(one.rest.baseAddress!, two.rest.baseAddress!, one.rest.count) == 0
    }

    /// A row's context, and the bytes of its record after the context.
    private func restOfRecord(_ row: Int) -> (context: Context, rest: UnsafeRawBufferPointer) {
        let (context, cursor) = record(row)
        let end =
            UnsafeRawPointer(bytes.addressWhileAlive) + (row + 1 < starts.count ? Int(starts[row + 1]) : bytes.count)
        return (context, UnsafeRawBufferPointer(start: cursor.pointer, count: end - cursor.pointer))
    }

    /// The rows with a given time, among rows in a learner's order.
    /// - Complexity: O(log *n* + *k*) for *n* rows, of which *k* have that time.
    func rows(_ rows: Range<Int>, at time: Int64) -> Range<Int> {
        let first = rows.partitioningIndex { milliseconds[$0] >= time }
        var end = first
        while end < rows.upperBound, milliseconds[end] == time { end += 1 }
        return first..<end
    }

    /// The rows with one of some times, among rows in a learner's order.
    /// - Parameter times: ascending.
    func rows(_ rows: Range<Int>, at times: some Sequence<Int64>) -> [Int] {
        var found: [Int] = []
        var left = rows
        for time in times {
            let same = self.rows(left, at: time)
            found += same
            left = same.upperBound..<rows.upperBound
        }
        return found
    }
}
