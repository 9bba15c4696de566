// SPDX-License-Identifier: Apache-2.0

extension Field {
    /// The requirement of a field, for messages: "a number from 0 to 1".
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
        case .numbers(let bounds): "a list of \(bounds.count) numbers, each within its bounds"
        case .none:
            switch type {
            case .number: "a number"
            case .text: "text"
            case .boolean: "true or false"
            case .textList: "a list of text"
            case .numberList: "a list of numbers"
            case .instant: "an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"
            case .date: "a date that exists, as YYYY-MM-DD"
            }
        }
    }
}

extension Double {
    /// The number as text. Whole numbers are written as `1`, not as `1.0`.
    package var plainSpelling: String {
        let text = description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension Field {
    /// The problem with a list of numbers, for messages; nil if there is none.
    package func problem(ofList numbers: [Double]) -> String? {
        guard case .numbers(let bounds) = constraint else { return nil }
        if numbers.count != bounds.count { return "has \(numbers.count) numbers; it must be \(requirement)" }
        guard let wrong = numbers.indices.first(where: { !bounds[$0].contains(numbers[$0]) }) else { return nil }
        let (low, high) = (bounds[wrong].lowerBound.plainSpelling, bounds[wrong].upperBound.plainSpelling)
        return "has \(numbers[wrong].plainSpelling) at index \(wrong); it must be a number from \(low) to \(high)"
    }
}
