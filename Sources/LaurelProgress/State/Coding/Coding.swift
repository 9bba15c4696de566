// SPDX-License-Identifier: Apache-2.0

import LaurelSystem

/// Writes the bytes of a state. Equal states give equal bytes, because parts without an order are sorted first.
///
/// The writer owns plain memory. States are written byte by byte, and an array would check at each byte whether its
/// memory is shared.
struct StateWriter: ~Copyable {
    enum Purpose {
        /// All values that the fold needs to continue.
        case snapshot
        /// The content of fingerprints, which is the same in all versions of Laurel.
        case fingerprint
    }

    let purpose: Purpose
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var count = 0

    init(_ purpose: Purpose) {
        self.purpose = purpose
        capacity = 4096
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    /// Removes all bytes, but does not free the memory.
    mutating func removeAll() { count = 0 }

    var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: start, count: count))
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(2 * capacity, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }

    @inline(__always)
    mutating func write(_ value: UInt64) {
        reserve(10)
        var value = value
        while value >= 0x80 {
            start[count] = UInt8(truncatingIfNeeded: value) | 0x80
            count += 1
            value >>= 7
        }
        start[count] = UInt8(truncatingIfNeeded: value)
        count += 1
    }

    @inline(__always)
    mutating func write(_ value: Int) { write(Int64(value)) }

    @inline(__always)
    mutating func write(_ value: Int64) { write(UInt64(bitPattern: value << 1 ^ value >> 63)) }

    @inline(__always)
    mutating func write(_ value: Bool) { write(value ? 1 : 0 as UInt64) }

    @inline(__always)
    mutating func write(_ value: Double) {
        // Most numbers are zero.
        if value.bitPattern == 0 { write(0 as UInt64) } else { write(nonzero: value) }
    }

    /// Writes several numbers, in the same encoding as single numbers.
    mutating func write(_ values: UnsafeBufferPointer<Double>) {
        guard let first = values.baseAddress else { return }
        reserve(10 * values.count)
        var index = 0
        while index < values.count {
            let value = first + index
            if index &+ 4 <= values.count, StateWriter.areZero(value) {
                UnsafeMutableRawPointer(start + count).storeBytes(of: 0, as: UInt32.self)
                (count, index) = (count &+ 4, index &+ 4)
                continue
            }
            write(value.pointee)
            index &+= 1
        }
    }

    /// True if four numbers are zero.
    @inline(__always)
    private static func areZero(_ four: UnsafePointer<Double>) -> Bool {
        four[0].bitPattern | four[1].bitPattern | four[2].bitPattern | four[3].bitPattern == 0
    }

    /// Writes the number zero a given number of times.
    @inline(__always)
    mutating func write(zeros: Int) {
        reserve(zeros)
        (start + count).update(repeating: 0, count: zeros)
        count &+= zeros
    }

    mutating func write(list values: UnsafeBufferPointer<Double>) {
        write(UInt64(values.count))
        write(values)
    }

    /// Writes each flag in the encoding of the number 1 or 0.
    mutating func write(flags: UnsafeBufferPointer<Bool>) {
        reserve(flags.count)
        let place = start + count
        for index in flags.indices { place[index] = flags[index] ? 4 : 0 }
        count += flags.count
    }

    private mutating func write(nonzero value: Double) {
        // Most numbers are small and whole. This encoding saves two thirds of their bytes and is exact.
        if value.magnitude < 0x1p53, value.bitPattern != (-0.0).bitPattern {
            let whole = Int64(value)
            if Double(whole) == value { return write(UInt64(bitPattern: whole << 1 ^ whole >> 63) << 1) }
        }
        write(1 as UInt64)
        append(value.bitPattern.littleEndian)
    }

    mutating func write(_ value: Float) { append(value.bitPattern.littleEndian) }

    private mutating func append(_ bits: some FixedWidthInteger) {
        withUnsafeBytes(of: bits) { append($0) }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        if let source = bytes.baseAddress { memcpy(start + count, source, bytes.count) }
        count += bytes.count
    }

    mutating func write(_ value: UnsafeBufferPointer<UInt8>) {
        write(UInt64(value.count))
        append(UnsafeRawBufferPointer(value))
    }

    mutating func write(_ value: [UInt8]) { value.withUnsafeBufferPointer { write($0) } }

    mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { write($0) }
    }

    @inline(__always)
    mutating func write<Value>(optional value: Value?, _ body: (inout StateWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    @inline(__always)
    mutating func write<Element>(list: some Collection<Element>, _ body: (inout StateWriter, Element) -> Void) {
        write(UInt64(list.count))
        for element in list { body(&self, element) }
    }
}

/// Reads the bytes that ``StateWriter`` wrote. Throws if the bytes are invalid. The caller can then rebuild the state,
/// because a snapshot is only a cache.
struct StateReader {
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func byte() throws(Malformed) -> UInt8 {
        guard index < bytes.count else { throw Malformed() }
        index += 1
        return bytes[index - 1]
    }

    mutating func unsigned() throws(Malformed) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            guard shift < 64 else { throw Malformed() }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    /// Reads an Int64 of any value, for numbers that the fold adds with overflow checks.
    mutating func anyInt64() throws(Malformed) -> Int64 {
        let value = try unsigned()
        return Int64(bitPattern: value >> 1) ^ -Int64(value & 1)
    }

    /// Reads a count, an instant, or the difference of two instants. Throws if the value is too close to the limits of
    /// Int64, because the fold could overflow when it adds to the value.
    mutating func int64() throws(Malformed) -> Int64 {
        let value = try anyInt64()
        guard value.magnitude <= 1 << 60 else { throw Malformed() }
        return value
    }

    mutating func int() throws(Malformed) -> Int { Int(try int64()) }

    mutating func bool() throws(Malformed) -> Bool { try byte() != 0 }

    mutating func double() throws(Malformed) -> Double {
        let first = try unsigned()
        if first & 1 == 0 {
            let zigzag = first >> 1
            return Double(Int64(bitPattern: zigzag >> 1) ^ -Int64(zigzag & 1))
        }
        var bits: UInt64 = 0
        for shift in 0..<8 { bits |= UInt64(try byte()) << (8 * UInt64(shift)) }
        return Double(bitPattern: bits)
    }

    mutating func float() throws(Malformed) -> Float {
        var bits: UInt32 = 0
        for shift in 0..<4 { bits |= UInt32(try byte()) << (8 * UInt32(shift)) }
        return Float(bitPattern: bits)
    }

    mutating func count() throws(Malformed) -> Int {
        let count = try unsigned()
        // Each element has at least one byte, so a larger count is invalid.
        guard count <= UInt64(bytes.count) else { throw Malformed() }
        return Int(count)
    }

    mutating func data() throws(Malformed) -> [UInt8] {
        let count = try count()
        guard index + count <= bytes.count else { throw Malformed() }
        index += count
        return Array(bytes[index - count..<index])
    }

    mutating func string() throws(Malformed) -> String { String(decoding: try data(), as: UTF8.self) }

    mutating func optional<Value>(
        _ body: (inout StateReader) throws(Malformed) -> Value
    ) throws(Malformed) -> Value? {
        try bool() ? try body(&self) : nil
    }

    mutating func list<Element>(
        _ body: (inout StateReader) throws(Malformed) -> Element
    ) throws(Malformed) -> [Element] {
        let count = try count()
        var list: [Element] = []
        for _ in 0..<count { list.append(try body(&self)) }
        return list
    }

    /// Fills a buffer from a written list. Throws if their lengths differ.
    mutating func list<Element>(
        into buffer: UnsafeMutableBufferPointer<Element>,
        _ body: (inout StateReader) throws(Malformed) -> Element
    ) throws(Malformed) {
        guard try count() == buffer.count else { throw Malformed() }
        for index in buffer.indices { buffer[index] = try body(&self) }
    }
}

/// A writer or reader of counts.
protocol CountCoder: ~Copyable {
    associatedtype Failure: Error

    /// False if the coder codes only the counts that all versions of Laurel have. This is so for fingerprints.
    var hasAdditions: Bool { get }
    mutating func code(_ count: inout Int) throws(Failure)
    mutating func code(_ instant: inout Int64) throws(Failure)
    /// Writes or reads an Int64 of any value.
    mutating func code(sum: inout Int64) throws(Failure)
}

extension StateWriter: CountCoder {
    var hasAdditions: Bool { purpose == .snapshot }
    mutating func code(_ count: inout Int) { write(count) }
    mutating func code(_ instant: inout Int64) { write(instant) }
    mutating func code(sum: inout Int64) { write(sum) }
}

extension StateReader: CountCoder {
    var hasAdditions: Bool { true }
    mutating func code(_ count: inout Int) throws(Malformed) { count = try int() }
    mutating func code(_ instant: inout Int64) throws(Malformed) { instant = try int64() }
    mutating func code(sum: inout Int64) throws(Malformed) { sum = try anyInt64() }
}
