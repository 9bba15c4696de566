// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The different texts of one column, each once, frequent ones first: their lengths, then their bytes in one frame.
/// What a row holds is an index into them: a stream of whole numbers, 0 for no text.
extension SectionWriter {
    /// - Parameter indexes: into `texts`, in the order in which the column refers to them.
    mutating func append(texts indexes: [UInt32], of texts: TextTable) {
        directory.append(varint: indexes.count)
        append(integers: indexes.map { Int64(texts.range($0).count) })
        var bytes: [UInt8] = []
        for index in indexes { bytes.append(contentsOf: texts.bytes[texts.range(index)]) }
        bytes.withUnsafeBytes { append(frame: $0) }
    }
}
