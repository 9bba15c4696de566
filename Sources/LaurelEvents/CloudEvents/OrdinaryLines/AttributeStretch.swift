// SPDX-License-Identifier: Apache-2.0

/// A stretch is several successive attributes of a valid event's line, with their values and the comma before them. The
/// next line of the same source usually has the same bytes there.
struct AttributeStretch: BitwiseCopyable {
    var start: UnsafePointer<UInt8>?
    /// Length in bytes, at least 16.
    var count = 0
    /// The attributes, as bits.
    var attributes: UInt64 = 0
    /// The key of the last attribute.
    var last: KnownKeys<AttributeKey>.Pointer?
    var shared = SharedAttributes()

    /// The number of stretches kept per source. One stretch begins after the source. The other stretches begin after
    /// the attributes that usually vary: id, type and time.
    static let kinds = 4

    /// The index of the stretch after an attribute. The stretch after the time has the last index.
    @inline(__always)
    static func kind(behind attribute: Attributes.Name) -> Int {
        switch attribute {
        case .id: 0
        case .source: 1
        case .type: 2
        default: 3
        }
    }

    /// True if the text at a pointer has the same bytes. A stretch contains no control character, so at most 15 bytes
    /// after a control character are read.
    @inline(__always)
    func matches(at pointer: UnsafePointer<UInt8>) -> Bool {
        guard let start else { return false }
        let (one, two) = (UnsafeRawPointer(start), UnsafeRawPointer(pointer))
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

/// A stretch that is being read attribute by attribute. It is kept if the event is valid.
struct StretchWalk: BitwiseCopyable {
    /// The memory for the stretch; nil if no stretch is being read.
    var target: UnsafeMutablePointer<AttributeStretch>?
    var start: UnsafePointer<UInt8>?
    /// The end of the last attribute that differs from the kept stretch; nil if there is none.
    var end: UnsafePointer<UInt8>?
    var last: KnownKeys<AttributeKey>.Pointer?
    /// The attributes, as bits.
    var attributes: UInt64 = 0

    /// Keeps the stretch.
    /// - Parameter shared: the attributes of the valid event.
    @inline(never)
    func remember(_ shared: SharedAttributes) {
        func only(_ name: Attributes.Name, _ text: UInt32) -> UInt32 {
            attributes & RawEvent.bit(name) != 0 ? text : 0
        }
        target!.pointee = AttributeStretch(
            start: start,
            count: end! - start!,
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
