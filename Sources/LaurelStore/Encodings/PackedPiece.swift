// SPDX-License-Identifier: Apache-2.0

/// A piece of a quarantined line in the file. It begins with a checksum, which also covers the row's key. The bytes
/// follow as a zstd frame, or plain if a frame is not smaller.
enum PackedPiece {
    private static let headerSize = 8

    static func pack(
        _ bytes: ArraySlice<UInt8>,
        line: Int64,
        number: Int,
        with compressor: Compressor
    ) -> [UInt8] {
        let frame = bytes.withUnsafeBytes { compressor.compress($0) }
        var packed: [UInt8] = []
        packed.reserveCapacity(headerSize + frame.count)
        packed.append(word: checksum(frame[...], line: line, number: number, size: bytes.count))
        return packed + frame
    }

    private static func checksum(_ frame: ArraySlice<UInt8>, line: Int64, number: Int, size: Int) -> UInt64 {
        frame.withUnsafeBytes { Checksum.of($0, key: (line, Int64(number), Int64(size))) }
    }

    /// - Parameter size: the number of unpacked bytes.
    static func unpack(
        _ packed: [UInt8],
        line: Int64,
        number: Int,
        size: Int,
        with decompressor: Decompressor
    ) throws -> [UInt8] {
        guard packed.count >= headerSize, 0...QuarantineRecord.pieceLimit ~= size else {
            throw Corruption("its length is wrong")
        }
        let frame = packed[headerSize...]
        let stored = packed[..<headerSize].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard stored == checksum(frame, line: line, number: number, size: size) else {
            throw Corruption("its checksum does not match")
        }
        var bytes = [UInt8](repeating: 0, count: size)
        try frame.withUnsafeBytes { frame in
            try bytes.withUnsafeMutableBytes { try decompressor.decompress(frame, into: $0) }
        }
        return bytes
    }
}
