// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// Writes and reads named numbers as JSON: `{"name": number, …}` in one line, in the given order. SQLite's `json_each`
/// can read this text.
enum NumbersJSON {
    static func append(_ numbers: [NamedNumber], to text: inout [UInt8]) {
        let most = numbers.reduce(2) { $0 + PreallocatedText.longest($1.name) + PreallocatedText.longestNumber + 2 }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: most) { bytes in
            var object = PreallocatedText(bytes)
            object.append(UInt8(ascii: "{"))
            for position in numbers.indices {
                if position > 0 { object.append(UInt8(ascii: ",")) }
                object.append(name: numbers[position].name)
                object.append(UInt8(ascii: ":"))
                append(numbers[position].value, to: &object)
            }
            object.append(UInt8(ascii: "}"))
            text.append(contentsOf: object.written)
        }
    }

    /// Appends numbers as JSON. Every learner's row contains such a text of about fifty numbers, most of them whole. So
    /// the text is written directly into memory.
    static func append(_ numbers: NamedNumbers, to text: inout [UInt8]) {
        guard !numbers.isEmpty else { return text += [UInt8(ascii: "{"), UInt8(ascii: "}")] }
        let names = numbers.names
        let most = names.members.count + numbers.count * PreallocatedText.longestNumber + 1
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: most) { bytes in
            var object = PreallocatedText(bytes)
            names.members.withUnsafeBufferPointer { members in
                var start = 0
                for (end, value) in zip(names.ends, numbers.values) {
                    object.append(UnsafeBufferPointer(rebasing: members[start..<end]))
                    start = end
                    append(value, to: &object)
                }
            }
            object.append(UInt8(ascii: "}"))
            text.append(contentsOf: object.written)
        }
    }

    private static func append(_ value: Double, to object: inout PreallocatedText) {
        if let whole = whole(value) { return object.append(whole) }
        var text: [UInt8] = []
        write(value, to: &text)
        text.withUnsafeBufferPointer { object.append($0) }
    }

    /// A number that is written without fraction and exponent; nil for other numbers.
    @inline(__always)
    private static func whole(_ value: Double) -> Int64? {
        guard value.magnitude < 1_000_000_000_000_000 else { return nil }
        let whole = Int64(value)
        return Double(whole).bitPattern == value.bitPattern ? whole : nil
    }

    private static func write(_ value: Double, to text: inout [UInt8]) {
        if value.isNaN {
            JSONWriter.write("null", to: &text)
        } else if value.isInfinite {
            // SQLite's spelling of infinity in JSON.
            JSONWriter.write(value < 0 ? "-9e999" : "9e999", to: &text)
        } else {
            JSONWriter.write(double: value, to: &text)
        }
    }

    /// Reads the output of `append`; nil for any other text.
    static func decode(_ text: [UInt8]) -> [NamedNumber]? {
        guard case .object(let members)? = JSONTree(validated: text) else { return nil }
        var numbers: [NamedNumber] = []
        for (name, value) in members {
            guard let number = number(value) else { return nil }
            numbers.append(NamedNumber(name: String(decoding: name, as: UTF8.self), value: number))
        }
        return numbers
    }

    private static func number(_ value: JSONTree) -> Double? {
        switch value {
        case .null: .nan
        case .integer(let number): Double(number)
        case .double(let number): number
        // Infinity, and numbers that 64 bits cannot hold exactly.
        case .spelled(let spelling): Double(String(decoding: spelling, as: UTF8.self))
        case .no, .yes, .string, .array, .object: nil
        }
    }
}

/// Text in memory that is known to be large enough.
private struct PreallocatedText {
    /// The maximum length in bytes of a Double in its shortest spelling, and of a whole number.
    static let longestNumber = 25

    private let bytes: UnsafeMutablePointer<UInt8>
    private var count = 0

    init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes.baseAddress! }

    var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: bytes, count: count) }

    mutating func append(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        (bytes + count).update(from: start, count: text.count)
        count += text.count
    }

    /// Appends a name, spelled as by ``NumberNames/write(_:to:)``.
    mutating func append(name: String) {
        var name = name
        append(UInt8(ascii: "\""))
        let isPlain = name.withUTF8 { name in
            append(name)
            return NumberNames.isPlain(name)
        }
        if isPlain { return append(UInt8(ascii: "\"")) }
        count -= name.utf8.count + 1
        var text: [UInt8] = []
        NumberNames.write(name, to: &text)
        text.withUnsafeBufferPointer { append($0) }
    }

    /// The length of a name in bytes if each byte is escaped.
    static func longest(_ name: String) -> Int { name.utf8.count * 6 + 2 }

    /// Appends a number in decimal digits.
    /// - Parameter whole: a number of at most 18 digits.
    mutating func append(_ whole: Int64) {
        if whole < 0 { append(UInt8(ascii: "-")) }
        var rest = whole.magnitude
        var (digits, bound) = (1, UInt64(10))
        while rest >= bound { (digits, bound) = (digits + 1, bound * 10) }
        for position in stride(from: count + digits - 1, through: count, by: -1) {
            bytes[position] = UInt8(48 + rest % 10)
            rest /= 10
        }
        count += digits
    }
}
