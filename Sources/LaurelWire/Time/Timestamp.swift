// SPDX-License-Identifier: Apache-2.0

/// The offset in an RFC 3339 time.
public enum WrittenOffset: Hashable, Sendable {
    /// A numeric offset, in minutes east of UTC, including `+00:00`.
    case minutes(Int16)
    /// The offset `Z`: the instant is known, but the local time is not (RFC 9557, section 2).
    case zulu
    /// The offset `-00:00`: the same meaning as `Z`, in the spelling of RFC 3339, section 4.3.
    case unknown

    /// The offset as one number: the minutes, or a special value for `Z` or `-00:00`.
    package var code: Int16 {
        switch self {
        case .minutes(let minutes): minutes
        case .zulu: WrittenOffset.zuluCode
        case .unknown: WrittenOffset.unknownCode
        }
    }

    package init(code: Int16) {
        switch code {
        case WrittenOffset.zuluCode: self = .zulu
        case WrittenOffset.unknownCode: self = .unknown
        default: self = .minutes(code)
        }
    }

    /// The offset as text, such as `+05:30`; nil if it is not numeric.
    package var text: String? {
        guard case .minutes(let minutes) = self else { return nil }
        func twoDigits(_ number: UInt16) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let size = minutes.magnitude
        return "\(minutes < 0 ? "-" : "+")\(twoDigits(size / 60)):\(twoDigits(size % 60))"
    }

    /// Reads an offset such as `+05:30`; nil if the text is not an offset.
    package init?(_ text: String) {
        var text = text
        let offset = text.withUTF8 { bytes in
            var parser = TimestampParser(bytes)
            return try? parser.offset()
        }
        guard let offset, case .minutes = offset else { return nil }
        self = offset
    }

    package static let zuluCode: Int16 = 2000
    package static let unknownCode: Int16 = 2001
}

/// An RFC 3339 time in milliseconds. It remembers how the time was written.
public struct Timestamp: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; 0 … 253 402 300 799 999.
    public var milliseconds: Int64
    /// The offset as written.
    public var offset: WrittenOffset
    /// The spelling of the time, which an export reproduces exactly: see ``Spelling``.
    package var spelling: Spelling

    /// The number of fraction digits, at most three, and flags for lower-case `t` and `z`.
    package struct Spelling: Hashable, Sendable {
        package var code: UInt8
        package init(code: UInt8) { self.code = code }
        package init(fractionDigits: Int, lowercaseT: Bool = false, lowercaseZ: Bool = false) {
            code = UInt8(min(fractionDigits, 3)) | (lowercaseT ? 4 : 0) | (lowercaseZ ? 8 : 0)
        }
        package var fractionDigits: Int { Int(code & 3) }
        package var lowercaseT: Bool { code & 4 != 0 }
        package var lowercaseZ: Bool { code & 8 != 0 }
    }

    /// Creates an instant.
    /// - Parameters:
    ///   - milliseconds: milliseconds since 1970, UTC.
    ///   - offset: the offset to write.
    public init(milliseconds: Int64, offset: WrittenOffset = .zulu) {
        self.init(milliseconds: milliseconds, offset: offset, spelling: Spelling(fractionDigits: 3))
    }

    package init(milliseconds: Int64, offset: WrittenOffset, spelling: Spelling) {
        self.milliseconds = milliseconds
        self.offset = offset
        self.spelling = spelling
    }

    /// The latest valid time: the last millisecond of the year 9999.
    public static let latest = Timestamp(milliseconds: 253_402_300_799_999)
    package static let range: ClosedRange<Int64> = 0...253_402_300_799_999
}

