// SPDX-License-Identifier: Apache-2.0

internal import CZip
import LaurelEvents

/// A zip file from which single members are read. Names in the archive are never used as names of new files.
final class ZipArchive {
    private let handle: OpaquePointer
    private let name: String

    /// - Parameter name: the archive's name in messages.
    init(path: String, name: String) throws(InputError) {
        self.name = name
        var code: Int32 = 0
        guard let handle = zip_open(path, ZIP_RDONLY, &code) else {
            var error = zip_error_t()
            zip_error_init_with_code(&error, code)
            defer { zip_error_fini(&error) }
            // The file starts like a zip file, but the directory at the end of the file is missing.
            let reason =
                code == ZIP_ER_NOZIP
                ? "it is cut off, or damaged at its end" : String(cString: zip_error_strerror(&error))
            let message = "cannot be read as a zip file: \(reason)"
            throw InputError(code: .damaged, file: name, byte: 0, message: message)
        }
        self.handle = handle
    }

    deinit { zip_discard(handle) }

    /// The names of the archive's members, at most `limit`.
    func members(limit: Int = 10_000) -> [String] {
        let count = min(Int(zip_get_num_entries(handle, 0)), limit)
        return (0..<max(count, 0)).compactMap { index in
            zip_get_name(handle, zip_uint64_t(index), zip_flags_t(ZIP_FL_ENC_GUESS)).map { String(cString: $0) }
        }
    }

    /// The member with exactly this name; nil if there is none.
    func member(_ member: String) throws(InputError) -> (any ByteSource)? {
        let index = zip_name_locate(handle, member, 0)
        guard index >= 0 else { return nil }
        guard let file = zip_fopen_index(handle, zip_uint64_t(index), 0) else { throw error(member) }
        return ZipMember(file, name: name, error: { self.error(member) })
    }

    private func error(_ member: String) -> InputError {
        let error = zip_get_error(handle)
        let isEncrypted = zip_error_code_zip(error) == ZIP_ER_NOPASSWD
        let message = isEncrypted ? "it is encrypted" : String(cString: zip_error_strerror(error))
        return InputError(code: .damaged, file: name, byte: 0, message: "\(member) in it cannot be read: \(message)")
    }
}

/// A member of an archive, decompressed while it is read. The checksum is verified when the end is reached.
private final class ZipMember: ByteSource {
    let name: String
    private(set) var consumed: Int64 = 0
    let total: Int64? = nil
    private let file: OpaquePointer
    /// Returns the archive's present error. The closure also keeps the archive alive.
    private let error: () -> InputError

    init(_ file: OpaquePointer, name: String, error: @escaping () -> InputError) {
        self.file = file
        self.name = name
        self.error = error
    }

    deinit { zip_fclose(file) }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(InputError) -> Int {
        let count = zip_fread(file, buffer.baseAddress, zip_uint64_t(buffer.count))
        guard count >= 0 else {
            var error = error()
            let detail = zip_file_get_error(file).map { String(cString: zip_error_strerror($0)) } ?? "damaged"
            error.message = "a member of the zip file cannot be unpacked: \(detail)"
            throw error
        }
        consumed += count
        return Int(count)
    }
}
