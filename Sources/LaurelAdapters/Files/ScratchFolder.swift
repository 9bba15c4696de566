// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelSystem

/// A private folder for copies of apps' files. The folder is removed when its last reference is released.
final class ScratchFolder {
    let path: String

    init() throws(InputError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/laurel-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw InputError(
                code: .cannotRead,
                file: parent,
                byte: 0,
                message: "no folder for a private copy can be made here: \(String(cString: strerror(errno)))"
            )
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { remove() }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Removes the folder and its files. Files that are already open stay readable.
    func remove() {
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { unlink(file(name)) }
        }
        closedir(folder)
        rmdir(path)
    }

    /// Writes a source's bytes to a new file.
    /// - Parameters:
    ///   - start: bytes that were already read from the source.
    ///   - limit: the maximum size in bytes. A larger source is refused.
    func spool(
        _ source: any ByteSource,
        startingWith start: [UInt8] = [],
        limit: Int64,
        to name: String
    ) throws(InputError) -> String {
        let target = try FileTarget(path: file(name))
        try target.write(start[...])
        var total = Int64(start.count)
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = try source.read(chunk: &chunk)
            if count == 0 { return target.path }
            total += Int64(count)
            guard total <= limit else {
                throw InputError(
                    code: .damaged,
                    file: source.name,
                    byte: source.consumed,
                    message: "unpacks to more than \(limit >> 20) MiB, which no collection of this size does"
                )
            }
            try target.write(chunk[0..<count])
        }
    }
}

/// A file that is being written.
final class FileTarget {
    let path: String
    private let descriptor: Int32

    init(path: String) throws(InputError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileTarget.error(path) }
    }

    deinit { close(descriptor) }

    func write(_ bytes: ArraySlice<UInt8>) throws(InputError) {
        guard bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) else { throw FileTarget.error(path) }
    }

    private static func error(_ path: String) -> InputError {
        InputError(
            code: .cannotRead,
            file: path,
            byte: 0,
            message: "a private copy cannot be written: \(String(cString: strerror(errno)))"
        )
    }
}

extension ByteSource {
    func read(chunk: inout [UInt8]) throws(InputError) -> Int {
        var failure: InputError?
        let count = chunk.withUnsafeMutableBufferPointer { buffer in
            do throws(InputError) {
                return try read(into: buffer)
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        return count
    }

    /// Reads `count` bytes. Returns fewer bytes only at the end of the source.
    func readPrefix(_ count: Int) throws(InputError) -> [UInt8] {
        var prefix: [UInt8] = []
        while prefix.count < count {
            var chunk = [UInt8](repeating: 0, count: count - prefix.count)
            let more = try read(chunk: &chunk)
            if more == 0 { break }
            prefix += chunk[0..<more]
        }
        return prefix
    }
}
