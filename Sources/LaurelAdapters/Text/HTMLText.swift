// SPDX-License-Identifier: Apache-2.0

internal import CXML

/// The text of an HTML page, read by libxml2's lenient parser.
/// An element that starts a new line becomes a space. Scripts, styles and titles are left out. Ruby annotations (`rt`,
/// `rp`) are left out, too. So 食べる with its reading above it becomes 食べる, the word that people search for.
enum HTMLText {
    /// The maximum depth of nested elements. libxml2 has the same limit for documents.
    static let deepest = 256

    /// The maximum size of a tag in bytes. A longer tag contains an embedded picture, or very many attributes. libxml2
    /// compares all pairs of attributes, so it would be slow.
    private static let longestTag = 16_384

    /// The text of a page. If elements are nested deeper than ``deepest``, the text from there on is left out.
    /// - Complexity: O(length).
    static func read(_ html: [UInt8]) -> [UInt8] {
        // NUL characters are removed, because C reads NUL as the end of the text. `<body>` is added. Without it,
        // libxml2 would put the text into a paragraph, which starts a line.
        let page = Array("<body>".utf8) + withoutLongTags(html.filter { $0 != 0 })
        guard page.count <= Int(Int32.max), let parser = makeParser() else { return [] }
        defer { htmlFreeParserCtxt(parser) }
        var text = PageText(parser: parser)
        withUnsafeMutablePointer(to: &text) { text in
            parser.pointee.userData = UnsafeMutableRawPointer(text)
            page.withUnsafeBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                // The handlers receive all content, so libxml2 makes no document that must be freed.
                _ = htmlCtxtReadMemory(parser, start, Int32(bytes.count), nil, "UTF-8", options)
            }
        }
        return text.bytes
    }

    /// The options of the parser. The text is always UTF-8, so an encoding that the HTML declares is ignored.
    private static let options = Int32(
        [
            HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET, HTML_PARSE_NOIMPLIED,
            HTML_PARSE_IGNORE_ENC,
        ].reduce(0) { $0 | $1.rawValue }
    )

    /// Initializes libxml2 once, before any thread uses the parser.
    private static let library: Void = xmlInitParser()

    private static func makeParser() -> htmlParserCtxtPtr? {
        library
        guard let parser = htmlNewParserCtxt() else { return nil }
        guard let handlers = parser.pointee.sax else {
            htmlFreeParserCtxt(parser)
            return nil
        }
        handlers.pointee = htmlSAXHandler()
        handlers.pointee.startElement = { text, name, _ in PageText.at(text).pointee.start(name) }
        handlers.pointee.endElement = { text, name in PageText.at(text).pointee.end(name) }
        handlers.pointee.characters = { text, bytes, count in PageText.at(text).pointee.take(bytes, count) }
        handlers.pointee.ignorableWhitespace = handlers.pointee.characters
        // Without this handler, libxml2 would report the contents of scripts and styles as text.
        handlers.pointee.cdataBlock = { _, _, _ in }
        return parser
    }
}

// MARK: Long tags

extension HTMLText {
    /// The page without tags that are longer than ``longestTag``.
    /// - Complexity: O(length).
    private static func withoutLongTags(_ html: [UInt8]) -> [UInt8] {
        guard html.count > longestTag else { return html }
        var short: [UInt8] = []
        var rest = html[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            let isTag = start + 1 < rest.endIndex && 97...122 ~= rest[start + 1] | 0x20
            let end = isTag ? tagEnd(rest[start...]) : start + 1
            short += end - start > longestTag ? rest[..<start] : rest[..<end]
            rest = rest[end...]
        }
        return short + rest
    }

    /// The index after the next `>` that is not inside an attribute's quotes.
    private static func tagEnd(_ tag: ArraySlice<UInt8>) -> Int {
        var quote: UInt8?
        var last: UInt8 = 0
        for index in tag.indices {
            let byte = tag[index]
            if quote != nil {
                if byte == quote { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            } else if last == UInt8(ascii: "="), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            if byte > 0x20 { last = byte }
        }
        return tag.endIndex
    }
}

/// The text of a page so far.
private struct PageText {
    private(set) var bytes: [UInt8] = []
    private let parser: htmlParserCtxtPtr
    private var depth = 0
    /// The number of open elements whose content is not text of the page.
    private var hidden = 0

    /// The elements that are invisible, or that do not belong to the running text.
    private static let asides: Set<String> = ["script", "style", "title", "template", "rt", "rp", "rtc"]

    /// The elements that start a new line or separate lines.
    private static let lines: Set<String> = [
        "address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details", "div", "dl", "dt",
        "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "legend", "li",
        "main", "nav", "ol", "option", "p", "pre", "section", "summary", "table", "td", "th", "tr", "ul",
    ]

    init(parser: htmlParserCtxtPtr) { self.parser = parser }

    /// The pointer that the parser passes to its handlers.
    static func at(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<PageText> {
        pointer!.assumingMemoryBound(to: PageText.self)
    }

    mutating func start(_ name: UnsafePointer<xmlChar>?) {
        let name = PageText.string(name)
        depth += 1
        // Closing an element takes time in proportion to its depth. So unlimited nesting would take too long.
        if depth > HTMLText.deepest { return xmlStopParser(parser) }
        if PageText.asides.contains(name) { hidden += 1 }
        if PageText.lines.contains(name) { bytes.append(0x20) }
    }

    mutating func end(_ name: UnsafePointer<xmlChar>?) {
        let name = PageText.string(name)
        depth -= 1
        if PageText.asides.contains(name) { hidden -= 1 }
        if PageText.lines.contains(name) { bytes.append(0x20) }
    }

    mutating func take(_ text: UnsafePointer<xmlChar>?, _ count: Int32) {
        guard hidden == 0 else { return }
        bytes.append(contentsOf: UnsafeBufferPointer(start: text, count: Int(count)))
    }

    private static func string(_ name: UnsafePointer<xmlChar>?) -> String { name.map { String(cString: $0) } ?? "" }
}
