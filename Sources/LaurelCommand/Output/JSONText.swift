import LaurelEvents

/// Writes a JSON document with its members in the order in which they are given.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    /// Whether the next member or element needs no comma.
    private var isFirst = true

    init() {}

    /// An object as a whole document, or as an element of a list.
    static func object(_ body: (inout JSONText) -> Void) -> JSONText {
        var text = JSONText()
        text.container("{", "}", body)
        return text
    }

    mutating func object(_ key: String, _ body: (inout JSONText) -> Void) {
        name(key)
        container("{", "}", body)
    }

    /// One element per item.
    mutating func list<Items: Sequence>(
        _ key: String,
        _ items: Items,
        _ body: (inout JSONText, Items.Element) -> Void
    ) {
        name(key)
        container("[", "]") { list in
            for item in items {
                list.separate()
                list.container("{", "}") { body(&$0, item) }
            }
        }
    }

    mutating func strings(_ key: String, _ items: [String]) {
        name(key)
        container("[", "]") { list in
            for item in items {
                list.separate()
                JSONWriter.write(string: item.utf8, to: &list.bytes)
            }
        }
    }

    mutating func member(_ key: String, _ value: String?) {
        name(key)
        if let value { JSONWriter.write(string: value.utf8, to: &bytes) } else { null() }
    }

    mutating func member(_ key: String, _ value: some BinaryInteger) {
        name(key)
        JSONWriter.write(integer: Int64(value), to: &bytes)
    }

    mutating func member(_ key: String, _ value: Int?) { member(key, value.map(Int64.init)) }

    mutating func member(_ key: String, _ value: Int64?) {
        name(key)
        if let value { JSONWriter.write(integer: value, to: &bytes) } else { null() }
    }

    /// Whole numbers without a point, others in the shortest spelling that reads back the same.
    mutating func member(_ key: String, _ value: Double?) {
        name(key)
        if let value, let whole = Int64(exactly: value) {
            JSONWriter.write(integer: whole, to: &bytes)
        } else if let value, value.isFinite {
            JSONWriter.write(double: value, to: &bytes)
        } else {
            null()
        }
    }

    mutating func member(_ key: String, _ value: Bool) {
        name(key)
        JSONWriter.write(value ? "true" : "false", to: &bytes)
    }

    /// A value that is JSON already.
    mutating func json(_ key: String, _ value: String) {
        name(key)
        bytes.append(contentsOf: value.utf8)
    }

    /// An instant, RFC 3339 in UTC with milliseconds.
    mutating func member(_ key: String, instant: Int64?) { member(key, instant.map(Timestamp.utc)) }

    private mutating func null() { JSONWriter.write("null", to: &bytes) }

    private mutating func name(_ key: String) {
        separate()
        JSONWriter.write(string: key.utf8, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    private mutating func container(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONText) -> Void) {
        bytes.append(UInt8(ascii: open))
        isFirst = true
        body(&self)
        bytes.append(UInt8(ascii: close))
        isFirst = false
    }
}

extension OutputStream {
    /// One document, on a line.
    func writeJSON(_ body: (inout JSONText) -> Void) throws(SystemError) {
        try write(JSONText.object(body).bytes)
        try write("\n")
    }
}
