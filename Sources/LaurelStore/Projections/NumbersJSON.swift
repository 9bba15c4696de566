// SPDX-License-Identifier: Apache-2.0

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

    /// Reads what `encode` wrote; nil where the text is nothing of the kind.
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
        // Infinity, and what 64 bits cannot hold to the last digit.
        case .spelled(let spelling): Double(String(decoding: spelling, as: UTF8.self))
        case .no, .yes, .string, .array, .object: nil
        }
    }
}
