// SPDX-License-Identifier: Apache-2.0

internal import CZip
import Foundation
import Laurel

/// Writes a zip file in memory.
final class ZipWriter {
    private let target: OpaquePointer
    private let archive: OpaquePointer
    private let time: Int
    private var isClosed = false

    /// - Parameter time: the time of each member, in seconds since 1970.
    init(time: Int) throws(EngineError) {
        guard let target = zip_source_buffer_create(nil, 0, 0, nil) else { throw ZipWriter.failure }
        guard let archive = zip_open_from_source(target, ZIP_TRUNCATE, nil) else {
            zip_source_free(target)
            throw ZipWriter.failure
        }
        // The archive frees its source when it is closed, but the bytes are read after that.
        zip_source_keep(target)
        (self.target, self.archive, self.time) = (target, archive, time)
    }

    deinit {
        if !isClosed { zip_discard(archive) }
        zip_source_free(target)
    }

    /// Adds a member. Each name may be used once.
    func add(_ name: String, _ content: String) throws(EngineError) {
        let bytes = Array(content.utf8)
        // The library frees the memory after it has written the member.
        guard let copy = malloc(max(1, bytes.count)) else { throw ZipWriter.failure }
        bytes.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count) }
        guard let source = zip_source_buffer(archive, copy, zip_uint64_t(bytes.count), 1) else {
            free(copy)
            throw ZipWriter.failure
        }
        let index = zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            zip_source_free(source)
            throw ZipWriter.failure
        }
        zip_file_set_mtime(archive, zip_uint64_t(index), time, 0)
    }

    /// Writes the archive, and returns its bytes. Nothing can be added afterwards.
    func finish() throws(EngineError) -> [UInt8] {
        guard zip_close(archive) == 0 else { throw ZipWriter.failure }
        isClosed = true
        var status = zip_stat_t()
        guard zip_source_stat(target, &status) == 0, zip_source_open(target) == 0 else { throw ZipWriter.failure }
        defer { zip_source_close(target) }
        var bytes = [UInt8](repeating: 0, count: Int(status.size))
        let count = bytes.withUnsafeMutableBytes { zip_source_read(target, $0.baseAddress, zip_uint64_t($0.count)) }
        guard count == zip_int64_t(bytes.count) else { throw ZipWriter.failure }
        return bytes
    }

    private static var failure: EngineError { EngineError(.ioError, "the zip file cannot be made") }
}
