/// One column of a block under construction: how it is written (`directory`) and what is written (`body`).
struct SectionWriter {
    var directory: [UInt8] = []
    var body: [UInt8] = []
    let compressor: Compressor

    init(_ compressor: Compressor) { self.compressor = compressor }

    /// Appends bytes whose number the reader will know: as one repeated byte, compressed, or as they are.
    mutating func append(frame raw: UnsafeRawBufferPointer) {
        guard let first = raw.first else { return }
        if raw.allSatisfy({ $0 == first }) {
            directory.append(0)
            directory.append(first)
            return
        }
        let stored = compressor.compress(raw)
        directory.append(varint: stored.count)
        body.append(contentsOf: stored)
    }

    mutating func append(_ section: SectionWriter) {
        directory.append(contentsOf: section.directory)
        body.append(contentsOf: section.body)
    }

    /// Appends a section the reader may skip.
    mutating func append(skippable section: SectionWriter) {
        directory.append(varint: section.directory.count)
        directory.append(varint: section.body.count)
        append(section)
    }

    var size: Int { directory.count + body.count }
}

/// Reads what ``SectionWriter`` wrote.
struct SectionReader {
    var directory: ByteReader
    var body: ByteReader
    let decompressor: Decompressor

    /// What one stream may unpack to, in bytes.
    static let largestStream = 1 << 28

    mutating func readFrame(into output: UnsafeMutableRawBufferPointer) throws {
        guard !output.isEmpty else { return }
        let stored = try directory.count(limit: SectionReader.largestStream)
        if stored == 0 {
            let byte = try directory.byte()
            for index in output.indices { output[index] = byte }
        } else {
            try decompressor.decompress(try body.take(stored), into: output)
        }
    }

    mutating func frame(count: Int) throws -> [UInt8] {
        guard count <= SectionReader.largestStream else { throw Corruption("a stream of \(count) bytes") }
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { try readFrame(into: $0) }
        return bytes
    }

    /// The next skippable section; this reader goes on behind it.
    mutating func section() throws -> SectionReader {
        let (directoryCount, bodyCount) = (
            try directory.count(limit: SectionReader.largestStream),
            try directory.count(limit: SectionReader.largestStream)
        )
        return SectionReader(
            directory: ByteReader(try directory.take(directoryCount)),
            body: ByteReader(try body.take(bodyCount)),
            decompressor: decompressor
        )
    }
}
