// SPDX-License-Identifier: Apache-2.0

import CEventJSON

/// The messages of all checks.
extension EventDecoder {
    /// - Parameters:
    ///   - attributes: the attributes of the parsed event, for values that are not texts.
    ///   - values: the values of the row under construction.
    @inline(never)
    func refusal(
        of fault: Fault,
        in event: RawEvent,
        _ attributes: Attributes,
        _ values: UnsafePointer<EventValue>,
        _ table: EventTable
    ) -> Refusal {
        let type = event.plan.flatMap { shapes.all[$0.pointee.shape].type }
        switch fault {
        case .missing(let name):
            let isRequired = RawEvent.required & RawEvent.bit(name) != 0
            let needing = isRequired ? "every event" : type!.name
            return Refusal(code: .missing, message: "\(name) is missing; \(needing) needs it")
        case .invalid(let name):
            return Refusal(code: .invalidAttribute, message: problem(of: name, attributes[name]!.pointee))
        case .future(let clock):
            return Refusal(
                code: .future,
                message: "time is \(shown(attributes[.time]!.pointee)), more than 24 hours ahead of the clock "
                    + "(\(Timestamp.utc(clock)))"
            )
        case .field(let index):
            let member = parser.data[index]
            return EventDecoder.refusal(of: member, type!.fields.first { member.keyBytes.elementsEqual($0.name.utf8) }!)
        case .missingField(let rule):
            return Refusal(
                code: .missing,
                message: "data.\(type!.fields[rule].name) is missing; \(type!.name) needs it"
            )
        case .span:
            let values = UnsafeBufferPointer(start: values, count: event.valueCount)
            let problem = spanProblem(of: values, event.plan!, table)!
            return Refusal(code: .invalidField, message: "data.\(type!.span!.through) \(problem)")
        case .forbiddenName: return strictNames!.refusal(of: attributes, event[.type], parser.data)!
        }
    }

    private func problem(of name: Attributes.Name, _ member: JSONMember) -> String {
        switch (name, member.type) {
        case (.time, .string): return "time is \(shown(member)): \(EventDecoder.problem(ofTime: member.textBytes)!)"
        case (.time, _):
            return "time is \(shown(member)); it must be an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"
        case (.version, _): return "specversion is \(shown(member)); it must be “1.0” where present"
        case (.data, .object):
            let length = parser.result.pointee.data_length
            return "data has \(length) bytes; it may have \(limits[.data]) at most (64 KiB)"
        case (.data, _): return "data is \(shown(member)); it must be an object"
        default: break
        }
        guard member.type == .string, 1...limits[name] ~= Int(member.text_length) else {
            let found =
                switch (member.type, member.text_length) {
                case (.string, 0): "is empty"
                case (.string, let length): "has \(length) bytes"
                default: "is \(shown(member))"
                }
            return "\(name) \(found); it must be text of 1 to \(limits[name]) bytes (UTF-8)"
        }
        if member.hasNUL { return "\(name) has the character NUL (\\u0000); leave it out" }
        switch name {
        case .type:
            return "type is \(shown(member)); it must be lower-case words and digits joined by . _ or -, "
                + "such as line.spoken"
        case .language: return "language is \(shown(member)); it must be a BCP 47 tag, such as es or pt-BR"
        default: return zones.refusal(of: member.textBytes)
        }
    }

    /// The mistake in a text that is not an RFC 3339 time; nil if there is no mistake.
    private static func problem(ofTime text: RawEvent.Text) -> String? {
        do throws(Timestamp.ParseError) {
            _ = try Timestamp(parsing: text)
            return nil
        } catch {
            return error.description
        }
    }

    private static func refusal(of member: JSONMember, _ field: Field) -> Refusal {
        var message = "data.\(field.name) is \(shown(member)); it must be \(field.requirement)"
        if field.type == .instant, member.type == .string, let problem = problem(ofTime: member.textBytes) {
            message = "data.\(field.name) is \(shown(member)): \(problem)"
        }
        if field.type == .numberList, member.type == .array, let problem = field.problem(ofNumbers: member.textBytes) {
            message = "data.\(field.name) \(problem)"
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
