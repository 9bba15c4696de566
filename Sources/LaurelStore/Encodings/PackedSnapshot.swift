// SPDX-License-Identifier: Apache-2.0

/// A snapshot in the file. It begins with a word: the length of the unpacked bytes, with 1 in the highest byte. A
/// checksum follows, then the bytes as a zstd frame, or plain if a frame is not smaller.
enum PackedSnapshot {
    /// The key of the snapshot's row.
    struct Key {
        var learner: Int64
        /// The position of a checkpoint; nil for a snapshot of the latest state.
        var point: CheckpointPoint?

        fileprivate var numbers: (Int64, Int64, Int64) {
            (learner, point?.milliseconds ?? .min, point.map { Int64($0.events) } ?? -1)
        }
    }

    /// The maximum size in bytes. A larger size is damage, and must not cause a huge allocation.
    private static let limit: UInt64 = 1 << 30
    private static let version: UInt64 = 1 << 56
    private static let headerSize = 16

    static func pack(_ bytes: [UInt8], of key: Key, with compressor: Compressor) -> [UInt8] {
        let frame = bytes.withUnsafeBytes { compressor.compress($0) }
        return sealed(length: UInt64(bytes.count), frame[...], of: key)
    }

    private static func sealed(length: UInt64, _ frame: ArraySlice<UInt8>, of key: Key) -> [UInt8] {
        var packed: [UInt8] = []
        packed.reserveCapacity(headerSize + frame.count)
        packed.append(word: length | version)
        packed.append(word: checksum(frame, length: length, of: key))
        packed += frame
        return packed
    }

    private static func checksum(_ frame: ArraySlice<UInt8>, length: UInt64, of key: Key) -> UInt64 {
        frame.withUnsafeBytes { Checksum.of($0, key: key.numbers) } ^ length
    }

    /// The unpacked bytes; nil if they are damaged. A snapshot is only a cache, so a damaged one is recomputed.
    static func unpack(_ packed: [UInt8], of key: Key, with decompressor: Decompressor) -> [UInt8]? {
        guard let (length, frame) = opened(packed, of: key) else { return nil }
        return unpack(frame, length: length, with: decompressor)
    }

    /// The same snapshot, packed for the key of another row; nil if the snapshot is damaged.
    static func rekeyed(_ packed: [UInt8], from key: Key, to other: Key) -> [UInt8]? {
        opened(packed, of: key).map { sealed(length: $0.length, $0.frame, of: other) }
    }

    private static func opened(_ packed: [UInt8], of key: Key) -> (length: UInt64, frame: ArraySlice<UInt8>)? {
        guard packed.count >= headerSize else { return nil }
        let (length, frame) = (word(packed, at: 0) ^ version, packed[headerSize...])
        guard word(packed, at: 8) == checksum(frame, length: length, of: key) else { return nil }
        return (length, frame)
    }

    private static func word(_ packed: [UInt8], at offset: Int) -> UInt64 {
        packed[offset..<offset + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    static func unpack(
        _ frame: ArraySlice<UInt8>,
        length: UInt64,
        with decompressor: Decompressor
    ) -> [UInt8]? {
        guard length <= limit else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let isWhole = frame.withUnsafeBytes { frame in
            bytes.withUnsafeMutableBytes { output in (try? decompressor.decompress(frame, into: output)) != nil }
        }
        return isWhole ? bytes : nil
    }
}
