/// What an RFC 3339 time says about the wall clock.
public enum WrittenOffset: Hashable, Sendable {
    /// A numeric offset, in minutes east of UTC, `+00:00` included.
    case minutes(Int16)
    /// `Z`: the instant is known, the wall clock is not (RFC 9557, section 2).
    case zulu
    /// `-00:00`: as `Z`, spelled the way of RFC 3339, section 4.3.
    case unknown

    /// One number for columns: minutes, or two values no offset can have.
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

    package static let zuluCode: Int16 = 2000
    package static let unknownCode: Int16 = 2001
}

/// An RFC 3339 time kept to the millisecond, with what its spelling said.
public struct Timestamp: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; 0 … 253 402 300 799 999.
    public var milliseconds: Int64
    public var offset: WrittenOffset
    /// How the time was spelled, so that export gives it back: see ``Spelling``.
    package var spelling: Spelling

    /// How many fraction digits were written (at most three are kept), and whether `t` and `z` were lower case.
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

    public init(milliseconds: Int64, offset: WrittenOffset = .zulu) {
        self.init(milliseconds: milliseconds, offset: offset, spelling: Spelling(fractionDigits: 3))
    }

    package init(milliseconds: Int64, offset: WrittenOffset, spelling: Spelling) {
        self.milliseconds = milliseconds
        self.offset = offset
        self.spelling = spelling
    }

    public static let latest = Timestamp(milliseconds: 253_402_300_799_999)
    package static let range: ClosedRange<Int64> = 0...253_402_300_799_999
}

extension Timestamp: CustomStringConvertible {
    /// Why a text is not a time the engine takes.
    public struct ParseError: Error, Equatable, CustomStringConvertible {
        public let description: String
        init(_ description: String) { self.description = description }
    }

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

    /// Parses RFC 3339 `date-time`; fraction digits beyond the third are cut off.
    package init(parsing text: UnsafeBufferPointer<UInt8>) throws(ParseError) {
        func number(_ start: Int, _ length: Int) throws(ParseError) -> Int {
            guard start + length <= text.count else { throw ParseError(Timestamp.shape) }
            var value = 0
            for index in start..<start + length {
                let digit = text[index] &- 48
                guard digit < 10 else { throw ParseError(Timestamp.shape) }
                value = value * 10 + Int(digit)
            }
            return value
        }
        func expect(_ index: Int, _ one: UInt8, _ other: UInt8) throws(ParseError) {
            guard index < text.count, text[index] == one || text[index] == other else {
                throw ParseError(Timestamp.shape)
            }
        }
        let dash = UInt8(ascii: "-"), colon = UInt8(ascii: ":")
        let (year, month, day) = (try number(0, 4), try number(5, 2), try number(8, 2))
        try expect(4, dash, dash)
        try expect(7, dash, dash)
        try expect(10, UInt8(ascii: "T"), UInt8(ascii: "t"))
        let (hour, minute, second) = (try number(11, 2), try number(14, 2), try number(17, 2))
        try expect(13, colon, colon)
        try expect(16, colon, colon)
        guard (1...12).contains(month) else { throw ParseError("month \(month) does not exist") }
        guard day >= 1, day <= CivilDay.daysInMonth(year: year, month: month) else {
            throw ParseError("the date \(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) does not exist")
        }
        guard hour < 24, minute < 60 else { throw ParseError("the time of day goes from 00:00:00 to 23:59:59") }
        guard second < 60 else { throw ParseError("second \(second) is refused: seconds go from 00 to 59") }

        var index = 19
        var fraction = 0
        var digits = 0
        if index < text.count, text[index] == UInt8(ascii: ".") {
            index += 1
            let start = index
            while index < text.count, text[index] &- 48 < 10 {
                if digits < 3 {
                    fraction = fraction * 10 + Int(text[index] &- 48)
                    digits += 1
                }
                index += 1
            }
            guard index > start else { throw ParseError(Timestamp.shape) }
        }
        for _ in digits..<3 { fraction *= 10 }

        guard index < text.count else { throw ParseError("a zone is missing: end with Z or an offset such as +01:00") }
        let offset: WrittenOffset
        let zone = text[index]
        if zone == UInt8(ascii: "Z") || zone == UInt8(ascii: "z") {
            offset = .zulu
            index += 1
        } else if zone == UInt8(ascii: "+") || zone == dash {
            let (hours, minutes) = (try number(index + 1, 2), try number(index + 4, 2))
            try expect(index + 3, colon, colon)
            guard hours < 24, minutes < 60 else { throw ParseError("an offset goes from -23:59 to +23:59") }
            let total = hours * 60 + minutes
            offset = zone == dash ? (total == 0 ? .unknown : .minutes(Int16(-total))) : .minutes(Int16(total))
            index += 6
        } else {
            throw ParseError("a zone is missing: end with Z or an offset such as +01:00")
        }
        guard index == text.count else { throw ParseError(Timestamp.shape) }

        let days = Int64(CivilDay(year: year, month: month, day: day).number)
        let local = ((days * 24 + Int64(hour)) * 60 + Int64(minute)) * 60_000 + Int64(second) * 1000 + Int64(fraction)
        var instant = local
        if case .minutes(let minutes) = offset { instant -= Int64(minutes) * 60_000 }
        guard Timestamp.range.contains(instant) else {
            throw ParseError("the years go from 1970 to 9999 (UTC)")
        }
        self.init(
            milliseconds: instant, offset: offset,
            spelling: Spelling(
                fractionDigits: digits, lowercaseT: text[10] == UInt8(ascii: "t"), lowercaseZ: zone == UInt8(ascii: "z")
            ))
    }

