/// A block: up to some ten thousand events of one or many learners, column by column.
///
///     version      1 byte, 1
///     checksum     8 bytes: TextTable.hash of all that follows
///     directory    stored length, raw length (varints), zstd frame
///     body         the streams, in the order of the directory
///
/// The directory, unpacked (numbers are varints, texts have their length before them):
///
///     events, learners, types: count and names, fields: count and names, shapes: count
///     per shape: type, number of fields, the fields (indexes) in the order written
///     then one section per column: directory length, body length, and what ``IntegerStream`` and ``TextStream`` put there
///
///     learners     ids (differences), events of each
///     times        milliseconds of each learner's first event; of all others, since the one before
///     offsets      WrittenOffset.code
///     flags        EventTable.flags
///     shapes       type and fields of each event: index into the shapes
///     origins      where ids come from: see below
///     ids          numbers: difference to the number before of the same origin, minus 1; UUIDs: 16 planes; other texts
///     language, session, timezone, extensions
///                  texts, and per event an index into them (0: none)
///     fields       one per field name: its values in the order of events, see ``ValueColumn``
///
/// An *origin* is a source, an id's prefix and its kind (whole, UUID, natural, padded to n digits) within one learner.
/// Sources and prefixes are texts; per learner there is the number of its origins, per event the origin's place among
/// them.
enum BlockFormat {
    static let version: UInt8 = 1
    static let headerSize = 9

    /// What a block may hold at most; a reader refuses more.
    static let largestEventCount = 1 << 20
    static let largestValueCount = 1 << 26
    static let largestNameCount = 1 << 16

    /// An origin's kind beyond ``EventIdentifier/style``: lower-case UUIDs in their canonical form. No padded style has
    /// one digit, so the code is free.
    static let uuidStyle: UInt8 = 1
}

/// A lower-case UUID in its canonical form, as 16 bytes.
enum CanonicalUUID {
    private static let dashes: Set<Int> = [8, 13, 18, 23]

    static func bytes(_ text: ArraySlice<UInt8>) -> (UInt64, UInt64)? {
        guard text.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var digits = 0
        for (offset, byte) in text.enumerated() {
            if dashes.contains(offset) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case 48...57: digit = byte - 48
            case 97...102: digit = byte - 87
            default: return nil
            }
            if digits < 16 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
            digits += 1
        }
        return (high, low)
    }

    static func text(_ high: UInt64, _ low: UInt64) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 { text.append(UInt8(ascii: "-")) }
            let word = digit < 16 ? high : low
            let value = UInt8(truncatingIfNeeded: (word >> UInt64(60 - digit % 16 * 4)) & 15)
            text.append(value < 10 ? 48 + value : 87 + value)
        }
        return text
    }
}
