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

/// The texts of a table that is being decoded.
struct TextCollector {
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [UInt32] = [0]

    var count: Int { ends.count }

    /// What all texts of a block may take together, in bytes.
    static let limit = 1 << 30

    mutating func append(_ text: some Collection<UInt8>) throws -> UInt32 {
        guard !text.isEmpty else { return 0 }
        guard bytes.count + text.count <= TextCollector.limit else { throw Corruption("too much text") }
        bytes.append(contentsOf: text)
        ends.append(UInt32(bytes.count))
        return UInt32(ends.count - 1)
    }

    /// Reads what `append(texts:of:)` wrote. Text i of the section is text `base + i` of the table.
    mutating func read(from section: inout SectionReader, limit: Int) throws -> (base: Int, count: Int) {
        let base = ends.count
        let count = try section.directory.count(limit: limit)
        var total = bytes.count
        let start = total
        ends.reserveCapacity(base + count)
        for length in try section.integers(count: count) {
            guard length >= 0, length <= TextCollector.limit - total else { throw Corruption("too much text") }
            total += Int(length)
            ends.append(UInt32(total))
        }
        bytes.append(contentsOf: try section.frame(count: total - start))
        return (base, count)
    }

    var table: TextTable { TextTable(bytes: bytes, ends: ends) }
}
