// SPDX-License-Identifier: Apache-2.0

/// A block: the events of one or many learners, column by column. A block has up to 16,384 events.
///
///     version      1 byte, 1
///     checksum     8 bytes: TextTable.hash of all bytes after the checksum
///     directory    stored length, raw length (varints), zstd frame
///     body         the streams, in the order of the directory
///
/// The directory, unpacked (numbers are varints; the length of a text precedes the text):
///
///     events, learners, types: count and names, fields: count and names, shapes: count
///     per shape: type, number of fields, the fields (indexes) in the order written
///     then one section per column: directory length, body length, and the output of ``IntegerStream`` and
///     `TextStream.swift`
///
///     learners     ids (differences), events of each
///     times        milliseconds of each learner's first event; for each other event, since the previous one
///     offsets      WrittenOffset.code
///     flags        EventTable.flags
///     shapes       type and fields of each event: index into the shapes
///     origins      the origins of ids: see below
///     ids          numbers: difference to the previous number of the same origin, minus 1; UUIDs: 16 planes; texts
///     language, session, timezone, extensions
///                  texts, and per event an index into them (0: none)
///     fields       one per field name: its values in the order of events, see ``ValueColumn``
///
/// An *origin* is what a group of a learner's ids have in common: a source, a prefix and a kind (whole, UUID, natural,
/// padded to n digits). Sources and prefixes are texts. The number of origins is stored for each learner. The index of
/// the origin is stored for each event.
enum BlockFormat {
    static let version: UInt8 = 1
    static let headerSize = 9

    /// The maximum counts of events, values and names in a block. A reader rejects larger counts, so that damage never
    /// causes a huge allocation.
    static let largestEventCount = 1 << 20
    static let largestValueCount = 1 << 26
    static let largestNameCount = 1 << 16

    /// The style of lower-case UUIDs in canonical form. ``EventIdentifier/style`` has the other styles. It never uses
    /// 1, because a padded number has at least two digits.
    static let uuidStyle: UInt8 = 1
}

/// A lower-case UUID in canonical form, as 16 bytes.
enum CanonicalUUID {
    /// The 16 bytes as two words, the first byte in the highest bits; nil if the text is not such a UUID.
    static func bytes(_ text: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64)? {
        guard text.count == length else { return nil }
        var words: (high: UInt64, low: UInt64) = (0, 0)
        // The high bit is set if any character so far is not a digit.
        var wrong: UInt8 = 0
        for byte in 0..<16 {
            let position = offset(ofByte: byte)
            let (high, low) = (value(ofDigit: text[position]), value(ofDigit: text[position + 1]))
            wrong |= high | low
            let value = UInt64(high << 4 | low)
            if byte < 8 { words.high = words.high << 8 | value } else { words.low = words.low << 8 | value }
        }
        let dash = UInt8(ascii: "-")
        guard wrong < 128, text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash else { return nil }
        return words
    }

    /// The text of 16 bytes.
    static func text(_ high: UInt64, _ low: UInt64) -> [UInt8] {
        var text = [UInt8](repeating: UInt8(ascii: "-"), count: length)
        text.withUnsafeMutableBytes { text in
            for byte in 0..<16 {
                let value = UInt8(truncatingIfNeeded: (byte < 8 ? high : low) >> UInt64(56 - byte % 8 * 8))
                text.storeBytes(of: digits[Int(value)], toByteOffset: offset(ofByte: byte), as: UInt16.self)
            }
        }
        return text
    }

    @inline(__always)
    private static func value(ofDigit digit: UInt8) -> UInt8 {
        let (decimal, letter) = (digit &- 48, digit &- 97)
        return decimal < 10 ? decimal : letter < 6 ? letter &+ 10 : 255
    }

    static let length = 36

    /// The position of a byte's two digits in the text.
    static func offset(ofByte byte: Int) -> Int {
        byte * 2 + (byte < 4 ? 0 : byte < 6 ? 1 : byte < 8 ? 2 : byte < 10 ? 3 : 4)
    }

    /// Writes the two digits of one byte of every UUID. The texts of the UUIDs are contiguous in memory.
    /// - Parameters:
    ///   - plane: the byte of each UUID.
    ///   - offset: the position of the byte's digits in the first text, from the start of `output`.
    static func write(_ plane: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer, from offset: Int) {
        guard plane.count > 0 else { return }
        precondition(offset + (plane.count - 1) * length + 2 <= output.count)
        digits.withUnsafeBufferPointer { digits in
            var position = offset
            for byte in plane {
                output.storeBytes(of: digits[Int(byte)], toByteOffset: position, as: UInt16.self)
                position &+= length
            }
        }
    }

    /// The two digits of each byte, in memory order.
    private static let digits: [UInt16] = (0..<256).map { byte in
        let digits = Array("0123456789abcdef".utf8)
        return UInt16(littleEndian: UInt16(digits[byte >> 4]) | UInt16(digits[byte & 15]) << 8)
    }
}
