// SPDX-License-Identifier: Apache-2.0

/// Reads what ``SectionWriter`` wrote.
struct SectionReader {
    var directory: ByteReader
    var body: ByteReader
    let memory: StreamMemory

    /// What one stream may unpack to, in bytes.
    static let largestStream = 1 << 28

    /// The bytes of the next frame, good until another stream is read.
    mutating func frame(count: Int) throws -> UnsafeRawBufferPointer {
        guard count <= SectionReader.largestStream else { throw Corruption("a stream of \(count) bytes") }
        guard count > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let stored = try directory.count(limit: SectionReader.largestStream)
        if stored == count { return try body.take(stored) }
        if stored == 0 {
            let output = memory.bytes(count)
            output.initializeMemory(as: UInt8.self, repeating: try directory.byte())
            return UnsafeRawBufferPointer(output)
        }
        return try memory.unpack(try body.take(stored), count: count)
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
            memory: memory
        )
    }
}

/// Where streams are unpacked, one after another in the same memory. Not for two threads at once.
final class StreamMemory {
    private let decompressor = Decompressor()
    private var storedBytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var storedBits = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var storedNumbers = UnsafeMutableBufferPointer<Int64>(start: nil, count: 0)

    deinit {
        storedBytes.deallocate()
        storedBits.deallocate()
        storedNumbers.deallocate()
    }

    /// Memory for so many bytes; what it held before may be anything.
    func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer { StreamMemory.take(count, of: &storedBytes) }

    /// A copy with ``IntegerStream/bytesAhead`` zeros behind it.
    func padded(_ bits: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let output = StreamMemory.take(bits.count + IntegerStream.bytesAhead, of: &storedBits)
        output.copyMemory(from: bits)
        UnsafeMutableRawBufferPointer(rebasing: output[bits.count...]).initializeMemory(as: UInt8.self, repeating: 0)
        return UnsafeRawBufferPointer(output)
    }

    private static func take(
        _ count: Int,
        of memory: inout UnsafeMutableRawBufferPointer
    ) -> UnsafeMutableRawBufferPointer {
        if memory.count < count {
            memory.deallocate()
            memory = .allocate(byteCount: max(count, 1 << 16), alignment: 16)
        }
        return UnsafeMutableRawBufferPointer(rebasing: memory[0..<count])
    }

    /// Memory for so many numbers; what it held before may be anything.
    func numbers(_ count: Int) -> UnsafeMutableBufferPointer<Int64> {
        if storedNumbers.count < count {
            storedNumbers.deallocate()
            storedNumbers = .allocate(capacity: max(count, 1 << 14))
            storedNumbers.initialize(repeating: 0)
        }
        return UnsafeMutableBufferPointer(rebasing: storedNumbers[0..<count])
    }

    func unpack(_ stored: UnsafeRawBufferPointer, count: Int) throws(Corruption) -> UnsafeRawBufferPointer {
        let output = bytes(count)
        try decompressor.decompress(stored, into: output)
        return UnsafeRawBufferPointer(output)
    }
}
