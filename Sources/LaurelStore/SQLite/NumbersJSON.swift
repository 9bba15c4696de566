internal import LaurelEvents
package import LaurelProgress

/// `{"name": number, …}` in one line, in the order given; what `json_each` reads.
package enum NumbersJSON {
    package static func encode(_ numbers: [NamedNumber]) -> [UInt8] {
        var text: [UInt8] = []
        append(numbers, to: &text)
        return text
    }

    package static func encode(_ numbers: NamedNumbers) -> [UInt8] {
        var text: [UInt8] = []
        append(numbers, to: &text)
        return text
    }

    static func append(_ numbers: [NamedNumber], to text: inout [UInt8]) {
        append(members: numbers.count, to: &text) { index, text in
            NumberNames.write(numbers[index].name, to: &text)
            return numbers[index].value
        }
    }

    static func append(_ numbers: NamedNumbers, to text: inout [UInt8]) {
        let (names, values) = (numbers.names.quoted, numbers.values)
        append(members: values.count, to: &text) { index, text in
            text.append(contentsOf: names[index])
            return values[index]
        }
    }

    /// - Parameter writeName: gives the member's value.
    @inline(__always)
    private static func append(
        members: Int,
        to text: inout [UInt8],
        _ writeName: (Int, inout [UInt8]) -> Double
    ) {
        text.append(UInt8(ascii: "{"))
        for index in 0..<members {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            let value = writeName(index, &text)
            text.append(UInt8(ascii: ":"))
            write(value, to: &text)
        }
        text.append(UInt8(ascii: "}"))
    }

    private static func write(_ value: Double, to text: inout [UInt8]) {
        let isNegativeZero = value == 0 && value.sign == .minus
        if let whole = Int64(exactly: value), whole.magnitude < 1_000_000_000_000_000, !isNegativeZero {
            JSONWriter.write(integer: whole, to: &text)
        } else if value.isNaN {
            JSONWriter.write("null", to: &text)
        } else if value.isInfinite {
            // The way SQLite spells infinity in JSON.
            JSONWriter.write(value < 0 ? "-9e999" : "9e999", to: &text)
        } else {
            JSONWriter.write(double: value, to: &text)
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
