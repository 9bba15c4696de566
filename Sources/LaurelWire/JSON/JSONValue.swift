// SPDX-License-Identifier: Apache-2.0

/// A JSON value. Numbers are exact: a whole number that fits into 64 bits is an integer. Another number is a double
/// if the double's shortest spelling gives the same number. All other numbers are kept as written.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// A finite number.
    case double(Double)
    /// A number that neither an integer nor a double represents exactly, in JSON's spelling.
    case number(String)
    /// Text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by name.
    case object([String: JSONValue])
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

extension JSONValue {
    /// The value as JSON on one line, keys in bytewise order.
    public var json: String {
        var output: [UInt8] = []
        write(to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends the value as JSON. A number that is not finite becomes null, because JSON has no such numbers.
    package func write(to output: inout [UInt8]) {
        switch self {
        case .null: JSONWriter.write("null", to: &output)
        case .boolean(let value): JSONWriter.write(value ? "true" : "false", to: &output)
        case .integer(let value): JSONWriter.write(integer: value, to: &output)
        case .double(let value) where value.isFinite: JSONWriter.write(double: value, to: &output)
        case .double: JSONWriter.write("null", to: &output)
        case .number(let spelling): output.append(contentsOf: spelling.utf8)
        case .string(let text): JSONWriter.write(string: text.utf8, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, key) in members.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }).enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                JSONWriter.write(string: key.utf8, to: &output)
                output.append(UInt8(ascii: ":"))
                members[key]!.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }
}
