// SPDX-License-Identifier: Apache-2.0

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
    func allows(_ member: JSONMember, options: @autoclosure () -> [[UInt8]]) -> Bool {
        switch check {
        case .text: member.type == .string
        case .boolean: member.type == .yes || member.type == .no
        case .textList: member.type == .array && member.only_strings != 0
        case .instant: member.type == .string && (try? Timestamp(parsing: member.textBytes)) != nil
        case .date: member.type == .string && LocalDay(parsing: member.textBytes) != nil
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
        options.indices.contains { index in options[index].withUnsafeBufferPointer { $0.isEqual(to: text) } }
    }

    /// The nearest double; nil if the value is no number, or none that a double comes near.
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
    /// The double nearest to a number that is kept as spelled; nil if it is beyond all finite ones.
    package static func double(spelled text: some Collection<UInt8>) -> Double? {
        guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else { return nil }
        return number
    }
}
