// SPDX-License-Identifier: Apache-2.0

internal import CZstd

/// Compresses frames with one reused context. Use it from one thread at a time.
final class Compressor {
    private let context: OpaquePointer
    private var scratch: [UInt8] = []

    /// - Parameter level: zstd's compression level, 1 (fast) … 19 (small).
    init(level: Int32) {
        guard let context = ZSTD_createCCtx() else { fatalError("zstd: out of memory") }
        self.context = context
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
        // The reader knows the size, and the checksum is stored outside the frame.
        ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0)
    }

    deinit { ZSTD_freeCCtx(context) }

    /// A zstd frame of the bytes, or the bytes themselves if a frame would not be smaller.
    func compress(_ raw: UnsafeRawBufferPointer) -> [UInt8] {
        guard raw.count > 12 else { return Array(raw) }
        let bound = ZSTD_compressBound(raw.count)
        if scratch.count < bound { scratch = Array(repeating: 0, count: bound) }
        let size = scratch.withUnsafeMutableBytes { output in
            ZSTD_compress2(context, output.baseAddress, output.count, raw.baseAddress, raw.count)
        }
        guard ZSTD_isError(size) == 0, size < raw.count else { return Array(raw) }
        return Array(scratch[0..<size])
    }
}

/// Unpacks the output of ``Compressor`` with one reused context. Use it from one thread at a time.
final class Decompressor {
    private let context: OpaquePointer

    init() {
        guard let context = ZSTD_createDCtx() else { fatalError("zstd: out of memory") }
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Fills `output` exactly.
    /// - Throws: ``Corruption`` if the unpacked frame has another size.
    func decompress(_ stored: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) throws(Corruption) {
        if stored.count == output.count {
            output.copyMemory(from: stored)
            return
        }
        let size = ZSTD_decompressDCtx(context, output.baseAddress, output.count, stored.baseAddress, stored.count)
        guard ZSTD_isError(size) == 0, size == output.count else {
            throw Corruption("a compressed stream cannot be unpacked")
        }
    }
}
