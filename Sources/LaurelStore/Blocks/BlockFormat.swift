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

    static let length = 36

    /// Where in the text a byte's two digits stand.
    static func offset(ofByte byte: Int) -> Int {
        byte * 2 + (byte < 4 ? 0 : byte < 6 ? 1 : byte < 8 ? 2 : byte < 10 ? 3 : 4)
    }

    /// Writes two digits for each byte, a text's length apart.
    static func write(_ plane: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer, from offset: Int) {
        guard plane.count > 0 else { return }
        precondition(offset + (plane.count - 1) * length + 2 <= output.count)
        digits.withUnsafeBufferPointer { digits in
            var place = offset
            for byte in plane {
                output.storeBytes(of: digits[Int(byte)], toByteOffset: place, as: UInt16.self)
                place &+= length
            }
        }
    }

    /// Of each byte the two digits, as they stand in memory.
    private static let digits: [UInt16] = (0..<256).map { byte in
        let digits = Array("0123456789abcdef".utf8)
        return UInt16(littleEndian: UInt16(digits[byte >> 4]) | UInt16(digits[byte & 15]) << 8)
    }
}
