// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelSystem

/// The operators on text, compared bytewise.
enum TextOperators {
    /// The result of one of the six comparisons: 0, 1, or NaN for null. The result is null if either side is null.
    static func compare(_ opcode: Opcode, _ a: TextSlice, _ b: TextSlice) -> Double {
        guard a.start != nil, b.start != nil else { return .nan }
        if opcode == .equalText { return areEqual(a, b) ? 1 : 0 }
        if opcode == .notEqualText { return areEqual(a, b) ? 0 : 1 }
        let order = order(a, b)
        let holds =
            switch opcode {
            case .lessText: order < 0
            case .lessOrEqualText: order <= 0
            case .greaterText: order > 0
            default: order >= 0
            }
        return holds ? 1 : 0
    }

    static func isAmong(_ text: TextSlice, _ texts: UnsafePointer<TextSlice>, _ count: Int) -> Double {
        guard text.start != nil else { return .nan }
        for index in 0..<count where areEqual(text, texts[index]) { return 1 }
        return 0
    }

    /// The number of the day that a text names as `YYYY-MM-DD`; NaN for null and for any other text.
    static func day(_ text: TextSlice) -> Double {
        guard let start = text.start else { return .nan }
        return day(UnsafeBufferPointer(start: start, count: text.count))
    }

    /// The number of the day that bytes name as `YYYY-MM-DD`, in the years 0001 to 9999; NaN for other bytes.
    static func day(_ text: some Collection<UInt8>) -> Double {
        guard let day = LocalDay(parsing: text), day >= firstDay else { return .nan }
        return Double(day.number)
    }

    private static let firstDay = LocalDay(year: 1, month: 1, day: 1)

    @inline(__always)
    private static func areEqual(_ a: TextSlice, _ b: TextSlice) -> Bool {
        guard a.count == b.count else { return false }
        guard a.count > 0, let left = a.start, let right = b.start else { return true }
        return memcmp(left, right, a.count) == 0
    }

    private static func order(_ a: TextSlice, _ b: TextSlice) -> Int {
        let common = min(a.count, b.count)
        if common > 0, let left = a.start, let right = b.start {
            let order = memcmp(left, right, common)
            if order != 0 { return Int(order) }
        }
        return a.count - b.count
    }
}
