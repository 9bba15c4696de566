// SPDX-License-Identifier: Apache-2.0

/// THE list of columns that tables keep for reports written before, with what to read instead.
enum FormerColumn: String, CaseIterable, Sendable {
    /// A number that the store gave.
    case learner
    /// As events call the learner.
    case subject

    static let successor = "learner_id"

    var advice: String {
        switch self {
        case .learner:
            "`learner` is a number that each store gives anew; the learner's id is `\(FormerColumn.successor)`"
        case .subject:
            "`subject` is now called `\(FormerColumn.successor)`; the next format of the store will not have the old name"
        }
    }

    /// The first byte at which a query's text names the column; nil where it does not, as in `SELECT *`.
    /// - Parameter isRead: whether the query reads it, as SQLite says. Of `USING (…)` it says nothing.
    func place(in sql: String, isRead: Bool) -> Int? {
        var lexer = SQLNames(sql)
        var (previous, firstUse): (SQLNames.Name?, Int?) = (nil, nil)
        while let name = lexer.next() {
            defer { previous = name }
            guard name.text == rawValue else { continue }
            if name.isInUsing || (isRead && name.isQualified) { return name.offset }
            // What follows AS is a name that the query gives.
            if isRead, firstUse == nil, previous?.text != "as" { firstUse = name.offset }
        }
        return firstUse
    }
}

/// The names in a query's text, in lower case: no parameters, and nothing within texts and comments.
private struct SQLNames {
    struct Name {
        var text: String
        var offset: Int
        /// Whether a point stands before it.
        var isQualified: Bool
        /// Whether tables are joined by it.
        var isInUsing: Bool
    }

    private let bytes: [UInt8]
    private var position = 0
    private var isInUsing = false

    init(_ sql: String) { bytes = Array(sql.utf8) }

    mutating func next() -> Name? {
        while position < bytes.count {
            let start = position
            switch bytes[start] {
            case UInt8(ascii: "'"): skip(past: "'", from: start + 1)
            case UInt8(ascii: "\""), UInt8(ascii: "`"):
                skip(past: bytes[start] == UInt8(ascii: "`") ? "`" : "\"", from: start + 1)
                return name(start + 1..<max(start + 1, position - 1))
            case UInt8(ascii: "["):
                skip(past: "]", from: start + 1)
                return name(start + 1..<max(start + 1, position - 1))
            case UInt8(ascii: "-") where bytes[start...].starts(with: "--".utf8): skip(past: "\n", from: start + 2)
            case UInt8(ascii: "/") where bytes[start...].starts(with: "/*".utf8): skip(past: "*/", from: start + 2)
            case let byte where Self.isName(byte):
                position = bytes[start...].firstIndex { !Self.isName($0) } ?? bytes.count
                if start > 0, ":@$".utf8.contains(bytes[start - 1]) { continue }
                return name(start..<position)
            case UInt8(ascii: ")"):
                isInUsing = false
                position += 1
            default: position += 1
            }
        }
        return nil
    }

    private mutating func name(_ range: Range<Int>) -> Name {
        let text = String(decoding: bytes[range], as: UTF8.self).lowercased()
        defer { if text == "using" { isInUsing = true } }
        let before = bytes[..<range.lowerBound].last { !" \t\r\n\"`[".utf8.contains($0) }
        return Name(
            text: text,
            offset: range.lowerBound,
            isQualified: before == UInt8(ascii: "."),
            isInUsing: isInUsing
        )
    }

    private mutating func skip(past end: StaticString, from start: Int) {
        let end = Array(end.description.utf8)
        position = min(start, bytes.count)
        while position < bytes.count, !bytes[position...].starts(with: end) { position += 1 }
        position = min(position + end.count, bytes.count)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
