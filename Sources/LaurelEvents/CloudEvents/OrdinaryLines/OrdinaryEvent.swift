// SPDX-License-Identifier: Apache-2.0

import CSimdjson

/// The reading position in an ordinary line, and the values found so far.
struct OrdinaryEvent {
    typealias Pointer = UnsafePointer<UInt8>
    typealias Text = UnsafeBufferPointer<UInt8>

    var at: Pointer
    /// The number of the current table.
    let table: UInt32
    /// The latest key.
    var key: UnsafeMutablePointer<KnownKey<AttributeKey>>
    /// The keys so far, as bits; those of attributes are ``bit(_:)``.
    var keys: UInt64 = 0
    var plan: UnsafeMutablePointer<TypePlan>?
    /// The source's context, once the source is known.
    var context: UnsafeMutablePointer<RecentContexts.Context>?
    var stretches: UnsafeMutablePointer<AttributeStretch>?
    var id = Text(start: nil, count: 0)
    var time = Text(start: nil, count: 0)
    /// Values read before the source.
    var subject = Text(start: nil, count: 0)
    var language = Text(start: nil, count: 0)
    var session = Text(start: nil, count: 0)
    var timezone = Text(start: nil, count: 0)
    /// Values read after the source.
    var shared = SharedAttributes()
    var walk = StretchWalk()
    /// The range of the object `data` if it precedes the type.
    var data: (start: Pointer, end: Pointer)?
    var valueCount = 0
    var hasExtensions = false

    @inline(__always)
    init(_ line: Text, table: UInt32, _ first: UnsafeMutablePointer<KnownKey<AttributeKey>>) {
        at = line.baseAddress!
        self.table = table
        key = first
    }

    /// The bit of an attribute's key. Attributes are the first keys of their list, in order, after the start key.
    @inline(__always)
    static func bit(_ name: Attributes.Name) -> UInt64 { 2 << UInt64(name.rawValue) }

    static let everyEvent = bit(.id) | bit(.source) | bit(.type) | bit(.subject) | bit(.time)

    @inline(__always)
    func has(_ name: Attributes.Name) -> Bool { keys & OrdinaryEvent.bit(name) != 0 }

    @inline(__always)
    static func skipSpaces(_ at: inout Pointer) {
        while at.pointee == UInt8(ascii: " ") { at += 1 }
    }

    /// A key with its quotes and the colon directly after it; nil if there is none here, or it is escaped.
    static func token(at pointer: Pointer) -> Text? {
        guard pointer.pointee == UInt8(ascii: "\""), let end = end(ofText: pointer + 1), end[1] == UInt8(ascii: ":")
        else {
            return nil
        }
        return Text(start: pointer, count: end + 2 - pointer)
    }

    /// The closing quote of a UTF-8 text without escapes; nil for any other text.
    @inline(__always)
    static func end(ofText text: Pointer) -> Pointer? {
        var at = text
        var found = laurel_json_marks(at)
        while found == 0 {
            at += 16
            found = laurel_json_marks(at)
        }
        at += found.trailingZeroBitCount
        return at.pointee == UInt8(ascii: "\"") ? at : laurel_json_utf8_text_end(text)
    }

    /// The end of an object without nested objects and lists; nil for any other object.
    static func end(ofObject object: Pointer) -> Pointer? {
        var at = object + 1
        while at.pointee != UInt8(ascii: "}") {
            switch at.pointee {
            case UInt8(ascii: "\""):
                guard let end = end(ofText: at + 1) else { return nil }
                at = end
            case ..<0x20, UInt8(ascii: "{"), UInt8(ascii: "["): return nil
            default: break
            }
            at += 1
        }
        return at + 1
    }
}

/// A number, true, false or null.
struct OrdinaryScalar {
    var kind: JSONMember.Kind
    var payload: UInt64 = 0
    var end: OrdinaryEvent.Pointer

    /// Reads a scalar followed by a comma or a closing brace; nil if there is none here.
    @inline(__always)
    init?(at start: OrdinaryEvent.Pointer) {
        var (end, number) = (start, UInt64(0))
        var digit = end.pointee &- 48
        while digit < 10 {
            number = number &* 10 &+ UInt64(digit)
            end += 1
            digit = end.pointee &- 48
        }
        if end.pointee == UInt8(ascii: ",") || end.pointee == UInt8(ascii: "}"), 1...16 ~= end - start,
            start.pointee != UInt8(ascii: "0") || end == start + 1
        {
            (kind, payload, self.end) = (.integer, number, end)
        } else {
            guard let other = OrdinaryScalar(other: start, end, number) else { return nil }
            self = other
        }
    }

    private init(_ kind: JSONMember.Kind, _ payload: UInt64 = 0, end: OrdinaryEvent.Pointer) {
        (self.kind, self.payload, self.end) = (kind, payload, end)
    }

    /// - Parameters:
    ///   - end: the end of the digits at `start`.
    ///   - number: the value of these digits.
    @inline(never)
    private init?(other start: OrdinaryEvent.Pointer, _ end: OrdinaryEvent.Pointer, _ number: UInt64) {
        func matches(_ name: StaticString) -> Bool { memcmp(start, name.utf8Start, name.utf8CodeUnitCount) == 0 }
        switch start.pointee {
        case UInt8(ascii: "n") where matches("null"): self.init(.null, end: start + 4)
        case UInt8(ascii: "t") where matches("true"): self.init(.yes, end: start + 4)
        case UInt8(ascii: "f") where matches("false"): self.init(.no, end: start + 5)
        default: self.init(number: start, end, number)
        }
    }

    private init?(number start: OrdinaryEvent.Pointer, _ point: OrdinaryEvent.Pointer, _ number: UInt64) {
        var (end, digits) = (point + 1, number)
        if point.pointee == UInt8(ascii: "."), start.pointee != UInt8(ascii: "0") || point == start + 1 {
            while end.pointee &- 48 < 10 {
                digits = digits &* 10 &+ UInt64(end.pointee &- 48)
                end += 1
            }
            let isEnded = end.pointee == UInt8(ascii: ",") || end.pointee == UInt8(ascii: "}")
            if isEnded, point > start, end > point + 1, end - start <= 16, end[-1] != UInt8(ascii: "0") {
                let places = UInt32(truncatingIfNeeded: end - point - 1)
                self.init(.double, laurel_json_decimal(digits, places).bitPattern, end: end)
                return
            }
        }
        end = point
        while end.pointee > UInt8(ascii: ","), end.pointee != UInt8(ascii: "}") { end += 1 }
        guard end > start else { return nil }
        var payload: UInt64 = 0
        let kind = laurel_json_read_number(start, end - start, &payload)
        guard kind >= 0, let kind = JSONMember.Kind(rawValue: UInt8(kind)) else { return nil }
        self.init(kind, payload, end: end)
    }
}
