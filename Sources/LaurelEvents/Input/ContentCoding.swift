// SPDX-License-Identifier: Apache-2.0

internal import CZlib
internal import CZstd

/// A content coding that compresses a response (RFC 9110, section 8.4.1).
package enum ContentCoding: String, CaseIterable, Sendable {
    /// The codings, the best one first.
    case zstd, gzip

    /// The compression levels. They are fast, because a client waits for the response.
    private static let (zstdLevel, gzipLevel): (Int32, Int32) = (3, 4)

    /// The compressed bytes; nil if the library fails or the result would not be smaller.
    package func pack(_ bytes: [UInt8]) -> [UInt8]? {
        let packed = self == .zstd ? Self.zstd(bytes) : Self.gzip(bytes)
        return packed.flatMap { $0.count < bytes.count ? $0 : nil }
    }

    private static func zstd(_ bytes: [UInt8]) -> [UInt8]? {
        let bound = ZSTD_compressBound(bytes.count)
        let packed = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            let size = ZSTD_compress(output.baseAddress, bound, bytes, bytes.count, zstdLevel)
            count = ZSTD_isError(size) == 0 ? size : 0
        }
        return packed.isEmpty ? nil : packed
    }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        // 15: the largest window; 16: a gzip header and checksum around the compressed data; 8: the default memory.
        guard deflateInit2_(&stream, gzipLevel, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        // zlib counts in 32 bits, so longer data are not compressed. The bound is longer than the input.
        guard let room = UInt32(exactly: bound) else { return nil }
        var isWhole = false
        let packed = bytes.withUnsafeBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(truncatingIfNeeded: input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = room
                isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = bound - Int(stream.avail_out)
            }
        }
        return isWhole ? packed : nil
    }
}
