// SPDX-License-Identifier: Apache-2.0

/// A table's columns as plain pointers, for loops over all events. There are no bounds checks and no reference counts.
/// Valid only within ``EventTable/withColumns(_:)``. Rows must be rows of the table.
package struct EventColumns: BitwiseCopyable {
    package let textBytes: UnsafePointer<UInt8>
    package let textEnds: UnsafePointer<Int>
    package let milliseconds: UnsafePointer<Int64>
    package let offsets: UnsafePointer<Int16>
    package let type: UnsafePointer<UInt32>
    package let language: UnsafePointer<UInt32>
    package let session: UnsafePointer<UInt32>
    package let timezone: UnsafePointer<UInt32>
    package let valueStarts: UnsafePointer<UInt32>
    package let values: UnsafePointer<EventValue>
    package let identifiers: UnsafePointer<EventIdentifier>

    /// The bytes of a text; empty for index 0.
    @inline(__always)
    package func text(_ index: UInt32) -> UnsafeBufferPointer<UInt8> {
        guard index != 0 else { return UnsafeBufferPointer(start: textBytes, count: 0) }
        let start = textEnds[Int(index) - 1]
        return UnsafeBufferPointer(start: textBytes + start, count: textEnds[Int(index)] - start)
    }
}

extension EventTable {
    package func withColumns<Result>(_ body: (EventColumns) throws -> Result) rethrows -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(
            EventColumns(
                textBytes: texts.bytes.addressWhileAlive,
                textEnds: texts.ends.addressWhileAlive,
                milliseconds: milliseconds.addressWhileAlive,
                offsets: offsets.addressWhileAlive,
                type: type.addressWhileAlive,
                language: language.addressWhileAlive,
                session: session.addressWhileAlive,
                timezone: timezone.addressWhileAlive,
                valueStarts: valueStarts.addressWhileAlive,
                values: values.addressWhileAlive,
                identifiers: identifiers.addressWhileAlive
            )
        )
    }
}
