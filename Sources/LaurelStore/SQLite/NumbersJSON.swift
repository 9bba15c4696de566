package import LaurelProgress

/// `{"name": number, …}` in one line, in the order given; what `json_each` reads.
package enum NumbersJSON {
    package static func encode(_ numbers: [NamedNumber]) -> [UInt8] { encode(NamedNumbers(numbers)) }

    package static func encode(_ numbers: NamedNumbers) -> [UInt8] {
        let (names, values) = (numbers.names.quoted, numbers.values)
        // A number takes at most 24 bytes, beside its colon and comma.
        let most = names.reduce(2) { $0 + $1.count + 26 }
        return [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            var text = Text(start: buffer.baseAddress!)
            text.append(UInt8(ascii: "{"))
            for index in values.indices {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                text.append(names[index])
                text.append(UInt8(ascii: ":"))
                text.append(values[index])
            }
            text.append(UInt8(ascii: "}"))
            count = text.count
        }
    }

    /// Writes into memory that is large enough.
    private struct Text {
        let start: UnsafeMutablePointer<UInt8>
        private(set) var count = 0

        @inline(__always)
        mutating func append(_ byte: UInt8) {
            start[count] = byte
            count += 1
        }

        mutating func append(_ bytes: [UInt8]) {
            bytes.withUnsafeBufferPointer { (start + count).update(from: $0.baseAddress!, count: $0.count) }
            count += bytes.count
        }

        private mutating func append(text: String) {
            for byte in text.utf8 { append(byte) }
        }

        mutating func append(_ value: Double) {
            let isNegativeZero = value == 0 && value.sign == .minus
            if let whole = Int64(exactly: value), whole.magnitude < 1_000_000_000_000_000, !isNegativeZero {
                append(whole)
            } else if value.isNaN {
                append(text: "null")
            } else if value.isInfinite {
                // The way SQLite spells infinity in JSON.
                append(text: value < 0 ? "-9e999" : "9e999")
            } else {
                append(text: value.description)
            }
        }

        private mutating func append(_ value: Int64) {
            if value < 0 { append(UInt8(ascii: "-")) }
            var digits = 1
            var bound: UInt64 = 10
            while value.magnitude >= bound { (digits, bound) = (digits + 1, bound * 10) }
            var rest = value.magnitude
            for place in (count..<count + digits).reversed() {
                start[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            count += digits
        }
    }

    /// Reads what `encode` wrote.
    static func decode(_ text: [UInt8]) -> [NamedNumber] {
        var numbers: [NamedNumber] = []
        var index = 1
        while index < text.count, text[index] != UInt8(ascii: "}") {
            if text[index] == UInt8(ascii: ",") { index += 1 }
            let name = self.name(text, &index)
            index += 1
            let start = index
            while index < text.count, text[index] != UInt8(ascii: ","), text[index] != UInt8(ascii: "}") { index += 1 }
            let spelled = String(decoding: text[start..<index], as: UTF8.self)
            numbers.append(NamedNumber(name: name, value: Double(spelled) ?? .nan))
        }
        return numbers
    }

    private static func name(_ text: [UInt8], _ index: inout Int) -> String {
        var name: [UInt8] = []
        index += 1
        while index < text.count, text[index] != UInt8(ascii: "\"") {
            if text[index] != UInt8(ascii: "\\") {
                name.append(text[index])
                index += 1
            } else if index + 5 < text.count, text[index + 1] == UInt8(ascii: "u") {
                let digits = String(decoding: text[index + 2..<index + 6], as: UTF8.self)
                name.append(UInt8(truncatingIfNeeded: Int(digits, radix: 16) ?? 63))
                index += 6
            } else {
                if index + 1 < text.count { name.append(text[index + 1]) }
                index += 2
            }
        }
        index += 1
        return String(decoding: name, as: UTF8.self)
    }
}