    private static let shape = "not an RFC 3339 time, such as 2026-02-05T18:00:00+01:00"

    /// The time as it was written, to the millisecond.
    public var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// RFC 3339, UTC, three fraction digits: how results are written.
    public static func utc(_ milliseconds: Int64) -> String {
        Timestamp(milliseconds: milliseconds).description
    }

    package func write(to output: inout [UInt8]) {
        func put(_ value: Int, _ width: Int) {
            var divisor = width == 4 ? 1000 : width == 3 ? 100 : 10
            while divisor > 0 {
                output.append(UInt8(48 + value / divisor % 10))
                divisor /= 10
            }
        }
        var local = milliseconds
        if case .minutes(let minutes) = offset { local += Int64(minutes) * 60_000 }
        let day = CivilDay(containing: local)
        let ofDay = Int(local - Int64(day.number) * 86_400_000)
        let (year, month, date) = day.civil
        put(year, 4)
        output.append(UInt8(ascii: "-"))
        put(month, 2)
        output.append(UInt8(ascii: "-"))
        put(date, 2)
        output.append(spelling.lowercaseT ? UInt8(ascii: "t") : UInt8(ascii: "T"))
        put(ofDay / 3_600_000, 2)
        output.append(UInt8(ascii: ":"))
        put(ofDay / 60_000 % 60, 2)
        output.append(UInt8(ascii: ":"))
        put(ofDay / 1000 % 60, 2)
        if spelling.fractionDigits > 0 {
            output.append(UInt8(ascii: "."))
            let fraction = ofDay % 1000
            switch spelling.fractionDigits {
            case 1: output.append(UInt8(48 + fraction / 100))
            case 2: put(fraction / 10, 2)
            default: put(fraction, 3)
            }
        }
        switch offset {
        case .zulu: output.append(spelling.lowercaseZ ? UInt8(ascii: "z") : UInt8(ascii: "Z"))
        case .unknown: output.append(contentsOf: "-00:00".utf8)
        case .minutes(let minutes):
            output.append(minutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            put(Int(minutes.magnitude) / 60, 2)
            output.append(UInt8(ascii: ":"))
            put(Int(minutes.magnitude) % 60, 2)
        }
    }
}
