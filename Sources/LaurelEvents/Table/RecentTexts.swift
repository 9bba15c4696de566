/// The attributes of the last event: the next one mostly has the same, and comparing is cheaper than hashing.
struct RecentTexts: Sendable {
    enum Attribute: Int {
        case subject, source, language, session, timezone, identifierPrefix
    }

    private var indexes: InlineArray<6, UInt32> = .init(repeating: 0)

    @inline(__always)
    mutating func intern(
        _ attribute: Attribute,
        _ text: UnsafeBufferPointer<UInt8>,
        _ texts: inout TextTable
    ) -> UInt32 {
        if !texts.equals(indexes[attribute.rawValue], text) { indexes[attribute.rawValue] = texts.intern(text) }
        return indexes[attribute.rawValue]
    }
}
