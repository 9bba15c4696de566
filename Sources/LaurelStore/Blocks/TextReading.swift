// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The texts of a table under construction.
struct TextCollector {
    private(set) var bytes: [UInt8] = []
    private(set) var ends = [0]

    /// The maximum size of all texts of a block together, in bytes.
    static let limit = 1 << 30

    mutating func append(_ text: [UInt8]) throws -> UInt32 {
        guard !text.isEmpty else { return 0 }
        guard bytes.count + text.count <= TextCollector.limit else { throw Corruption("too much text") }
        bytes.append(contentsOf: text)
        ends.append(bytes.count)
        return UInt32(ends.count - 1)
    }

    /// Reads the output of `append(texts:of:)`. Text i of the section becomes text `base + i` of the table.
    mutating func read(from section: inout SectionReader, limit: Int) throws -> (base: Int, count: Int) {
        let base = ends.count
        let count = try section.directory.count(limit: limit)
        let start = bytes.count
        var total = start
        for length in try section.integers(count: count) {
            guard length >= 0, length <= TextCollector.limit - total else { throw Corruption("too much text") }
            total += Int(length)
            ends.append(total)
        }
        bytes.append(contentsOf: try section.frame(count: total - start))
        return (base, count)
    }

    /// Reads texts, and the index of a text for each row of a range. Index 0 means no text.
    /// - Parameter count: the number of all rows.
    /// - Returns: the indexes, one for each row of the range.
    mutating func readColumn(
        from section: inout SectionReader,
        count: Int,
        _ range: Range<Int>,
        limit: Int
    ) throws -> [UInt32] {
        let (base, textCount) = try read(from: &section, limit: limit)
        let noText = Corruption("a text that is not there")
        if let code = try section.constant(count: count) {
            guard (0...Int64(textCount)).contains(code) else { throw noText }
            return Array(
                repeating: code == 0 ? 0 : UInt32(truncatingIfNeeded: base - 1 + Int(code)),
                count: range.count
            )
        }
        let codes = try section.integers(count: count, range)
        guard codes.areAll(in: 0...Int64(textCount)) else { throw noText }
        return codes.indexes(base: base)
    }

    /// Appends UUIDs in canonical form. Plane i contains byte i of every UUID.
    /// - Returns: the index of the first UUID.
    mutating func append(uuids count: Int, plane: (Int) throws -> UnsafeRawBufferPointer) throws -> UInt32 {
        guard count > 0 else { return 0 }
        let (start, length) = (bytes.count, CanonicalUUID.length)
        guard start + length * count <= TextCollector.limit else { throw Corruption("too much text") }
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "-"), count: length * count))
        for number in 0..<16 {
            let plane = try plane(number)
            let offset = start + CanonicalUUID.offset(ofByte: number)
            bytes.withUnsafeMutableBytes { CanonicalUUID.write(plane, to: $0, from: offset) }
        }
        let first = UInt32(ends.count)
        for index in 1...count { ends.append(start + length * index) }
        return first
    }

    var table: TextTable { TextTable(bytes: bytes, ends: ends) }
}
