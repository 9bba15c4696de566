// SPDX-License-Identifier: Apache-2.0

/// Reads the output of ``SectionWriter``.
struct SectionReader {
    var directory: ByteReader
    var body: ByteReader
    let memory: UnpackBuffer

    /// The maximum size of one unpacked stream, in bytes.
    static let largestStream = 1 << 28

    /// The bytes of the next frame, valid until another stream is read.
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

    /// The next skippable section. This reader continues after it.
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

/// Memory for unpacked streams. Each stream overwrites the previous one. Use it from one thread at a time.
final class UnpackBuffer {
    private let decompressor = Decompressor()
    private var storedBytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var storedBits = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var storedNumbers = UnsafeMutableBufferPointer<Int64>(start: nil, count: 0)

    deinit {
        storedBytes.deallocate()
        storedBits.deallocate()
        storedNumbers.deallocate()
    }

    /// Reserves memory for this many bytes. The content is undefined.
    func bytes(_ count: Int) -> UnsafeMutableRawBufferPointer { UnpackBuffer.take(count, of: &storedBytes) }

    /// A copy of the bytes, followed by ``IntegerStream/bytesAhead`` zeros.
    func padded(_ bits: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let output = UnpackBuffer.take(bits.count + IntegerStream.bytesAhead, of: &storedBits)
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

    /// Reserves memory for this many numbers. The content is undefined.
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
