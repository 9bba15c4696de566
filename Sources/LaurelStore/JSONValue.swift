/// A number by its decimal value: 1, 1.0 and 10e-1 are equal, whatever their size and precision.
struct DecimalNumber: Hashable {
    private var isNegative = false
    /// Without zeros at either end; empty for zero.
    private var digits: [UInt8] = []
    /// Of ten, for the last digit.
    private var exponent = 0

    /// - Parameter text: a JSON number.
    init(spelled text: some Sequence<UInt8>) {
        var point: Int?
        var exponentDigits: [UInt8]?
        for byte in text {
            switch byte {
            case UInt8(ascii: "e"), UInt8(ascii: "E"): exponentDigits = []
            case UInt8(ascii: "."): point = digits.count
            case UInt8(ascii: "-") where exponentDigits == nil: isNegative = true
            case UInt8(ascii: "+") where exponentDigits == nil: break
            default:
                if exponentDigits == nil { digits.append(byte) } else { exponentDigits?.append(byte) }
            }
        }
        let written = Int(String(decoding: exponentDigits ?? [UInt8(ascii: "0")], as: UTF8.self))
        // Beyond what an Int holds only the direction matters; no two such numbers are told apart.
        exponent = written ?? (exponentDigits?.first == UInt8(ascii: "-") ? Int.min / 2 : Int.max / 2)
        if let point { exponent -= digits.count - point }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        digits.removeFirst(digits.prefix { $0 == UInt8(ascii: "0") }.count)
        if digits.isEmpty { (isNegative, exponent) = (false, 0) }
    }
}

/// Minified JSON, for comparing only. Nesting is bounded by the parser that let it in; deeper than ``depthLimit`` the
/// text itself is compared.
enum JSONValue: Equatable {
    case null
    case boolean(Bool)
    case number(DecimalNumber)
    case text([UInt8])
    case array([JSONValue])
    case object([[UInt8]: JSONValue])
    /// Not JSON, or nested too deeply.
    case opaque([UInt8])

    static let depthLimit = 256

    init(parsing text: ArraySlice<UInt8>) {
        var parser = JSONParser(Array(text))
        if let value = parser.value(depth: 0), parser.isAtEnd {
            self = value
        } else {
            self = .opaque(Array(text))
        }
    }

    /// An object's members whose value is not null; none for anything else but text that is not JSON.
    var membersWithoutNulls: [[UInt8]: JSONValue] {
        switch self {
        case .object(let members): members.filter { $0.value != .null }
        case .opaque(let text): text.isEmpty ? [:] : [[]: self]
        default: [:]
        }
    }
}

/// A small parser over trusted, minified JSON.
private struct JSONParser {
    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) { self.text = text }

    var isAtEnd: Bool { position == text.count }

    mutating func value(depth: Int) -> JSONValue? {
        guard depth < JSONValue.depthLimit, position < text.count else { return nil }
        switch text[position] {
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map(JSONValue.text)
        case UInt8(ascii: "t"): return take("true") ? .boolean(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .boolean(false) : nil
        case UInt8(ascii: "n"): return take("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func skipSpace() {
        while position < text.count, text[position] == 32 || (9...13).contains(text[position]) { position += 1 }
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let found = word.withUTF8Buffer { word in text[position...].starts(with: word) }
        if found { position += word.utf8CodeUnitCount }
        return found
    }

    private mutating func number() -> JSONValue? {
        let start = position
        while position < text.count, "+-.eE0123456789".utf8.contains(text[position]) { position += 1 }
        return position == start ? nil : .number(DecimalNumber(spelled: text[start..<position]))
    }

    private mutating func object(depth: Int) -> JSONValue? {
        var members: [[UInt8]: JSONValue] = [:]
        position += 1
        skipSpace()
        if take("}") { return .object(members) }
        while true {
            skipSpace()
            guard position < text.count, text[position] == UInt8(ascii: "\""), let key = string() else { return nil }
            skipSpace()
            guard take(":") else { return nil }
            skipSpace()
            guard let value = value(depth: depth + 1) else { return nil }
            members[key] = value
            skipSpace()
            if take("}") { return .object(members) }
            guard take(",") else { return nil }
        }
    }

    private mutating func array(depth: Int) -> JSONValue? {
        var elements: [JSONValue] = []
        position += 1
        skipSpace()
        if take("]") { return .array(elements) }
        while true {
            skipSpace()
            guard let value = value(depth: depth + 1) else { return nil }
            elements.append(value)
            skipSpace()
            if take("]") { return .array(elements) }
            guard take(",") else { return nil }
        }
    }

    /// The text between quotes, its escapes resolved. Lone surrogates stay as they are spelled.
    private mutating func string() -> [UInt8]? {
        var result: [UInt8] = []
        position += 1
        while position < text.count {
            let byte = text[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return result }
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            guard position < text.count else { return nil }
            let escape = text[position]
            position += 1
            switch escape {
            case UInt8(ascii: "b"): result.append(8)
            case UInt8(ascii: "f"): result.append(12)
            case UInt8(ascii: "n"): result.append(10)
            case UInt8(ascii: "r"): result.append(13)
            case UInt8(ascii: "t"): result.append(9)
            case UInt8(ascii: "u"): appendUnicode(to: &result)
            default: result.append(escape)
            }
        }
        return nil
    }

    private mutating func appendUnicode(to result: inout [UInt8]) {
        let start = position
        guard let first = codeUnit() else { return }
        var scalar = Unicode.Scalar(UInt32(first))
        if first & 0xFC00 == 0xD800, text[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            position += 2
            if let second = codeUnit(), second & 0xFC00 == 0xDC00 {
                scalar = Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10) + UInt32(second & 0x3FF))
            } else {
                position = start + 4
            }
        }
        if let scalar {
            result.append(contentsOf: String(Character(scalar)).utf8)
        } else {
            result.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "u")])
            result.append(contentsOf: text[start..<start + 4])
        }
    }

    private mutating func codeUnit() -> UInt16? {
        guard position + 4 <= text.count else { return nil }
        defer { position += 4 }
        return UInt16(String(decoding: text[position..<position + 4], as: UTF8.self), radix: 16)
    }
}
