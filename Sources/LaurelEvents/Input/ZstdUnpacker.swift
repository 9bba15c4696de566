import CZstd

package final class ZstdUnpacker: Unpacker {
    package let format = "zstd"
    package private(set) var isBetweenParts = true
    private let stream: OpaquePointer

    /// - Parameter windowLog: The largest window, as a power of two of bytes; nil for what zstd itself allows, 128 MiB.
    package init(windowLog: Int32? = nil) {
        guard let stream = ZSTD_createDStream() else { fatalError("out of memory") }
        self.stream = stream
        if let windowLog { ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, windowLog) }
    }

    deinit { ZSTD_freeDStream(stream) }

    package func unpack(
        _ input: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) -> UnpackStep {
        var from = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var to = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let status = ZSTD_decompressStream(stream, &to, &from)
        var step = UnpackStep(consumed: from.pos, produced: to.pos)
        if ZSTD_isError(status) != 0 {
            step.problem = String(cString: ZSTD_getErrorName(status))
        } else {
            // 0: a frame is done, and all of it was handed out.
            isBetweenParts = status == 0
        }
        return step
    }
}
