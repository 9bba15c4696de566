/// A snapshot as it stands in the file: the length of its bytes in eight, then those bytes as one zstd frame, or plain
/// where that is no larger.
enum PackedSnapshot {
    /// A snapshot larger than this is not one: damaged bytes must not claim all memory.
    private static let limit: UInt64 = 1 << 30

    static func pack(_ bytes: [UInt8], with compressor: Compressor) -> [UInt8] {
        var packed: [UInt8] = []
        packed.append(word: UInt64(bytes.count))
        packed += bytes.withUnsafeBytes { compressor.compress($0) }
        return packed
    }

    /// The bytes, or nil where they are damaged: a snapshot is a cache, and is built again.
    static func unpack(_ packed: [UInt8], with decompressor: Decompressor) -> [UInt8]? {
        guard packed.count >= 8 else { return nil }
        let length = packed[0..<8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length <= limit else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let isWhole = packed.withUnsafeBytes { packed in
            bytes.withUnsafeMutableBytes { output in
                (try? decompressor.decompress(UnsafeRawBufferPointer(rebasing: packed[8...]), into: output)) != nil
            }
        }
        return isWhole ? bytes : nil
    }
}
