// SPDX-License-Identifier: Apache-2.0

import CSimdjson

/// Checks of rare field types, and the messages of all checks.
extension EventDecoder {
    static func checkNumbers(_ list: JSONMember, _ field: Field) throws(Refusal) {
        guard field.type == .numberList, let problem = field.problem(ofNumbers: list.textBytes) else { return }
        throw Refusal(code: .invalidField, message: "data.\(field.name) \(problem)")
    }

    /// Checks a span of two valid dates.
    static func check(_ span: DateSpan, _ fields: UnsafeBufferPointer<JSONMember>) throws(Refusal) {
        func day(_ name: String) -> LocalDay? {
            fields.first { $0.keyBytes.elementsEqual(name.utf8) }.flatMap { LocalDay(parsing: $0.textBytes) }
        }
        guard let first = day(span.from), let last = day(span.through),
            let problem = span.problem(from: first, through: last)
        else { return }
        throw Refusal(code: .invalidField, message: "data.\(span.through) \(problem)")
    }

    static func refusal(of member: JSONMember, _ field: Field) -> Refusal {
        var message = "data.\(field.name) is \(shown(member)); it must be \(field.requirement)"
        if field.type == .instant, member.type == .string {
            do throws(Timestamp.ParseError) {
                _ = try Timestamp(parsing: member.textBytes)
            } catch {
                message = "data.\(field.name) is \(shown(member)): \(error.description)"
            }
        }
        if case .oneOf(let names) = field.constraint, member.type == .string {
            message += didYouMean(
                aside: nearestName(to: String(decoding: member.textBytes, as: UTF8.self), among: names)
            )
        }
        if case .integer(let range) = field.constraint, range.upperBound == Field.largestInteger,
            let number = FieldRule.number(member), number.magnitude >= Double(Field.largestInteger)
        {
            message += ", up to \(Field.largestInteger)"
        }
        if field.type == .textList, member.type == .array { message += ", every element of it" }
        return Refusal(code: .invalidField, message: message)
    }
}
