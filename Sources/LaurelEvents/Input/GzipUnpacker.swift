// SPDX-License-Identifier: Apache-2.0

import CZlib

package final class GzipUnpacker: Unpacker {
    package let format = "gzip"
    package private(set) var isBetweenParts = true
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isUsed = false

    package init() {
        stream.initialize(to: z_stream())
        // 16: gzip's header and checksum around the compressed data; 15: the largest window, 32 KiB.
        let status = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib cannot be set up")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    package func unpack(
        _ input: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) -> UnpackStep {
        if isBetweenParts, isUsed, let padding = skipPadding(input) { return padding }
        if isBetweenParts, !input.isEmpty {
            inflateReset(stream)
            (isBetweenParts, isUsed) = (false, true)
        }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(clamping: input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(clamping: output.count)
        let status = inflate(stream, Z_NO_FLUSH)
        var step = UnpackStep(
            consumed: input.count - Int(stream.pointee.avail_in),
            produced: output.count - Int(stream.pointee.avail_out)
        )
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: isBetweenParts = true
        default: step.problem = stream.pointee.msg.map { String(cString: $0) } ?? "zlib error \(status)"
        }
        return step
    }

    /// Skips zeros, which tapes and block devices append to a file. They do not belong to a gzip member.
    private func skipPadding(_ input: UnsafeBufferPointer<UInt8>) -> UnpackStep? {
        let zeros = input.prefix { $0 == 0 }.count
        return zeros == 0 ? nil : UnpackStep(consumed: zeros, produced: 0)
    }
}
