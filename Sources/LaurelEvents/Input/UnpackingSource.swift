// SPDX-License-Identifier: Apache-2.0

/// Unpacks gzip and zstd, which it recognises by the first bytes. Other bytes are returned unchanged.
package final class UnpackingSource: ByteSource {
    package var name: String { source.name }
    package var consumed: Int64 { source.consumed - Int64(available.count) }
    package var total: Int64? { source.total }

    private let source: any ByteSource
    private var input: [UInt8]
    /// The range of bytes that were read but not yet unpacked.
    private var available = 0..<0
    private var unpacker: (any Unpacker)?
    private var isOpened = false
    /// The error that ended unpacking. It is kept until all earlier bytes are delivered.
    private var problem: String?

    /// The smallest and the largest input buffer. A small input needs only a small one.
    private static let sizes = 1 << 12...1 << 17

    package init(_ source: any ByteSource) {
        self.source = source
        let size = source.total.map { Int(clamping: $0) } ?? .max
        let sizes = UnpackingSource.sizes
        input = Array(repeating: 0, count: min(max(size, sizes.lowerBound), sizes.upperBound))
    }

    package func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(InputError) -> Int {
        if !isOpened { try open() }
        guard let unpacker else { return try pass(into: buffer) }
        while true {
            if let problem {
                throw InputError(
                    code: .damaged,
                    file: name,
                    byte: consumed,
                    message: "the \(unpacker.format) data is damaged at byte \(consumed): \(problem)"
                )
            }
            if available.isEmpty { available = try 0..<fill(from: 0) }
            let isAtEnd = available.isEmpty
            guard !(isAtEnd && unpacker.isBetweenParts) else { return 0 }
            let step = input.withUnsafeBufferPointer {
                unpacker.unpack(UnsafeBufferPointer(rebasing: $0[available]), into: buffer)
            }
            available = available.lowerBound + step.consumed..<available.upperBound
            problem = step.problem
            if step.produced > 0 { return step.produced }
            if isAtEnd, problem == nil {
                throw InputError(
                    code: .truncated,
                    file: name,
                    byte: consumed,
                    message: "the \(unpacker.format) data ends in the middle, at byte \(consumed); the file was cut off"
                )
            }
        }
    }

    private func fill(from start: Int) throws(InputError) -> Int {
        var failure: InputError?
        let count = input.withUnsafeMutableBufferPointer { buffer in
            do throws(InputError) {
                return try source.read(into: UnsafeMutableBufferPointer(rebasing: buffer[start...]))
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        return count
    }

    /// Reads the first four bytes, or up to the end, and chooses the unpacker.
    private func open() throws(InputError) {
        isOpened = true
        var count = 0
        while count < 4 {
            let more = try fill(from: count)
            if more == 0 { break }
            count += more
        }
        available = 0..<count
        if input[0..<count].starts(with: [0x1F, 0x8B]) {
            unpacker = GzipUnpacker()
        } else if input[0..<count].starts(with: [0x28, 0xB5, 0x2F, 0xFD])
            || (count >= 4 && input[0] & 0xF0 == 0x50 && input[1..<4].elementsEqual([0x2A, 0x4D, 0x18]))
        {
            unpacker = ZstdUnpacker()
        }
    }

    private func pass(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(InputError) -> Int {
        guard !available.isEmpty else { return try source.read(into: buffer) }
        let count = min(buffer.count, available.count)
        _ = buffer.update(fromContentsOf: input[available.lowerBound..<available.lowerBound + count])
        available = available.lowerBound + count..<available.upperBound
        return count
    }
}

/// Unpacks one compression format, step by step.
package protocol Unpacker: AnyObject {
    /// The format's name, for messages.
    var format: String { get }
    /// True if the input may end here. A file is one or more members (gzip) or frames (zstd).
    var isBetweenParts: Bool { get }
    func unpack(_ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> UnpackStep
}

package struct UnpackStep {
    package var consumed: Int
    package var produced: Int
    /// The error because of which unpacking cannot continue.
    package var problem: String?
}
