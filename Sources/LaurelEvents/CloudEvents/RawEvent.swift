// SPDX-License-Identifier: Apache-2.0

import CEventJSON

/// An event as a reader found it, before any check: which attributes it has, and their texts.
///
/// Texts are valid as long as the bytes that were read. The values of `data` are checked one by one, as the reader finds
/// them, and are then in the row under construction.
struct RawEvent {
    typealias Text = UnsafeBufferPointer<UInt8>

    /// The number of the current table.
    let table: UInt32
    /// The attributes that are present, as bits.
    var attributes: UInt64 = 0
    /// The attributes known to be valid, as bits: they repeat those of an event that was checked.
    var valid: UInt64 = 0
    /// The indexes of the valid ones.
    var shared = SharedAttributes()
    /// The texts by attribute; empty if the attribute is absent, valid already, or not a text.
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

    /// The bit of an attribute. Readers may use the bits above those of the attributes.
    @inline(__always)
    static func bit(_ name: Attributes.Name) -> UInt64 { 2 << UInt64(name.rawValue) }

    /// The attributes that every event needs.
    static let required = bit(.id) | bit(.source) | bit(.type) | bit(.subject) | bit(.time)
    /// The attributes that a source's events mostly share.
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

/// Attributes that a source's events mostly share, as indexes into the table's texts; 0 if unknown.
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

/// A value of a field as a reader found it.
struct RawValue {
    let kind: JSONMember.Kind
    /// As in ``JSONMember``.
    var payload: UInt64 = 0
    /// A string's text; what was written of a number; an array or object without white space.
    let text: RawEvent.Text
    /// True for an array of strings only.
    var isTextList = false
}

/// A rule that an event breaks. ``EventDecoder/refusal(of:in:_:_:)`` writes the message.
enum Fault: Error {
    /// An attribute is absent that the event needs.
    case missing(Attributes.Name)
    case invalid(Attributes.Name)
    /// The time is too far ahead of the ingest clock, which shows this many milliseconds.
    case future(Int64)
    /// The value with this index in `data` breaks its field's rule.
    case field(Int)
    /// The field of this rule is absent.
    case missingField(Int)
    /// The first and the last day do not go together.
    case span
    /// A strict ingest does not allow one of the names.
    case forbiddenName
}

/// The maximum length of each attribute in bytes: that of its text, or of the object `data`.
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
