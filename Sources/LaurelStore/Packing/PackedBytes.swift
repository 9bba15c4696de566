// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Writes numbers one after another. The memory grows as needed.
struct PackedWriter: ~Copyable {
    private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    private(set) var count = 0

    deinit { bytes.deallocate() }

    /// All bytes written so far.
    var written: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[..<count]) }

    /// Reserves space for this many bytes. The next writes must not exceed it.
    mutating func reserve(_ more: Int) {
        guard count + more > bytes.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(bytes.count * 2, count + more),
            alignment: 16
        )
        larger.copyMemory(from: written)
        bytes.deallocate()
        bytes = larger
    }

    static let longestVarint = 10

    @inline(__always)
    mutating func append(varint value: UInt64) {
        var value = value
        while value >= 128 {
            append(byte: UInt8(truncatingIfNeeded: value) | 128)
            value >>= 7
        }
        append(byte: UInt8(truncatingIfNeeded: value))
    }

    @inline(__always)
    mutating func append(byte: UInt8) {
        bytes.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    @inline(__always)
    mutating func append(word value: UInt64) {
        bytes.storeBytes(of: value, toByteOffset: count, as: UInt64.self)
        count &+= 8
    }

    mutating func append(contentsOf text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        (bytes.baseAddress! + count).copyMemory(from: start, byteCount: text.count)
        count += text.count
    }
}

/// Reads the output of ``PackedWriter`` in the same process. Nothing is checked, because the bytes were never outside
/// this process.
struct PackedCursor: BitwiseCopyable {
    /// The address of the next byte to read.
    private(set) var pointer: UnsafeRawPointer

    @inline(__always)
    init(_ pointer: UnsafeRawPointer) { self.pointer = pointer }

    @inline(__always)
    mutating func byte() -> UInt8 {
        defer { pointer += 1 }
        return pointer.load(as: UInt8.self)
    }

    @inline(__always)
    mutating func varint() -> UInt64 {
        let first = byte()
        if first < 128 { return UInt64(first) }
        var value = UInt64(first & 127)
        var shift: UInt64 = 7
        while true {
            let next = byte()
            value |= UInt64(next & 127) << shift
            if next < 128 { return value }
            shift += 7
        }
    }

    @inline(__always)
    mutating func index() -> UInt32 { UInt32(truncatingIfNeeded: varint()) }

    @inline(__always)
    mutating func word() -> UInt64 {
        defer { pointer += 8 }
        return pointer.loadUnaligned(as: UInt64.self)
    }

    mutating func text(count: Int) -> UnsafeBufferPointer<UInt8> {
        defer { pointer += count }
        return UnsafeBufferPointer(start: pointer.assumingMemoryBound(to: UInt8.self), count: count)
    }

    /// Reads the payload of a value, and returns its kind and the payload in the form of ``EventValue``.
    @inline(__always)
    mutating func value(_ kind: PackingDictionary.Kind) -> (kind: EventValue.Kind, payload: UInt64) {
        switch kind {
        case .null: (.null, 0)
        case .boolean: (byte() == 0 ? .no : .yes, 0)
        case .integer: (.integer, UInt64(bitPattern: SignedNumbers.unzigzag(varint())))
        case .double: (.double, word())
        case .text: (.text, varint())
        case .json: (.json, varint())
        case .spelled: (.spelled, varint())
        }
    }
}
