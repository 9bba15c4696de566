import CSimdjson

/// A catalogue field in a form that is quick to check and to copy.
struct FieldRule: BitwiseCopyable {
    enum Check: UInt8 {
        case text, boolean, textList, instant, date, oneOf, integer, number, positive
    }

    let check: Check
    let isRequired: Bool
    /// Bounds, both inclusive.
    private let leastInteger, greatestInteger: Int64
    private let leastNumber, greatestNumber: Double

    init(_ field: Field) {
        var check: Check =
            switch field.type {
            case .number: .number
            case .text: .text
            case .boolean: .boolean
            case .textList: .textList
            case .instant: .instant
            case .date: .date
            }
        var integers = Int64.min...Int64.max
        var numbers = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        switch field.constraint {
        case .none: break
        case .integer(let range): (check, integers) = (.integer, range)
        case .number(let range): numbers = range
        case .positive: check = .positive
        case .oneOf: check = .oneOf
        }
        self.check = check
        self.isRequired = field.isRequired
        (leastInteger, greatestInteger) = (integers.lowerBound, integers.upperBound)
        (leastNumber, greatestNumber) = (numbers.lowerBound, numbers.upperBound)
    }

    /// Whether a value that is not null may stand here.
    /// - Parameter options: the texts to choose from, where there is a choice.
    @inline(__always)
    func allows(_ member: JSONMember, options: () -> [[UInt8]]) -> Bool {
        switch check {
        case .text: member.type == .string
        case .boolean: member.type == .yes || member.type == .no
        case .textList: member.type == .array && member.only_strings != 0
        case .instant: member.type == .string && (try? Timestamp(parsing: member.textBytes)) != nil
        case .date: member.type == .string && CivilDay(parsing: member.textBytes) != nil
        case .oneOf: member.type == .string && FieldRule.isOption(member.textBytes, options())
        case .integer: FieldRule.integer(member).map { leastInteger <= $0 && $0 <= greatestInteger } ?? false
        case .number: FieldRule.number(member).map { leastNumber <= $0 && $0 <= greatestNumber } ?? false
        case .positive: FieldRule.number(member).map { $0 > 0 } ?? false
        }
    }

    /// Minus zero, which no integer type holds, is a whole number, too.
    private static func integer(_ member: JSONMember) -> Int64? {
        switch member.type {
        case .integer: Int64(bitPattern: member.payload)
        case .double: Double(bitPattern: member.payload) == 0 ? 0 : nil
        default: nil
        }
    }

    private static func isOption(_ text: UnsafeBufferPointer<UInt8>, _ options: [[UInt8]]) -> Bool {
        for option in options where option.count == text.count {
            if option.withUnsafeBufferPointer({ $0.isEqual(to: text) }) { return true }
        }
        return false
    }

    /// The nearest double; nil where the value is no number, or none that a double comes near.
    static func number(_ member: JSONMember) -> Double? {
        switch member.type {
        case .integer: return Double(Int64(bitPattern: member.payload))
        case .double: return Double(bitPattern: member.payload)
        case .spelled: return EventValue.double(spelled: member.textBytes)
        default: return nil
        }
    }
}

extension EventValue {
    /// The double nearest to a number that is kept as spelled; nil where it is beyond all finite ones.
    package static func double(spelled text: some Collection<UInt8>) -> Double? {
        guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else { return nil }
        return number
    }
}

extension Field {
    /// What a value must be, for messages: "a number from 0 to 1".
    public var requirement: String {
        switch constraint {
        case .integer(let range) where range.upperBound == Field.largestInteger && range.lowerBound == 0:
            "a whole number, 0 or more"
        case .integer(let range) where range == -Field.largestInteger...Field.largestInteger: "a whole number"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range) where range.upperBound == Double.greatestFiniteMagnitude:
            "a number, \(range.lowerBound.plainSpelling) or more"
        case .number(let range): "a number from \(range.lowerBound.plainSpelling) to \(range.upperBound.plainSpelling)"
        case .positive: "a number greater than 0"
        case .oneOf(let names):
            names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + names.last!
        case .none:
            switch type {
            case .number: "a number"
            case .text: "text"
            case .boolean: "true or false"
            case .textList: "a list of text"
            case .instant: "an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"
            case .date: "a date that exists, as YYYY-MM-DD"
            }
        }
    }
}

extension Double {
    /// `1` rather than `1.0`.
    package var plainSpelling: String {
        let text = description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
