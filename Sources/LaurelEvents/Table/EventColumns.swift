// SPDX-License-Identifier: Apache-2.0

/// A table's columns as plain pointers, for loops that touch every event: no bounds, no reference counts.
///
/// Good only within ``EventTable/withColumns(_:)``; rows must be ones of the table.
package struct EventColumns: BitwiseCopyable {
    package let textBytes: UnsafePointer<UInt8>
    package let textEnds: UnsafePointer<UInt32>
    package let milliseconds: UnsafePointer<Int64>
    package let offsets: UnsafePointer<Int16>
    package let type: UnsafePointer<UInt32>
    package let language: UnsafePointer<UInt32>
    package let session: UnsafePointer<UInt32>
    package let timezone: UnsafePointer<UInt32>
    package let valueStarts: UnsafePointer<UInt32>
    package let values: UnsafePointer<EventValue>

    /// The bytes of a text; empty for index 0.
    @inline(__always)
    package func text(_ index: UInt32) -> UnsafeBufferPointer<UInt8> {
        guard index != 0 else { return UnsafeBufferPointer(start: textBytes, count: 0) }
        let start = Int(textEnds[Int(index) - 1])
        return UnsafeBufferPointer(start: textBytes + start, count: Int(textEnds[Int(index)]) - start)
    }
}

extension EventTable {
    package func withColumns<Result>(_ body: (EventColumns) throws -> Result) rethrows -> Result {
        // An empty array may have no address; the columns of an empty table are never read.
        func pointer<Element>(_ buffer: UnsafeBufferPointer<Element>) -> UnsafePointer<Element> {
            buffer.baseAddress ?? UnsafePointer(bitPattern: MemoryLayout<Element>.alignment)!
        }
        return try texts.bytes.withUnsafeBufferPointer { bytes in
            try texts.ends.withUnsafeBufferPointer { ends in
                try milliseconds.withUnsafeBufferPointer { milliseconds in
                    try offsets.withUnsafeBufferPointer { offsets in
                        try withIndexColumns { type, language, session, timezone, valueStarts in
                            try values.withUnsafeBufferPointer { values in
                                try body(
                                    EventColumns(
                                        textBytes: pointer(bytes),
                                        textEnds: pointer(ends),
                                        milliseconds: pointer(milliseconds),
                                        offsets: pointer(offsets),
                                        type: pointer(type),
                                        language: pointer(language),
                                        session: pointer(session),
                                        timezone: pointer(timezone),
                                        valueStarts: pointer(valueStarts),
                                        values: pointer(values)
                                    )
                                )
                            }
                        }
                    }
                }
            }
        }
    }

    private typealias Indexes = UnsafeBufferPointer<UInt32>

    private func withIndexColumns<Result>(
        _ body: (Indexes, Indexes, Indexes, Indexes, Indexes) throws -> Result
    ) rethrows -> Result {
        try type.withUnsafeBufferPointer { type in
            try language.withUnsafeBufferPointer { language in
                try session.withUnsafeBufferPointer { session in
                    try timezone.withUnsafeBufferPointer { timezone in
                        try valueStarts.withUnsafeBufferPointer { try body(type, language, session, timezone, $0) }
                    }
                }
            }
        }
    }
}
