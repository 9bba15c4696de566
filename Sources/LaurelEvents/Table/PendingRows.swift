// SPDX-License-Identifier: Apache-2.0

/// Rows that are appended to a table together. They are in plain memory, so that writing a row takes no longer than
/// copying its bytes. Not thread-safe.
final class PendingRows {
    private(set) var count = 0
    private let rows = UnsafeMutablePointer<EventTable.Row>.allocate(capacity: PendingRows.capacity)
    /// For each row, the end of its values.
    private let ends = UnsafeMutablePointer<UInt32>.allocate(capacity: PendingRows.capacity)
    private var values = UnsafeMutablePointer<EventValue>.allocate(capacity: PendingRows.capacity)
    private var valueCapacity = PendingRows.capacity
    private var valueCount = 0

    /// The maximum number of rows. This number of rows fits into the processor's first-level cache.
    private static let capacity = 128

    init() {}

    deinit {
        rows.deallocate()
        ends.deallocate()
        values.deallocate()
    }

    @inline(__always)
    var isFull: Bool { count == PendingRows.capacity }

    /// Begins a row, and discards the values of a row that was not ended.
    /// - Returns: the memory for the row's values.
    @inline(__always)
    func beginRow(valuesAtMost limit: Int) -> UnsafeMutablePointer<EventValue> {
        valueCount = count == 0 ? 0 : Int(ends[count - 1])
        if valueCount + limit > valueCapacity { grow(to: valueCount + limit) }
        return values + valueCount
    }

    /// Ends the row under construction. Its `count` values were written to the row's memory. There must be room.
    @inline(__always)
    func end(_ row: EventTable.Row, values count: Int) {
        assert(self.count < PendingRows.capacity && valueCount + count <= valueCapacity)
        valueCount += count
        (rows + self.count).initialize(to: row)
        (ends + self.count).initialize(to: UInt32(truncatingIfNeeded: valueCount))
        self.count += 1
    }

    /// Appends all rows to the table and removes them here.
    func move(to table: inout EventTable) {
        guard count > 0 else { return }
        table.append(
            UnsafeBufferPointer(start: rows, count: count),
            valueEnds: UnsafeBufferPointer(start: ends, count: count),
            values: UnsafeBufferPointer(start: values, count: Int(ends[count - 1]))
        )
        count = 0
    }

    @inline(never)
    private func grow(to least: Int) {
        let larger = UnsafeMutablePointer<EventValue>.allocate(capacity: least * 2)
        larger.moveInitialize(from: values, count: valueCount)
        values.deallocate()
        (values, valueCapacity) = (larger, least * 2)
    }
}
