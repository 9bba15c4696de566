/// Writes a state's bytes. Equal states give equal bytes: whatever has no order of its own is written sorted.
struct StateWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: UInt64) {
        var value = value
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
    }

    mutating func write(_ value: Int) { write(Int64(value)) }

    mutating func write(_ value: Int64) { write(UInt64(bitPattern: value << 1 ^ value >> 63)) }

    mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func write(_ value: Double) {
        // Numbers are mostly small whole ones: two thirds of the bytes saved, no bit lost.
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53, !(value == 0 && value.sign == .minus) {
            write(UInt64(bitPattern: whole << 1 ^ whole >> 63) << 1)
        } else {
            bytes.append(1)
            withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    mutating func write(_ value: Float) {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ value: some Collection<UInt8>) {
        write(UInt64(value.count))
        bytes.append(contentsOf: value)
    }

    mutating func write(_ value: String) { write(Array(value.utf8)) }

    mutating func write<Value>(optional value: Value?, _ body: (inout StateWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    mutating func write<Element>(list: some Collection<Element>, _ body: (inout StateWriter, Element) -> Void) {
        write(UInt64(list.count))
        for element in list { body(&self, element) }
    }
}

/// Reads what ``StateWriter`` wrote. Bytes that are not such throw; a snapshot is a cache and can be built again.
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

    mutating func int64() throws(Malformed) -> Int64 {
        let value = try unsigned()
        return Int64(bitPattern: value >> 1) ^ -Int64(value & 1)
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
        // Every element takes at least a byte, so a larger count is not one.
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
}
