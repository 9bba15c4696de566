// SPDX-License-Identifier: Apache-2.0

/// A JSON value as written, with its members in order. Texts are bytes, because Swift strings treat different
/// spellings of an accented letter as equal.
package enum JSONTree {
    case null, no, yes
    case integer(Int64), double(Double), spelled([UInt8])
    case string([UInt8])
    case array([JSONTree])
    case object([(key: [UInt8], value: JSONTree)])

    /// Reads validated JSON, such as ``EventValue/Kind/json`` texts. Returns nil for any other text.
    package init?(validated text: some Collection<UInt8>) {
        var reader = JSONReader(text: Array(text))
        guard let value = reader.value(depth: 0), reader.atEnd() else { return nil }
        self = value
    }
}

extension JSONValue {
    /// Reads validated JSON, such as ``EventValue/Kind/json`` texts. Returns nil for any other text.
    package init?(validated text: some Collection<UInt8>) {
        guard let tree = JSONTree(validated: text) else { return nil }
        self.init(tree)
    }

    private init(_ tree: JSONTree) {
        switch tree {
        case .null: self = .null
        case .no: self = .boolean(false)
        case .yes: self = .boolean(true)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .spelled(let spelling): self = .number(String(decoding: spelling, as: UTF8.self))
        case .string(let text): self = .string(String(decoding: text, as: UTF8.self))
        case .array(let elements): self = .array(elements.map(JSONValue.init))
        case .object(let members):
            let pairs = members.map { (String(decoding: $0.key, as: UTF8.self), JSONValue($0.value)) }
            self = .object(Dictionary(pairs) { _, last in last })
        }
    }
}

extension JSONTree {
    /// A member of an object. Setting it adds or replaces the member.
    package subscript(name: String) -> JSONTree? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.first { $0.key.elementsEqual(name.utf8) }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            members.removeAll { $0.key.elementsEqual(name.utf8) }
            if let newValue { members.append((Array(name.utf8), newValue)) }
            self = .object(members)
        }
    }

    /// JSON that is identical for equal values: keys in bytewise order, numbers in one spelling.
    package var canonical: [UInt8] {
        var output: [UInt8] = []
        sorted.write(to: &output)
        return output
    }

    /// The same value with keys in bytewise order and numbers in one spelling.
    private var sorted: JSONTree {
        switch self {
        case .double(let value) where value == 0: .integer(0)
        case .spelled(let spelling): .spelled(JSONTree.normalized(spelling))
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(
                members.map { ($0.key, $0.value.sorted) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
            )
        default: self
        }
    }

    package var isNumber: Bool {
        switch self {
        case .integer, .double, .spelled: true
        default: false
        }
    }

    /// The value as JSON on one line.
    package var json: String {
        var output: [UInt8] = []
        write(to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    package func write(to output: inout [UInt8]) {
        switch self {
        case .null: JSONWriter.write("null", to: &output)
        case .no: JSONWriter.write("false", to: &output)
        case .yes: JSONWriter.write("true", to: &output)
        case .integer(let value): JSONWriter.write(integer: value, to: &output)
        case .double(let value): JSONWriter.write(double: value, to: &output)
        case .spelled(let spelling): output.append(contentsOf: spelling)
        case .string(let text): JSONWriter.write(string: text, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                JSONWriter.write(string: member.key, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// A number in one spelling: the significant digits without leading and trailing zeros, then `e`, then the power of
    /// ten of the last digit.
    private static func normalized(_ spelling: [UInt8]) -> [UInt8] {
        let text = String(decoding: spelling, as: UTF8.self).lowercased()
        let parts = text.split(separator: "e", maxSplits: 1)
        // For a larger exponent, the arithmetic below could overflow. Such a number is compared as it is spelled.
        guard let mantissa = parts.first, let exponent = parts.count == 2 ? Int(parts[1]) : 0,
            exponent.magnitude < 1 << 60
        else { return spelling }
        let halves = mantissa.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        var digits = Substring(halves.joined()).drop { $0 == "0" }
        var power = exponent - (halves.count == 2 ? halves[1].utf8.count : 0)
        while digits.last == "0" {
            digits.removeLast()
            power += 1
        }
        return Array("\(mantissa.hasPrefix("-") ? "-" : "")\(digits)e\(power)".utf8)
    }
}
