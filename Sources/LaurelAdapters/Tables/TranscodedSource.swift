// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelSystem

/// Converts a text to UTF-8 while it is read. Memory is bounded.
///
/// An invalid sequence of bytes becomes the byte FF, which is invalid in UTF-8, too. So the row that contains the byte
/// is refused, and the rows around it are read.
final class TranscodedSource: ByteSource {
    var name: String { source.name }
    var consumed: Int64 { source.consumed }
    var total: Int64? { source.total }

    private let source: any ByteSource
    private let converter: iconv_t
    /// The bytes of the source that are not converted yet.
    private var input: [CChar] = []
    private var isAtEnd = false
    /// The number of bytes of the smallest character. After an invalid character, as many bytes are skipped.
    private let unit: Int
    private var output = [CChar](repeating: 0, count: 1 << 16)
    /// The converted bytes that were not delivered yet.
    private var ready = 0..<0

    /// - Parameter encoding: a name that iconv knows, such as `windows-1252`.
    /// - Returns: nil if iconv does not know the encoding.
    init?(_ source: any ByteSource, encoding: String) {
        guard TranscodedSource.isName(encoding) else { return nil }
        let converter = iconv_open("UTF-8", encoding)
        // iconv reports an error as the pointer −1.
        guard let converter, Int(bitPattern: converter) != -1 else { return nil }
        (self.source, self.converter) = (source, converter)
        let name = encoding.uppercased()
        unit = name.contains("UTF-32") || name.contains("UCS-4") ? 4 : name.contains("UTF-16") ? 2 : 1
    }

    deinit { iconv_close(converter) }

    /// True if iconv knows an encoding.
    static func knows(_ encoding: String) -> Bool {
        TranscodedSource(MemorySource([], name: ""), encoding: encoding) != nil
    }

    /// True if the text consists of letters, digits and the signs in names of encodings. iconv reads a slash as the
    /// beginning of an option.
    private static func isName(_ text: String) -> Bool {
        let isPart = { (byte: UInt8) in
            48...57 ~= byte || 65...90 ~= byte || 97...122 ~= byte || [45, 46, 58, 95].contains(byte)
        }
        return !text.isEmpty && text.utf8.allSatisfy(isPart)
    }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(InputError) -> Int {
        while ready.isEmpty {
            if isAtEnd, input.isEmpty { return 0 }
            if !convert() { try fill() }
        }
        let count = min(buffer.count, ready.count)
        for index in 0..<count { buffer[index] = UInt8(bitPattern: output[ready.lowerBound + index]) }
        ready = ready.lowerBound + count..<ready.upperBound
        return count
    }

    /// Reads more bytes. At the end, an incomplete character becomes an invalid byte.
    private func fill() throws(InputError) {
        if isAtEnd {
            if input.isEmpty { return }
            input = []
            output[0] = TranscodedSource.invalid
            ready = 0..<1
            return
        }
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        let count = try source.read(chunk: &chunk)
        isAtEnd = count == 0
        input += chunk[0..<count].map { CChar(bitPattern: $0) }
    }

    private static let invalid = CChar(bitPattern: 0xFF)

    /// Converts the bytes in `input`. Returns false if more bytes are needed.
    private func convert() -> Bool {
        guard !input.isEmpty else { return isAtEnd }
        var (left, room) = (input.count, output.count - 1)
        let result = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var (from, into) = (input.baseAddress, output.baseAddress)
                return iconv(converter, &from, &left, &into, &room)
            }
        }
        let isInvalid = result == Int(bitPattern: UInt.max) && errno == EILSEQ
        var produced = output.count - 1 - room
        var done = input.count - left
        if isInvalid {
            output[produced] = TranscodedSource.invalid
            produced += 1
            done = min(done + unit, input.count)
        }
        input.removeFirst(done)
        ready = 0..<produced
        return produced > 0
    }
}

/// A source whose first bytes were read to examine them. The bytes are delivered again.
final class PeekedSource: ByteSource {
    /// The first bytes.
    let start: [UInt8]
    var name: String { source.name }
    var consumed: Int64 { source.consumed }
    var total: Int64? { source.total }

    private let source: any ByteSource
    private var delivered = 0

    init(_ source: any ByteSource, count: Int) throws(InputError) {
        self.source = source
        start = try source.readPrefix(count)
    }

    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(InputError) -> Int {
        guard delivered < start.count else { return try source.read(into: buffer) }
        let count = min(buffer.count, start.count - delivered)
        _ = buffer.update(fromContentsOf: start[delivered..<delivered + count])
        delivered += count
        return count
    }
}
