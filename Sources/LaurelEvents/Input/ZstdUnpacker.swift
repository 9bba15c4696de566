// SPDX-License-Identifier: Apache-2.0

import CZstd

/// Unpacks zstd, one block at a time, without the header of the next block. If zstd got more bytes at once, it would
/// return none of the data before a damaged block.
package final class ZstdUnpacker: Unpacker {
    package let format = "zstd"
    package private(set) var isBetweenParts = true
    private let stream: OpaquePointer
    /// The number of bytes that zstd asks for: up to the end of the next header or block, and usually the next block's
    /// header, too.
    private var wanted: Int
    /// The size of a block's header.
    private static let header = 3
    /// True if zstd may have more unpacked bytes. They must be read before more input is passed.
    private var isFull = false

    /// - Parameter windowLog: the largest window, as a power of two of bytes; nil for zstd's default limit, 128 MiB.
    package init(windowLog: Int32? = nil) {
        guard let stream = ZSTD_createDStream() else { fatalError("out of memory") }
        self.stream = stream
        wanted = ZSTD_initDStream(stream)
        if let windowLog { ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, windowLog) }
    }

    deinit { ZSTD_freeDStream(stream) }

    private var upToTheNextHeader: Int { wanted > Self.header ? wanted - Self.header : wanted }

    package func unpack(
        _ input: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) -> UnpackStep {
        var from = ZSTD_inBuffer(src: input.baseAddress, size: 0, pos: 0)
        var to = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        repeat {
            from.size = isFull ? from.pos : min(input.count, from.pos + upToTheNextHeader)
            let status = ZSTD_decompressStream(stream, &to, &from)
            guard ZSTD_isError(status) == 0 else {
                let problem = String(cString: ZSTD_getErrorName(status))
                return UnpackStep(consumed: from.pos, produced: to.pos, problem: problem)
            }
            isFull = to.pos == to.size
            // 0: the frame is complete, and all of its bytes were written.
            isBetweenParts = status == 0
            wanted = max(status, 1)
        } while from.pos < input.count && to.pos < to.size
        return UnpackStep(consumed: from.pos, produced: to.pos)
    }
}
