// SPDX-License-Identifier: Apache-2.0

/// A time interval in which a zone's offset does not change.
package struct ZoneInterval: Sendable, Equatable {
    /// Seconds since 1970; the start is included, the end is not.
    package var start: Int64
    package var end: Int64
    /// Seconds east of UTC.
    package var offset: Int32
}

/// An IANA time zone, as compiled into a TZif file.
///
/// Version 2 and later (RFC 8536) of such a file:
///
///     header of 44 bytes, the same data in 32 bits, then again
///     "TZif" version 15×0 | counts: isutc isstd leap time type char, 4 bytes each, big-endian
///     time × 8    instants at which the offset changes, ascending
///     time × 1    the type after each of these instants
///     type × 6    offset (4), is daylight saving (1), name (1)
///     char, leap × 12, isstd, isutc   not needed here
///     "\n" rule "\n"   for the time after the last instant, see TimeZoneRule
package final class TimeZone: Sendable {
    package let name: String
    let nameBytes: [UInt8]
    /// Seconds since 1970, ascending.
    private let transitions: [Int64]
    /// `offsets[i]` is valid before `transitions[i]`. The last offset is valid after the last transition.
    private let offsets: [Int32]
    private let rule: TimeZoneRule?

    package static let utc = TimeZone(name: "UTC", transitions: [], offsets: [0], rule: nil)

    private init(name: String, transitions: [Int64], offsets: [Int32], rule: TimeZoneRule?) {
        self.name = name
        self.nameBytes = Array(name.utf8)
        self.transitions = transitions
        self.offsets = offsets
        self.rule = rule
    }

    /// Reads a TZif file. Returns nil if the bytes are not a TZif file of version 2 or later.
    package convenience init?(name: String, file: [UInt8]) {
        guard let old = TimeZoneFileHeader(file, at: 0), old.version >= UInt8(ascii: "2"),
            let header = TimeZoneFileHeader(file, at: old.end(timeSize: 4))
        else { return nil }
        let end = header.end(timeSize: 8)
        guard end <= file.count, header.typeCount > 0 else { return nil }
        let types = header.start + header.timeCount * 9
        func offset(ofType type: Int) -> Int32 {
            Int32(truncatingIfNeeded: file.bigEndian(at: types + type * 6, size: 4))
        }
        var transitions: [Int64] = []
        // Before the first transition, the first type applies (RFC 8536, section 3.2).
        var offsets = [offset(ofType: 0)]
        for index in 0..<header.timeCount {
            let type = Int(file[header.start + header.timeCount * 8 + index])
            guard type < header.typeCount else { return nil }
            transitions.append(file.bigEndian(at: header.start + index * 8, size: 8))
            offsets.append(offset(ofType: type))
        }
        guard zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        let footer = file[end...].dropFirst().prefix { $0 != UInt8(ascii: "\n") }
        self.init(
            name: name,
            transitions: transitions,
            offsets: offsets,
            rule: footer.isEmpty ? nil : TimeZoneRule(footer)
        )
    }

    /// The interval with the same offset that contains an instant, in seconds since 1970.
    /// - Complexity: O(log transitions).
    package func interval(holding instant: Int64) -> ZoneInterval {
        let next = transitions.indices.partitioningIndex { transitions[$0] > instant }
        let start = next == 0 ? Int64.min : transitions[next - 1]
        if next == transitions.count, let rule {
            var interval = rule.interval(holding: instant)
            interval.start = max(interval.start, start)
            return interval
        }
        return ZoneInterval(
            start: start,
            end: next < transitions.count ? transitions[next] : .max,
            offset: offsets[next]
        )
    }

    /// Seconds east of UTC at an instant in milliseconds since 1970.
    package func offsetSeconds(at milliseconds: Int64) -> Int32 {
        interval(holding: milliseconds.dividedRoundingDown(by: 1000)).offset
    }
}

private struct TimeZoneFileHeader {
    let version: UInt8
    /// The start of the data.
    let start: Int
    let timeCount, typeCount: Int
    private let isUTCCount, isStandardCount, leapCount, charCount: Int

    init?(_ file: [UInt8], at offset: Int) {
        guard offset + 44 <= file.count, file[offset..<offset + 4].elementsEqual("TZif".utf8) else { return nil }
        let counts = (0..<6).map { Int(file.bigEndian(at: offset + 20 + $0 * 4, size: 4)) }
        guard counts.allSatisfy({ 0...1_000_000 ~= $0 }) else { return nil }
        version = file[offset + 4]
        start = offset + 44
        (isUTCCount, isStandardCount, leapCount) = (counts[0], counts[1], counts[2])
        (timeCount, typeCount, charCount) = (counts[3], counts[4], counts[5])
    }

    func end(timeSize: Int) -> Int {
        start + timeCount * (timeSize + 1) + typeCount * 6 + charCount + leapCount * (timeSize + 4) + isStandardCount
            + isUTCCount
    }
}

extension [UInt8] {
    fileprivate func bigEndian(at offset: Int, size: Int) -> Int64 {
        self[offset..<offset + size].reduce(0) { $0 << 8 | Int64($1) }
    }
}
