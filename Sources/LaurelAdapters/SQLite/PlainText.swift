/// What a card of HTML says, as text.
enum PlainText {
    /// Without tags, comments, scripts, `[sound:…]`, cloze marks; entities resolved, white space in one space each.
    /// - Complexity: O(length).
    static func of(_ html: String) -> String {
        var reader = HTMLText(html)
        return reader.read()
    }
}

private struct HTMLText {
    private let text: [UInt8]
    private var position = 0
    private var output: [UInt8] = []

    init(_ html: String) { text = Array(html.utf8) }

    mutating func read() -> String {
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "<"): skipTag()
            case UInt8(ascii: "&"): takeEntity()
            case UInt8(ascii: "["): skipSound()
            case UInt8(ascii: "{"): openCloze()
            case UInt8(ascii: ":"): skipHint()
            case UInt8(ascii: "}"): closeCloze()
            default: take()
            }
        }
        return collapsed()
    }

    private var clozeDepth = 0

    private mutating func take() {
        output.append(text[position])
        position += 1
    }

    private func nextIs(_ word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        guard end <= text.count else { return false }
        return zip(text[position..<end], UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
            .allSatisfy { ($0 | (65...90 ~= $0 ? 32 : 0)) == $1 }
    }

    private func find(_ byte: Unicode.Scalar, from start: Int) -> Int? {
        start < text.count ? text[start...].firstIndex(of: UInt8(ascii: byte)) : nil
    }

    /// A tag that parts lines becomes a space. What only looks like a tag (`a < b`) is text.
    private mutating func skipTag() {
        let next = position + 1 < text.count ? text[position + 1] : 0
        let isTag = next == UInt8(ascii: "/") || next == UInt8(ascii: "!") || 65...90 ~= next || 97...122 ~= next
        guard isTag, let end = find(">", from: position) else { return take() }
        if nextIs("<!--") {
            return position = endOfComment()
        }
        for (name, close) in [("<style", "</style"), ("<script", "</script")] as [(StaticString, StaticString)]
        where nextIs(name) {
            return skip(past: close)
        }
        for name in ["<br", "<div", "</div", "<p", "</p", "<li", "<td", "<tr", "<hr"] as [StaticString]
        where nextIs(name) {
            output.append(0x20)
            break
        }
        position = end + 1
    }

    private mutating func endOfComment() -> Int {
        var at = position + 4
        while at + 2 < text.count {
            if text[at...].starts(with: "-->".utf8) { return at + 3 }
            at += 1
        }
        return text.count
    }

    private mutating func skip(past close: StaticString) {
        while position < text.count, !nextIs(close) { position += 1 }
        position = find(">", from: position).map { $0 + 1 } ?? text.count
    }

    private mutating func skipSound() {
        guard nextIs("[sound:"), let end = find("]", from: position) else { return take() }
        position = end + 1
    }

    // {{c1::word::hint}}

    private mutating func openCloze() {
        guard nextIs("{{c"), let colon = find(":", from: position), colon - position <= 6, colon > position + 3,
            text[position + 3..<colon].allSatisfy({ 48...57 ~= $0 }), colon + 1 < text.count,
            text[colon + 1] == UInt8(ascii: ":")
        else { return take() }
        clozeDepth += 1
        position = colon + 2
    }

    private mutating func skipHint() {
        guard clozeDepth > 0, nextIs("::") else { return take() }
        while position < text.count, !nextIs("}}") { position += 1 }
    }

    private mutating func closeCloze() {
        guard clozeDepth > 0, nextIs("}}") else { return take() }
        clozeDepth -= 1
        position += 2
    }

    private mutating func takeEntity() {
        guard let end = find(";", from: position), end - position <= 10 else { return take() }
        let name = String(decoding: text[position + 1..<end], as: UTF8.self)
        guard let scalar = HTMLText.scalar(named: name) else { return take() }
        output.append(contentsOf: String(scalar).utf8)
        position = end + 1
    }

    private static func scalar(named name: String) -> Unicode.Scalar? {
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let number = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
        }
        return entities[name]
    }

    /// Those that editors write; others are text.
    private static let entities: [String: Unicode.Scalar] = {
        var entities: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
            "hellip": "…", "laquo": "«", "raquo": "»", "iexcl": "¡", "iquest": "¿", "rsquo": "’", "lsquo": "‘",
            "ldquo": "“", "rdquo": "”", "OElig": "Œ", "oelig": "œ",
        ]
        for (index, name) in latin.split(separator: " ").enumerated() {
            entities[String(name)] = Unicode.Scalar(UInt32(0xC0 + index))
        }
        return entities
    }()

    /// From U+00C0 to U+00FF.
    private static let latin = """
        Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml \
        ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig \
        agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml \
        eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """

    private func collapsed() -> String {
        let words = output.split { $0 == 0x20 || 0x09...0x0D ~= $0 }
        return String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
    }
}
