// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The texts of one column, each stored once: first their lengths, then their bytes in one frame. ``ColumnDictionary``
/// decides their order. A stream of whole numbers has a code for each row: 0 for no text, 1 for the first text.
extension SectionWriter {
    /// - Parameter indexes: the texts as indexes into `texts`, in the order of their codes.
    mutating func append(texts indexes: [UInt32], of texts: TextTable) {
        directory.append(varint: indexes.count)
        append(integers: indexes.map { Int64(texts.range($0).count) })
        var bytes: [UInt8] = []
        for index in indexes { bytes.append(contentsOf: texts.bytes[texts.range(index)]) }
        bytes.withUnsafeBytes { append(frame: $0) }
    }
}
