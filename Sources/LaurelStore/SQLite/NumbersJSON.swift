package import LaurelProgress

/// `{"name": number, …}` in one line, in the order given; what `json_each` reads.
package enum NumbersJSON {
    package static func encode(_ numbers: [NamedNumber]) -> [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "{")]
        for (index, number) in numbers.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            append(name: number.name, to: &text)
            text.append(UInt8(ascii: ":"))
            text.append(contentsOf: spell(number.value).utf8)
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    private static func spell(_ value: Double) -> String {
        if value.isNaN { return "null" }
        // The way SQLite spells infinity in JSON.
        if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
        if value == value.rounded(), value.magnitude < 1e15, value != 0 || value.sign == .plus {
            return String(Int64(value))
        }
        return value.description
    }

    private static func append(name: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                text.append(UInt8(ascii: "\\"))
                text.append(byte)
            case 0..<32:
                text.append(contentsOf: "\\u00".utf8)
                let digits = Array("0123456789abcdef".utf8)
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 15)])
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
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
