// SPDX-License-Identifier: Apache-2.0

/// Reads a JSON document (RFC 8259) into the same kind of nodes as YAML. A JSON string becomes a quoted scalar, any
/// other simple value a plain scalar.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0
    private var builder = NodeBuilder()
    /// The collections that are open, outermost first: true for an object, false for an array.
    private var open: [Bool] = []

    /// Reads a document.
    /// - Throws: the mistake, with the offset of the first byte that is not valid JSON.
    /// - Complexity: O(bytes).
    static func read(_ bytes: [UInt8]) throws(YAMLError) -> YAMLDocument {
        var reader = JSONReader(bytes: bytes)
        try reader.readDocument()
        guard let document = reader.builder.document else { throw reader.error("the file is empty") }
        return document
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func readDocument() throws(YAMLError) {
        repeat {
            try readValue()
            try closeOrContinue()
        } while !open.isEmpty
        skipSpace()
        guard position == bytes.count else { throw error("unexpected text after the end of the JSON document") }
    }

    /// Reads a scalar, or the start of a collection up to its first value.
    private mutating func readValue() throws(YAMLError) {
        skipSpace()
        while let isObject = startOfCollection() {
            try builder.begin(mapping: isObject, at: position, anchor: nil)
            open.append(isObject)
            position += 1
            skipSpace()
            if bytes.has(isObject ? "}" : "]", at: position) { return }
            if isObject { try readKey() }
            skipSpace()
        }
        if bytes.has("\"", at: position) { try readText() } else { try readPlain() }
    }

    /// Called after a value. Closes the collections that end here, and reads the comma and the key before the next
    /// value.
    private mutating func closeOrContinue() throws(YAMLError) {
        while let isObject = open.last {
            skipSpace()
            if bytes.has(isObject ? "}" : "]", at: position) {
                position += 1
                open.removeLast()
                try builder.end()
                continue
            }
            guard bytes.has(",", at: position) else { throw error("expected `,` or `\(isObject ? "}" : "]")`") }
            position += 1
            if isObject { try readKey() }
            return
        }
    }

    private func startOfCollection() -> Bool? {
        bytes.has("{", at: position) ? true : bytes.has("[", at: position) ? false : nil
    }

    private mutating func readKey() throws(YAMLError) {
        skipSpace()
        guard bytes.has("\"", at: position) else { throw error("expected a key in quotes") }
        try readText()
        skipSpace()
        guard bytes.has(":", at: position) else { throw error("expected `:` after the key") }
        position += 1
    }

    private mutating func readText() throws(YAMLError) {
        let start = position
        position += 1
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                guard let (length, scalar) = JSONEscape.decode(bytes, at: position) else {
                    throw error("not an escape that JSON knows")
                }
                text.append(contentsOf: String(scalar).utf8)
                position += length
            } else {
                guard bytes[position] >= 0x20 else { throw error("a control character in a text must be escaped") }
                text.append(bytes[position])
                position += 1
            }
        }
        guard position < bytes.count else { throw YAMLError(offset: start, message: "a text that is not closed") }
        position += 1
        guard let decoded = String(validating: text, as: UTF8.self) else {
            throw YAMLError(offset: start, message: "not valid UTF-8")
        }
        try builder.scalar(YAMLScalar(text: decoded, style: .doubleQuoted, range: start..<position), anchor: nil)
    }

    private mutating func readPlain() throws(YAMLError) {
        let start = position
        while position < bytes.count, isPlain(bytes[position]) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard ["true", "false", "null"].contains(text) || PlainScalar.isJSONNumber(text) else {
            position = start
            throw error("not a JSON value")
        }
        try builder.scalar(YAMLScalar(text: text, style: .plain, range: start..<position), anchor: nil)
    }

    private func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private func error(_ message: String) -> YAMLError {
        YAMLError(offset: position, message: message)
    }
}
