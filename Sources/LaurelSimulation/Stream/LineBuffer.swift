// SPDX-License-Identifier: Apache-2.0

/// An output buffer. Before each line, its owner must ensure that ``longestLine`` bytes are free.
struct LineBuffer: ~Copyable {
    private let base: UnsafeMutableRawPointer
    private let capacity: Int
    private(set) var count = 0

    /// The maximum length of a line in bytes.
    static let longestLine = 4096

    init(capacity: Int) {
        self.capacity = capacity
        base = .allocate(byteCount: capacity + Self.longestLine, alignment: 64)
    }

    deinit {
        base.deallocate()
    }

    var isFull: Bool { count >= capacity }

    mutating func empty(into emit: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        guard count > 0 else { return }
        try emit(UnsafeRawBufferPointer(start: base, count: count))
        count = 0
    }

    @inline(__always)
    mutating func put(_ text: StaticString) {
        (base + count).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        count &+= text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func put(byte: UInt8) {
        base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    @inline(__always)
    mutating func put(_ position: Int, of table: borrowing TextTable) {
        let text = table[position]
        (base + count).copyMemory(from: text.baseAddress.unsafelyUnwrapped, byteCount: text.count)
        count &+= text.count
    }

    mutating func put(number: UInt32) {
        var digits = 1
        var limit: UInt64 = 10
        while UInt64(number) >= limit {
            digits += 1
            limit *= 10
        }
        put(number: number, digits: digits)
    }

    /// Appends the last `digits` decimal digits of `number`, padded with zeros.
    @inline(__always)
    mutating func put(number: UInt32, digits: Int) {
        var rest = number
        var position = count &+ digits
        count = position
        for _ in 0..<digits {
            position &-= 1
            base.storeBytes(of: UInt8(truncatingIfNeeded: 48 &+ rest % 10), toByteOffset: position, as: UInt8.self)
            rest /= 10
        }
    }

    /// Appends a percentage, 0 … 100, as a number from 0 to 1 in its shortest spelling.
    mutating func put(percent: UInt8) {
        guard percent % 100 != 0 else { return put(number: UInt32(percent / 100)) }
        put("0.")
        if percent % 10 == 0 {
            put(number: UInt32(percent / 10), digits: 1)
        } else {
            put(number: UInt32(percent), digits: 2)
        }
    }

    /// Appends a UUID of version 4, built from 128 random bits.
    mutating func put(uuid high: UInt64, _ low: UInt64) {
        put(hex: high, from: 60, digits: 8)
        put(byte: UInt8(ascii: "-"))
        put(hex: high, from: 28, digits: 4)
        put("-4")
        put(hex: high, from: 8, digits: 3)
        put(byte: UInt8(ascii: "-"))
        put(hex: low & ~(3 << 62) | 2 << 62, from: 60, digits: 4)
        put(byte: UInt8(ascii: "-"))
        put(hex: low, from: 44, digits: 12)
    }

    private mutating func put(hex word: UInt64, from shift: Int, digits: Int) {
        for position in 0..<digits {
            let digit = UInt8(truncatingIfNeeded: (word >> UInt64(shift - 4 * position)) & 15)
            put(byte: digit < 10 ? 48 &+ digit : 87 &+ digit)
        }
    }
}

/// Texts that are written often, stored in one block of memory.
struct TextTable: ~Copyable {
    private let bytes: UnsafeMutableRawBufferPointer
    private let starts: UnsafeMutableBufferPointer<Int>

    init(_ texts: [String]) {
        bytes = .allocate(byteCount: max(1, texts.reduce(0) { $0 + $1.utf8.count }), alignment: 1)
        starts = .allocate(capacity: texts.count + 1)
        var end = 0
        starts.initializeElement(at: 0, to: 0)
        for (position, text) in texts.enumerated() {
            for byte in text.utf8 {
                bytes[end] = byte
                end += 1
            }
            starts.initializeElement(at: position + 1, to: end)
        }
    }

    deinit {
        bytes.deallocate()
        starts.deallocate()
    }

    @inline(__always)
    subscript(position: Int) -> UnsafeRawBufferPointer {
        precondition(position >= 0 && position + 1 < starts.count)
        return UnsafeRawBufferPointer(rebasing: bytes[starts[position]..<starts[position + 1]])
    }
}
