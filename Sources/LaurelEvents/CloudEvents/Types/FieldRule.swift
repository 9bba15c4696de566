// SPDX-License-Identifier: Apache-2.0

import CEventJSON

/// A catalogue field, in a form that is quick to check and to copy.
struct FieldRule: BitwiseCopyable {
    enum Check: UInt8 {
        case text, boolean, textList, numberList, instant, date, oneOf, integer, number, positive
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
            case .numberList: .numberList
            case .instant: .instant
            case .date: .date
            }
        var integers = Int64.min...Int64.max
        var numbers = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        switch field.constraint {
        case .none, .numbers: break
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

    @inline(__always)
    func allows(integer: Int64) -> Bool {
        switch check {
        case .integer: leastInteger <= integer && integer <= greatestInteger
        case .number: leastNumber <= Double(integer) && Double(integer) <= greatestNumber
        case .positive: integer > 0
        default: false
        }
    }

    /// Checks a number that is not an Int64. Minus zero counts as a whole number, although no integer type has it.
    /// - Parameter isSpelled: true if `number` is only the nearest double to the written number.
    func allows(_ number: Double, isSpelled: Bool) -> Bool {
        switch check {
        case .integer: !isSpelled && number == 0 && leastInteger <= 0 && 0 <= greatestInteger
        case .number: leastNumber <= number && number <= greatestNumber
        case .positive: number > 0
        default: false
        }
    }

    /// True if a text is allowed. For a field with a choice of texts, ``TypeShape/allows(_:byRule:)`` decides.
    func allows(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch check {
        case .text: true
        case .instant: (try? Timestamp(parsing: text)) != nil
        case .date: LocalDay(parsing: text) != nil
        default: false
        }
    }

    /// Checks a value that is neither null nor a text.
    func allows(_ value: RawValue, of field: @autoclosure () -> Field) -> Bool {
        switch value.kind {
        case .null, .string, .object: false
        case .no, .yes: check == .boolean
        case .integer: allows(integer: Int64(bitPattern: value.payload))
        case .double: allows(Double(bitPattern: value.payload), isSpelled: false)
        case .spelled: EventValue.double(spelled: value.text).map { allows($0, isSpelled: true) } ?? false
        case .array:
            check == .textList && value.isTextList
                || check == .numberList && field().problem(ofNumbers: value.text) == nil
        }
    }

    /// The nearest double; nil if the value is not a number or is too large for a double.
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
    /// The double nearest to a number kept as spelled; nil if the number is too large for a double.
    package static func double(spelled text: some Collection<UInt8>) -> Double? {
        guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else { return nil }
        return number
    }
}

extension Field {
    /// Returns the error in an array that must be a list of numbers, for messages; nil if there is none.
    @inline(never)
    func problem(ofNumbers json: some Collection<UInt8>) -> String? {
        guard case .array(let elements)? = JSONTree(validated: json) else { return "is no list" }
        let numbers = elements.compactMap(\.number)
        return numbers.count < elements.count ? "has what is no number" : problem(ofList: numbers)
    }
}

extension JSONTree {
    /// The nearest double; nil if the value is not a number or is too large for a double.
    fileprivate var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .spelled(let text): EventValue.double(spelled: text)
        default: nil
        }
    }
}
