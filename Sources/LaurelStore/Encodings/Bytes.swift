// SPDX-License-Identifier: Apache-2.0

/// The error for stored bytes that this program never writes. The cause is damage or an unknown version.
struct Corruption: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension [UInt8] {
    /// Appends a number in LEB128: seven bits per byte, the lowest first. The high bit is set on all bytes except the
    /// last.
    package mutating func append(varint value: UInt64) {
        var value = value
        while value >= 128 {
            append(UInt8(truncatingIfNeeded: value) | 128)
            value >>= 7
        }
        append(UInt8(value))
    }

    package mutating func append(varint value: Int) { append(varint: UInt64(value)) }

    package mutating func append(zigzag value: Int64) { append(varint: SignedNumbers.zigzag(value)) }

    /// Appends the length of a text, then the text.
    mutating func append(text: some Collection<UInt8>) {
        append(varint: text.count)
        append(contentsOf: text)
    }

    mutating func append(word value: UInt64) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}

/// Maps small signed numbers to small unsigned ones: 0, −1, 1, −2 … become 0, 1, 2, 3 …
enum SignedNumbers {
    @inline(__always)
    static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: (value << 1) ^ (value >> 63)) }

    @inline(__always)
    static func unzigzag(_ value: UInt64) -> Int64 {
        Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}

/// Reads bytes from front to back. Every read is checked against the end of the bytes.
struct ByteReader {
    let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var remaining: Int { bytes.count - position }
    var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

    mutating func byte() throws(Corruption) -> UInt8 {
        guard position < bytes.count else { throw Corruption("it ends too early") }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func varint() throws(Corruption) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            guard shift < 63 || byte < 2 else { throw Corruption("a number has too many digits") }
            value |= UInt64(byte & 127) << shift
            if byte < 128 { return value }
            shift += 7
        }
    }

    mutating func zigzag() throws(Corruption) -> Int64 { SignedNumbers.unzigzag(try varint()) }

    /// Reads a count. Rejects a count above `limit`, so that damage never causes a huge allocation.
    mutating func count(limit: Int) throws(Corruption) -> Int {
        let value = try varint()
        guard limit >= 0, value <= UInt64(limit) else { throw Corruption("a count of \(value) is beyond \(limit)") }
        return Int(value)
    }

    mutating func take(_ count: Int) throws(Corruption) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= remaining else { throw Corruption("it ends too early") }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    mutating func text() throws(Corruption) -> UnsafeBufferPointer<UInt8> {
        try take(try count(limit: bytes.count)).assumingMemoryBound(to: UInt8.self)
    }

    mutating func word() throws(Corruption) -> UInt64 {
        UInt64(littleEndian: try take(8).loadUnaligned(as: UInt64.self))
    }
}
