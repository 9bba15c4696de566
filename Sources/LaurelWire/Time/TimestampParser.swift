// SPDX-License-Identifier: Apache-2.0

/// Reads an RFC 3339 time part by part.
struct TimestampParser {
    typealias ParseError = Timestamp.ParseError

    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    @inline(__always)
    private mutating func number(_ length: Int) throws(ParseError) -> Int {
        guard index + length <= text.count else { throw ParseError(Timestamp.shape) }
        var value = 0
        for position in index..<index + length {
            let digit = text[position] &- 48
            guard digit < 10 else { throw ParseError(Timestamp.shape) }
            value = value &* 10 &+ Int(digit)
        }
        index += length
        return value
    }

    @inline(__always)
    private mutating func expect(_ one: Unicode.Scalar, _ other: Unicode.Scalar) throws(ParseError) {
        guard index < text.count, text[index] == UInt8(ascii: one) || text[index] == UInt8(ascii: other) else {
            throw ParseError(Timestamp.shape)
        }
        index += 1
    }

    /// Reads the date and the `T` after it.
    mutating func date() throws(ParseError) -> LocalDay {
        let year = try number(4)
        try expect("-", "-")
        let month = try number(2)
        try expect("-", "-")
        let day = try number(2)
        try expect("T", "t")
        guard 1...12 ~= month else { throw ParseError("month \(month) does not exist") }
        guard day >= 1, day <= 28 || day <= LocalDay.daysInMonth(year: year, month: month) else {
            throw ParseError("the date \(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) does not exist")
        }
        return LocalDay(year: year, month: month, day: day)
    }

    /// Reads the time of day, as seconds after midnight.
    mutating func timeOfDay() throws(ParseError) -> Int {
        let hour = try number(2)
        try expect(":", ":")
        let minute = try number(2)
        try expect(":", ":")
        let second = try number(2)
        guard hour < 24, minute < 60 else { throw ParseError("the time of day goes from 00:00:00 to 23:59:59") }
        guard second < 60 else { throw ParseError("second \(second) is refused: seconds go from 00 to 59") }
        return (hour * 60 + minute) * 60 + second
    }

    /// Reads the fraction, as milliseconds, and the number of its digits.
    mutating func fraction() throws(ParseError) -> (milliseconds: Int, digits: Int) {
        guard index < text.count, text[index] == UInt8(ascii: ".") else { return (0, 0) }
        index += 1
        let start = index
        var (milliseconds, unit) = (0, 100)
        while index < text.count, text[index] &- 48 < 10 {
            milliseconds += Int(text[index] &- 48) * unit
            unit /= 10
            index += 1
        }
        guard index > start else { throw ParseError(Timestamp.shape) }
        return (milliseconds, min(index - start, 3))
    }

    /// Reads the offset, at the end of the text.
    mutating func offset() throws(ParseError) -> WrittenOffset {
        guard index < text.count else { throw ParseError(TimestampParser.noZone) }
        let offset: WrittenOffset
        let sign = text[index]
        index += 1
        switch sign {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): offset = .zulu
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            let hours = try number(2)
            try expect(":", ":")
            let minutes = try number(2)
            guard hours < 24, minutes < 60 else { throw ParseError("an offset goes from -23:59 to +23:59") }
            let total = Int16(hours * 60 + minutes)
            offset = sign == UInt8(ascii: "+") ? .minutes(total) : total == 0 ? .unknown : .minutes(-total)
        default: throw ParseError(TimestampParser.noZone)
        }
        guard index == text.count else { throw ParseError(Timestamp.shape) }
        return offset
    }

    private static let noZone = "a zone is missing: end with Z or an offset such as +01:00"
}
