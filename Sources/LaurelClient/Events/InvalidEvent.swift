// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The reason why an event is invalid, so that the engine would refuse it.
public struct InvalidEvent: Error, Sendable, Hashable, CustomStringConvertible {
    /// The event's type.
    public var type: String
    /// The invalid part: an attribute such as `language`, or a field such as `data.accuracy`.
    public var place: String
    /// The value, and the requirement that the value violates.
    public var message: String

    public var description: String { "\(type): \(place) \(message)" }
}

extension Event {
    /// Makes the same checks as the engine: attributes, and the fields in the ``Catalogue``.
    /// - Parameter now: the present time in milliseconds since 1970. An event more than 24 hours later is refused.
    func check(now: Int64) throws(InvalidEvent) {
        try check("id", id, atMost: Limits.id)
        try check("source", source, atMost: Limits.source)
        try check("subject", subject, atMost: Limits.subject)
        if let session { try check("session", session, atMost: Limits.session) }
        guard type.utf8.count <= Limits.type, Array(type.utf8).withUnsafeBufferPointer(isTypeName) else {
            throw problem("type", "must be lower-case words and digits joined by . _ or -, such as line.spoken")
        }
        if let language {
            guard language.utf8.count <= Limits.language, Array(language.utf8).withUnsafeBufferPointer(isLanguageTag)
            else { throw problem("language", "is “\(language)”; it must be a BCP 47 tag, such as es or pt-BR") }
        }
        guard time.milliseconds - now <= Limits.ahead else {
            throw problem("time", "is \(time), more than 24 hours ahead of the clock")
        }
        try checkData()
    }

    private func checkData() throws(InvalidEvent) {
        if let known = Catalogue.type(named: type) {
            if known.needsLanguage, language == nil { throw problem("language", "is missing") }
            if known.needsSession, session == nil { throw problem("session", "is missing") }
            for field in known.fields {
                let value = data[field.name] ?? .null
                guard value != .null else {
                    if field.isRequired { throw problem("data.\(field.name)", "is missing") }
                    continue
                }
                guard field.allows(value) else {
                    throw problem("data.\(field.name)", "is \(value.shown); it must be \(field.requirement)")
                }
                if let bad = field.problem(ofNumbers: value) { throw problem("data.\(field.name)", bad) }
            }
            if let span = known.span, let bad = problem(of: span) { throw problem("data.\(span.through)", bad) }
        }
        for (name, value) in data.sorted(by: { $0.key < $1.key }) {
            guard let bad = value.unwritable(depth: Event.deepestValue) else { continue }
            throw problem("data.\(name)", bad)
        }
        var bytes: [UInt8] = []
        JSONValue.object(data).write(to: &bytes)
        guard bytes.count <= Limits.data else {
            throw problem("data", "has \(bytes.count) bytes; it may have \(Limits.data) at most (64 KiB)")
        }
    }

    /// The problem with two dates that are valid separately but not together; nil if there is no problem.
    private func problem(of span: DateSpan) -> String? {
        func day(_ name: String) -> LocalDay? {
            if case .string(let text)? = data[name] { LocalDay(parsing: text.utf8) } else { nil }
        }
        guard let first = day(span.from), let last = day(span.through) else { return nil }
        return span.problem(from: first, through: last)
    }

    private func check(_ name: String, _ text: String, atMost limit: Int) throws(InvalidEvent) {
        guard 1...limit ~= text.utf8.count else {
            throw problem(name, "has \(text.utf8.count) bytes; it must be text of 1 to \(limit) bytes (UTF-8)")
        }
    }

    private func problem(_ place: String, _ message: String) -> InvalidEvent {
        InvalidEvent(type: type, place: place, message: message)
    }

    /// The maximum nesting of lists and objects in a field. The engine accepts a few more levels.
    private static let deepestValue = 32
}

extension Field {
    /// True if the value, which is not null, is allowed for this field.
    fileprivate func allows(_ value: JSONValue) -> Bool {
        switch (type, value) {
        case (.number, .integer(let number)): allows(Double(number)) && allows(whole: number)
        case (.number, .double(let number)): allows(number) && allows(whole: Int64(exactly: number))
        case (.text, .string(let text)):
            if case .oneOf(let names) = constraint { names.contains { $0.utf8.elementsEqual(text.utf8) } } else { true }
        case (.boolean, .boolean): true
        case (.textList, .array(let elements)):
            elements.allSatisfy { if case .string = $0 { true } else { false } }
        case (.numberList, .array(let elements)): elements.allSatisfy { $0.number != nil }
        case (.instant, .string(let text)): (try? Timestamp(text)) != nil
        case (.date, .string(let text)): LocalDay(parsing: text.utf8) != nil
        default: false
        }
    }

    private func allows(_ number: Double) -> Bool {
        switch constraint {
        case .number(let range): range.contains(number)
        case .positive: number > 0
        case .integer, .oneOf, .numbers, .none: true
        }
    }

    fileprivate func problem(ofNumbers value: JSONValue) -> String? {
        guard type == .numberList, case .array(let elements) = value else { return nil }
        return problem(ofList: elements.compactMap(\.number))
    }

    private func allows(whole number: Int64?) -> Bool {
        guard case .integer(let range) = constraint else { return true }
        return number.map(range.contains) ?? false
    }
}

extension JSONValue {
    /// The value as a number; nil if the engine cannot read it as a number.
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number) where number.isFinite: number
        default: nil
        }
    }

    /// The value for messages.
    fileprivate var shown: String {
        switch self {
        case .double(let number) where !number.isFinite: "\(number)"
        case .string(let text): "“\(text.prefix(100))”"
        default: String(json.prefix(100))
        }
    }

    /// The reason why the value cannot be written as JSON, or cannot be read by the engine; nil if there is no such
    /// reason.
    fileprivate func unwritable(depth: Int) -> String? {
        let parts: [JSONValue]
        switch self {
        case .double(let number) where !number.isFinite: return "is \(number), which is no number in JSON"
        case .number(let spelling):
            return "is “\(spelling.prefix(100))”; write it as .integer, .double or .string"
        case .array(let elements): parts = elements
        case .object(let members): parts = Array(members.values)
        default: return nil
        }
        if depth == 0 { return "has more levels than may be nested" }
        for part in parts {
            if let problem = part.unwritable(depth: depth - 1) { return problem }
        }
        return nil
    }
}
