// SPDX-License-Identifier: Apache-2.0

/// Attributes as they stood one behind the other in a line, from the comma before the first one on, and what they say: a line of the
/// same source mostly has the same bytes there.
struct AttributeStretch: BitwiseCopyable {
    var start: UnsafePointer<UInt8>?
    /// In bytes, 16 at least.
    var count = 0
    /// The attributes, as bits.
    var attributes: UInt64 = 0
    /// The last one's key.
    var last: UnsafeMutablePointer<KnownKey<AttributeKey>>?
    var shared = SharedAttributes()

    /// How many are remembered of a source: one behind each attribute that is another in most events, and one behind the source.
    static let kinds = 4

    /// Of the stretch behind an attribute, which is one of those four: the last is the time.
    @inline(__always)
    static func kind(behind attribute: Attributes.Name) -> Int {
        switch attribute {
        case .id: 0
        case .source: 1
        case .type: 2
        default: 3
        }
    }

    /// Whether the same bytes stand here. Of those behind a control character at most 15 are read, as none is in the stretch.
    @inline(__always)
    func stands(at place: UnsafePointer<UInt8>) -> Bool {
        guard let start else { return false }
        let (one, two) = (UnsafeRawPointer(start), UnsafeRawPointer(place))
        func differ(_ offset: Int) -> Bool {
            func difference(_ offset: Int) -> UInt64 {
                one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    ^ two.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            }
            return difference(offset) | difference(offset + 8) != 0
        }
        var offset = 0
        while offset < count - 16 {
            if differ(offset) { return false }
            offset += 16
        }
        return !differ(count - 16)
    }
}

/// What a source's events mostly share, as indexes into the table's texts; 0 where it is not known.
struct SharedAttributes: BitwiseCopyable {
    var subject: UInt32 = 0
    var language: UInt32 = 0
    var session: UInt32 = 0
    var timezone: UInt32 = 0

    /// Adds what is known of others.
    @inline(__always)
    mutating func add(_ more: SharedAttributes) {
        subject |= more.subject
        language |= more.language
        session |= more.session
        timezone |= more.timezone
    }
}

/// Attributes that are being read one by one, to be remembered as a stretch.
struct StretchWalk {
    /// Where the stretch is remembered; nil where none is under way.
    var place: UnsafeMutablePointer<AttributeStretch>?
    var start: UnsafePointer<UInt8>?
    /// nil where nothing has been read that is not remembered.
    var end: UnsafePointer<UInt8>?
    var last: UnsafeMutablePointer<KnownKey<AttributeKey>>?
    /// As bits.
    var attributes: UInt64 = 0

    /// To be called where the stretch is over.
    @inline(__always)
    mutating func finish(_ shared: SharedAttributes) {
        if let end, let start, end - start >= 16 { remember(upTo: end, shared) }
        (place, end) = (nil, nil)
    }

    @inline(never)
    private func remember(upTo end: UnsafePointer<UInt8>, _ shared: SharedAttributes) {
        func only(_ name: Attributes.Name, _ text: UInt32) -> UInt32 {
            attributes & OrdinaryEvent.bit(name) != 0 ? text : 0
        }
        place?.pointee = AttributeStretch(
            start: start,
            count: end - start!,
            attributes: attributes,
            last: last,
            shared: SharedAttributes(
                subject: only(.subject, shared.subject),
                language: only(.language, shared.language),
                session: only(.session, shared.session),
                timezone: only(.timezone, shared.timezone)
            )
        )
    }
}

/// What a key of an event's own stands for.
struct AttributeKey: BitwiseCopyable {
    /// nil for an extension.
    let attribute: Attributes.Name?
    /// How many bytes a text may have.
    var limit = 0
    /// Whether an extension is one that the catalogue knows.
    var isKnown = true
}
