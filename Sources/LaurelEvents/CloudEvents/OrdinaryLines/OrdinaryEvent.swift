// SPDX-License-Identifier: Apache-2.0

import CEventJSON

/// The reading position in an ordinary line, and the event found so far. An ordinary line has no escapes and no nested
/// values in `data`.
struct OrdinaryEvent {
    typealias Pointer = UnsafePointer<UInt8>
    typealias Text = UnsafeBufferPointer<UInt8>

    /// The minimum number of readable bytes after a line.
    static let slack = 16

    var at: Pointer
    /// The event. Its ``RawEvent/attributes`` has a bit for each key that was read. In the list of known keys, the
    /// start key comes first, and then the attributes in their order.
    var raw: RawEvent
    /// The latest key.
    var key: KnownKeys<AttributeKey>.Pointer
    /// The stretches of the source, once it is known.
    var stretches: UnsafeMutablePointer<AttributeStretch>?
    var walk = StretchWalk()
    /// The number of stretches in this line that were read attribute by attribute.
    var walks = 0
    /// The range of the object `data` if it precedes the type.
    var data: (start: Pointer, end: Pointer)?
    /// The memory with the values; nil before they are read.
    var values: UnsafeMutablePointer<EventValue>?

    @inline(__always)
    init(_ line: Text, table: UInt32, _ first: KnownKeys<AttributeKey>.Pointer) {
        at = line.baseAddress!
        raw = RawEvent(table: table)
        key = first
    }

    @inline(__always)
    static func skipSpaces(_ at: inout Pointer) {
        while at.pointee == UInt8(ascii: " ") { at += 1 }
    }

    /// The name of a key that ends with a quote and a colon; nil if there is no such key at the pointer, or if it has
    /// escapes.
    static func name(at pointer: Pointer) -> Text? {
        guard pointer.pointee == UInt8(ascii: "\""), let end = end(ofText: pointer + 1), end[1] == UInt8(ascii: ":")
        else {
            return nil
        }
        return Text(start: pointer + 1, count: end - pointer - 1)
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

    /// The end of an object that contains no objects and no lists; nil for any other object.
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

    /// Reads a scalar that is followed by a comma or a closing brace; nil if there is no such scalar.
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
                let decimals = UInt32(truncatingIfNeeded: end - point - 1)
                self.init(.double, laurel_json_decimal(digits, decimals).bitPattern, end: end)
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