extension Timestamp: CustomStringConvertible {
    /// The reason why a text is not a valid time.
    public struct ParseError: Error, Equatable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }
    }

    /// Reads a time in RFC 3339.
    /// - Throws: ``ParseError``, which describes the mistake.
    public init(_ text: String) throws(ParseError) {
        var text = text
        do {
            self = try text.withUTF8 { bytes in try Timestamp(parsing: bytes) }
        } catch let error as ParseError {
            throw error
        } catch {
            throw ParseError("not an RFC 3339 time")
        }
    }

    /// Parses RFC 3339 `date-time`. Fraction digits after the third are dropped.
    package init(parsing text: UnsafeBufferPointer<UInt8>) throws(ParseError) {
        var date = RecentDate()
        self = try Timestamp(parsing: text, &date)
    }

    /// Parses RFC 3339 `date-time`. Fraction digits after the third are dropped.
    /// - Parameter date: the date of the previously parsed time. Usually the next time has the same date.
    @inline(__always)
    package init(parsing text: UnsafeBufferPointer<UInt8>, _ date: inout RecentDate) throws(ParseError) {
        if let time = UsualTimestamp.parse(text, &date) {
            self = time
        } else {
            self = try Timestamp(unusual: text)
        }
    }

    @inline(never)
    package init(unusual text: UnsafeBufferPointer<UInt8>) throws(ParseError) {
        var parser = TimestampParser(text)
        let day = try parser.date()
        let ofDay = try parser.timeOfDay()
        let (fraction, digits) = try parser.fraction()
        let offset = try parser.offset()
        var instant = Int64(day.number) * 86_400_000 + Int64(ofDay) * 1000 + Int64(fraction)
        if case .minutes(let minutes) = offset { instant -= Int64(minutes) * 60_000 }
        guard Timestamp.range.contains(instant) else { throw ParseError("the years go from 1970 to 9999 (UTC)") }
        self.init(
            milliseconds: instant,
            offset: offset,
            spelling: Spelling(
                fractionDigits: digits,
                lowercaseT: text[10] == UInt8(ascii: "t"),
                lowercaseZ: text[text.count - 1] == UInt8(ascii: "z")
            )
        )
    }

    static let shape = "not an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"

    /// The time as written, to the millisecond.
    public var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A time in the format of results: RFC 3339, UTC, three fraction digits.
    public static func utc(_ milliseconds: Int64) -> String {
        Timestamp(milliseconds: milliseconds).description
    }

    /// Appends the time as written, to the millisecond.
    package func write(to output: inout [UInt8]) {
        var local = milliseconds
        if case .minutes(let minutes) = offset { local += Int64(minutes) * 60_000 }
        let day = LocalDay(containing: local)
        let ofDay = Int(local - Int64(day.number) * 86_400_000)
        let (year, month, date) = day.civil
        put(year, digits: 4, to: &output)
        output.append(UInt8(ascii: "-"))
        put(month, digits: 2, to: &output)
        output.append(UInt8(ascii: "-"))
        put(date, digits: 2, to: &output)
        output.append(UInt8(ascii: spelling.lowercaseT ? "t" : "T"))
        put(ofDay / 3_600_000, digits: 2, to: &output)
        output.append(UInt8(ascii: ":"))
        put(ofDay / 60_000 % 60, digits: 2, to: &output)
        output.append(UInt8(ascii: ":"))
        put(ofDay / 1000 % 60, digits: 2, to: &output)
        if spelling.fractionDigits > 0 {
            output.append(UInt8(ascii: "."))
            let cut = [0, 100, 10, 1][spelling.fractionDigits]
            put(ofDay % 1000 / cut, digits: spelling.fractionDigits, to: &output)
        }
        writeOffset(to: &output)
    }

    /// Appends the last `digits` decimal digits of a non-negative number.
    @inline(__always)
    private func put(_ value: Int, digits: Int, to output: inout [UInt8]) {
        var unit = digits == 4 ? 1000 : digits == 3 ? 100 : digits == 2 ? 10 : 1
        while unit > 0 {
            output.append(UInt8(48 + value / unit % 10))
            unit /= 10
        }
    }

    private func writeOffset(to output: inout [UInt8]) {
        switch offset {
        case .zulu: output.append(UInt8(ascii: spelling.lowercaseZ ? "z" : "Z"))
        case .unknown: output.append(contentsOf: "-00:00".utf8)
        case .minutes(let minutes):
            output.append(UInt8(ascii: minutes < 0 ? "-" : "+"))
            output.append(contentsOf: padded(Int(minutes.magnitude) / 60, 2).utf8)
            output.append(UInt8(ascii: ":"))
            output.append(contentsOf: padded(Int(minutes.magnitude) % 60, 2).utf8)
        }
    }
}
