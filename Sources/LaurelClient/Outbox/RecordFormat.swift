// SPDX-License-Identifier: Apache-2.0

/// A segment of the outbox: a header, and a sequence of records. Integers are little-endian.
///
///     header   "LRLOBX" 0x0D 0x0A | version 4                                  12 bytes
///     record   marker 4 | checksum 4 | length 4 | kind 1 | first 8 | last 8 | event…
///
/// The length is the number of bytes after the length field. The checksum (CRC-32) covers the length and those bytes.
/// The marker contains bytes that never occur in UTF-8, so that intact records can be found after a damaged record.
///
/// - `event` (1): `first` = `last` is its ascending number; then the event as CloudEvents JSON.
/// - `delivered` (2), `dropped` (3): the events from `first` to `last` are no longer needed. They are in this segment
///   or an earlier one. The oldest segment is always removed first. So no removal record is deleted before the events
///   that it removes.
enum RecordFormat {
    enum Kind: UInt8 {
        case event = 1
        case delivered, dropped
    }

    struct Record {
        var kind: Kind
        var numbers: ClosedRange<UInt64>
        /// The range of the event's JSON in the segment.
        var range: Range<Int>
    }

    static let header: [UInt8] = Array("LRLOBX\r\n".utf8) + bytes(version)
    static let version: UInt32 = 1
    /// The number of bytes of a record before its event.
    static let overhead = 29
    /// The largest valid number. No device records that many events, so a larger number means damage.
    static let largestNumber: UInt64 = 1 << 62
    private static let marker: [UInt8] = [0xFF, 0x4C, 0xFE, 0x52]
    /// The longest valid record; a longer one is damaged.
    private static let longest = Limits.event + 64

    static func append(_ kind: Kind, _ numbers: ClosedRange<UInt64>, _ event: [UInt8] = [], to output: inout [UInt8]) {
        let content =
            bytes(UInt32(17 + event.count)) + [kind.rawValue] + bytes(numbers.lowerBound)
            + bytes(numbers.upperBound) + event
        output += marker
        output += bytes(Checksum.of(content))
        output += content
    }

    /// Visits every intact record, in order. Incomplete and damaged records are skipped.
    /// - Throws: ``OutboxError/Code/newerFormat`` if a later version of Laurel wrote the segment.
    static func scan(_ bytes: [UInt8], _ body: (Record) -> Void) throws(OutboxError) {
        if bytes.starts(with: header[0..<8]), bytes.count >= header.count {
            let found = number(bytes, at: 8, as: UInt32.self)
            guard found <= version else {
                throw OutboxError(
                    .newerFormat,
                    "the outbox has format \(found), written by a later version; this one reads up to \(version)"
                )
            }
        }
        var position = 0
        while position + overhead <= bytes.count {
            if let record = record(bytes, at: position) {
                body(record)
                position = record.range.upperBound
            } else {
                position = nextMarker(bytes, after: position)
            }
        }
    }

    private static func record(_ bytes: [UInt8], at start: Int) -> Record? {
        guard bytes[start..<start + 4].elementsEqual(marker) else { return nil }
        let length = Int(number(bytes, at: start + 8, as: UInt32.self))
        let end = start + 12 + length
        guard length >= 17, length <= longest, end <= bytes.count,
            Checksum.of(bytes[start + 8..<end]) == number(bytes, at: start + 4, as: UInt32.self),
            let kind = Kind(rawValue: bytes[start + 12])
        else { return nil }
        let first = number(bytes, at: start + 13, as: UInt64.self)
        let last = number(bytes, at: start + 21, as: UInt64.self)
        guard first <= last, last <= largestNumber else { return nil }
        return Record(kind: kind, numbers: first...last, range: start + overhead..<end)
    }

    private static func nextMarker(_ bytes: [UInt8], after start: Int) -> Int {
        var position = start + 1
        while position + overhead <= bytes.count {
            if bytes[position] == marker[0], bytes[position..<position + 4].elementsEqual(marker) { return position }
            position += 1
        }
        return bytes.count
    }

    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    private static func number<Number: FixedWidthInteger>(_ bytes: [UInt8], at start: Int, as: Number.Type) -> Number {
        bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Number.self)) }
    }
}
