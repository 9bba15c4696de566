// SPDX-License-Identifier: Apache-2.0

import CEventJSON

/// An event before its checks: its attributes and their texts.
///
/// The texts are valid as long as the bytes that were read. The values of `data` are checked one by one while they
/// are read. They are in the row under construction.
struct RawEvent {
    typealias Text = UnsafeBufferPointer<UInt8>

    /// The number of the current table.
    let table: UInt32
    /// The attributes that are present, as bits.
    var attributes: UInt64 = 0
    /// The attributes that are known to be valid, as bits. They equal the attributes of an earlier, valid event.
    var valid: UInt64 = 0
    /// The indexes of the valid attributes in the table's texts.
    var shared = SharedAttributes()
    /// The texts by attribute. A text is empty if the attribute is absent, is known to be valid, or is not a text.
    private var texts = InlineArray<9, Text>(repeating: Text(start: nil, count: 0))
    /// True if at least 7 readable bytes precede the id's text.
    var isIDWithinLine = true
    /// The type's plan; nil if the type is absent or invalid.
    var plan: Plan?
    /// The source's context; nil if the source is absent.
    var context: UnsafeMutablePointer<RecentContexts.Context>?
    /// The length of the object `data` in bytes; `Int.max` if `data` is something else.
    var dataLength = 0
    var valueCount = 0
    /// The rules of the fields that are not null, as bits.
    var rules: UInt64 = 0
    /// True if attributes without a column were written.
    var hasExtensions = false
    /// True if a strict ingest does not allow the name of an attribute or a field.
    var hasForbiddenName = false

    @inline(__always)
    init(table: UInt32) { self.table = table }

    /// The bit of an attribute. Readers may use the higher bits for other keys.
    @inline(__always)
    static func bit(_ name: Attributes.Name) -> UInt64 { 2 << UInt64(name.rawValue) }

    /// The attributes that every event needs.
    static let required = bit(.id) | bit(.source) | bit(.type) | bit(.subject) | bit(.time)
    /// The attributes that events of one source usually share.
    static let sharedByMost = bit(.subject) | bit(.language) | bit(.session) | bit(.timezone)

    @inline(__always)
    func has(_ name: Attributes.Name) -> Bool { attributes & RawEvent.bit(name) != 0 }

    /// True if an attribute is present and must be checked.
    @inline(__always)
    func isUnchecked(_ name: Attributes.Name) -> Bool { attributes & ~valid & RawEvent.bit(name) != 0 }

    @inline(__always)
    subscript(name: Attributes.Name) -> Text {
        get { texts[unchecked: Int(name.rawValue)] }
        set { texts[unchecked: Int(name.rawValue)] = newValue }
    }
}

/// Attributes that events of one source usually share, as indexes into the table's texts; 0 if unknown.
struct SharedAttributes: BitwiseCopyable {
    var subject: UInt32 = 0
    var language: UInt32 = 0
    var session: UInt32 = 0
    var timezone: UInt32 = 0

    /// Adds attributes known from an earlier event.
    @inline(__always)
    mutating func add(_ more: SharedAttributes) {
        subject |= more.subject
        language |= more.language
        session |= more.session
        timezone |= more.timezone
    }
}

/// The value of a field before its check.
struct RawValue {
    let kind: JSONMember.Kind
    /// The payload, as in ``JSONMember``.
    var payload: UInt64 = 0
    /// The text of a string; a number as written; an array or object without white space.
    let text: RawEvent.Text
    /// True for an array of strings only.
    var isTextList = false
}

/// A rule that an event breaks. ``EventDecoder/refusal(of:in:_:_:)`` writes the message.
enum Fault: Error {
    /// A required attribute is absent.
    case missing(Attributes.Name)
    case invalid(Attributes.Name)
    /// The time is too far ahead of the ingest clock. The value is the ingest clock's time.
    case future(Int64)
    /// The value with this index in `data` breaks its field's rule.
    case field(Int)
    /// The field with this rule is required, but absent.
    case missingField(Int)
    /// The first and the last day do not form a valid span.
    case span
    /// A strict ingest does not allow one of the names.
    case forbiddenName
}

/// The maximum length of each attribute in bytes. For `data`, it is the length of the object.
struct AttributeLimits {
    private var limits = InlineArray<10, Int>(repeating: .max)

    init() {
        for (name, limit) in [
            (Attributes.Name.id, Limits.id), (.source, Limits.source), (.type, Limits.type), (.subject, Limits.subject),
            (.language, Limits.language), (.session, Limits.session), (.timezone, 1024), (.data, Limits.data),
        ] { limits[Int(name.rawValue)] = limit }
    }

    @inline(__always)
    subscript(name: Attributes.Name) -> Int { limits[unchecked: Int(name.rawValue)] }
}
