// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// A source of bytes, read in order.
package protocol ByteSource: AnyObject {
    /// The source's name, for messages.
    var name: String { get }
    /// The number of bytes consumed so far; compressed bytes if the source is compressed.
    var consumed: Int64 { get }
    /// The total number of bytes; nil if unknown.
    var total: Int64? { get }
    /// Reads the bytes that are available into the buffer. Returns at least 1, or 0 at the end.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(InputError) -> Int
}

/// A file, or a pipe such as standard input.
package final class FileSource: ByteSource {
    package let name: String
    package private(set) var consumed: Int64 = 0
    package let total: Int64?
    private let descriptor: Int32
    private let closes: Bool

    /// - Parameter path: `-` is standard input.
    package convenience init(path: String) throws(InputError) {
        if path == "-" {
            self.init(descriptor: STDIN_FILENO, name: "standard input")
            return
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw InputError(code: .cannotOpen, file: path, byte: 0, message: String(cString: strerror(errno)))
        }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            close(descriptor)
            throw InputError(code: .cannotOpen, file: path, byte: 0, message: "is a directory, not a file")
        }
        self.init(descriptor: descriptor, name: path, closes: true)
    }

    package init(descriptor: Int32, name: String, closes: Bool = false) {
        self.descriptor = descriptor
        self.name = name
        self.closes = closes
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        total = isFile ? Int64(status.st_size) : nil
    }

    deinit {
        if closes { close(descriptor) }
    }

    /// Reads from a file or pipe. A pipe delivers little at a time, so input that arrives within a moment is collected.
    package func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(InputError) -> Int {
        var filled = try take(into: buffer)
        guard total == nil, filled > 0 else { return filled }
        let start = ContinuousClock.now
        while filled < buffer.count {
            let left = FileSource.moment - start.duration(to: .now)
            guard left > .zero, hasMore(within: left) else { break }
            // The next call reports the end, or the error, again.
            guard let count = try? take(into: UnsafeMutableBufferPointer(rebasing: buffer[filled...])), count > 0 else {
                break
            }
            filled += count
        }
        return filled
    }

    /// The time to collect input. It is too short for a user to notice, and shorter than the pause after which input
    /// from a pipe is stored.
    private static let moment = Duration.milliseconds(25)

    private func hasMore(within time: Duration) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, Int32(time / .milliseconds(1)) + 1) > 0
    }

    private func take(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(InputError) -> Int {
        while true {
            let count = LaurelSystem.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 {
                consumed += Int64(count)
                return count
            }
            if errno != EINTR {
                throw InputError(
                    code: .cannotRead,
                    file: name,
                    byte: consumed,
                    message: "cannot be read beyond byte \(consumed): \(String(cString: strerror(errno)))"
                )
            }
        }
    }
}

/// Bytes in memory, such as the body of a request.
package final class MemorySource: ByteSource {
    package let name: String
    package private(set) var consumed: Int64 = 0
    package var total: Int64? { Int64(bytes.count) }
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8], name: String) {
        self.bytes = bytes
        self.name = name
    }

    package func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(InputError) -> Int {
        let start = Int(consumed)
        let count = min(buffer.count, bytes.count - start)
        _ = buffer.update(fromContentsOf: bytes[start..<start + count])
        consumed += Int64(count)
        return count
    }
}
