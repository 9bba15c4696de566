// SPDX-License-Identifier: Apache-2.0

/// A SQL expression with paths. `$.a.b[0]` and `$."a b"` are paths to values of the record. `$name.a` is a path to a
/// value of the element that `each` or `values` calls `name`.
struct PathExpression {
    /// The expression with its paths translated to SQL.
    private(set) var sql = ""
    /// The SQL for the value as JSON (text, number or list); nil unless the expression consists of one path.
    private(set) var json: String?
    /// The names from `each` and `values` that the expression uses.
    private(set) var names: Set<String> = []
    /// The first keys of the paths into the record, with their byte offsets in the expression. In a table, they are
    /// columns.
    private(set) var keys: [(key: String, offset: Int)] = []
    /// The parts of `sql`, ascending: the byte offset at which a part begins, and the offset in the expression from
    /// which it comes.
    private var origins: [(sql: Int, source: Int, isVerbatim: Bool)] = []

    private let text: [UInt8]
    private var position = 0

    init(_ text: String) {
        self.text = Array(text.utf8)
        read()
    }

    /// Converts a byte offset in `sql` to an offset in the expression.
    func source(of offset: Int) -> Int {
        guard let origin = origins.last(where: { $0.sql <= offset }) else { return 0 }
        return origin.isVerbatim ? origin.source + offset - origin.sql : origin.source
    }

    private mutating func read() {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x0A }
        let first = text.firstIndex { !isBlank($0) } ?? 0
        let end = text.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? 0
        var verbatim = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): skipQuoted()
            case UInt8(ascii: "$"):
                take(verbatim..<position)
                let start = position
                let path = readPath()
                if start == first, position == end { json = path.json }
                origins.append((sql.utf8.count, start, false))
                sql += path.sql
                verbatim = position
            default: position += 1
            }
        }
        take(verbatim..<text.count)
    }

    private mutating func take(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        origins.append((sql.utf8.count, range.lowerBound, true))
        sql += String(decoding: text[range], as: UTF8.self)
    }

    private mutating func skipQuoted() {
        let quote = text[position]
        position += 1
        while position < text.count, text[position] != quote { position += 1 }
        position += 1
        position = min(position, text.count)
    }

    private mutating func readPath() -> (sql: String, json: String) {
        let start = position
        position += 1
        let name = readName()
        var path = "$"
        while position < text.count {
            if let key = readKey() {
                if name.isEmpty, path == "$" { keys.append((key, start)) }
                path += ".\"\(key)\""
            } else if text[position] == UInt8(ascii: "["),
                let end = text[position...].firstIndex(of: UInt8(ascii: "]")),
                text[position + 1..<end].allSatisfy({ 48...57 ~= $0 }), end > position + 1
            {
                path += String(decoding: text[position...end], as: UTF8.self)
                position = end + 1
            } else {
                break
            }
        }
        return sql(name, path)
    }

    private mutating func sql(_ name: String, _ unquoted: String) -> (sql: String, json: String) {
        let path = unquoted.replacing("'", with: "''")
        if name.isEmpty {
            if path == "$" { return ("record.value", "record.value") }
            return ("json_extract(record.value, '\(path)')", "record.value -> '\(path)'")
        }
        names.insert(name)
        if path == "$" {
            let json = """
                CASE "\(name)".type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' WHEN 'array' THEN "\(name)".value \
                WHEN 'object' THEN "\(name)".value ELSE json_quote("\(name)".value) END
                """
            return ("\"\(name)\".value", json)
        }
        // A list may contain simple values, and JSON functions would fail on them. So only objects and lists are
        // searched.
        let container = "CASE WHEN \"\(name)\".type IN ('object', 'array') THEN \"\(name)\".value END"
        return ("json_extract(\(container), '\(path)')", "(\(container)) -> '\(path)'")
    }

    /// Reads a point and the key after it; nil if no key follows. A key in double quotes may contain any other character.
    private mutating func readKey() -> String? {
        guard position + 1 < text.count, text[position] == UInt8(ascii: ".") else { return nil }
        let quote = UInt8(ascii: "\"")
        if text[position + 1] == quote, let end = text[(position + 2)...].firstIndex(of: quote), end > position + 2 {
            defer { position = end + 1 }
            return String(decoding: text[(position + 2)..<end], as: UTF8.self)
        }
        guard isLetter(text[position + 1]) else { return nil }
        position += 1
        return readName()
    }

    private mutating func readName() -> String {
        let start = position
        while position < text.count, isLetter(text[position]) || (position > start && 48...57 ~= text[position]) {
            position += 1
        }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private func isLetter(_ byte: UInt8) -> Bool {
        65...90 ~= byte || 97...122 ~= byte || byte == UInt8(ascii: "_")
    }
}
