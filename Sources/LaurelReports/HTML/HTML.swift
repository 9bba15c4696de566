// SPDX-License-Identifier: Apache-2.0

/// Writes HTML and SVG. Tags and attribute names come from the program. Text in elements and attributes is escaped.
package struct HTML: Sendable {
    /// The attributes of an element, in order. An attribute with the value nil is omitted; an attribute with an empty
    /// value is written without a value.
    package struct Attributes: ExpressibleByDictionaryLiteral, Sendable {
        fileprivate let list: [(name: StaticString, value: String?)]

        package init(dictionaryLiteral list: (StaticString, String?)...) { self.list = list }

        private init(_ list: [(name: StaticString, value: String?)]) { self.list = list }

        static func + (first: Attributes, second: Attributes) -> Attributes { Attributes(first.list + second.list) }
    }

    package private(set) var text = ""

    package init() {}

    package init(_ body: (inout HTML) throws -> Void) rethrows { try body(&self) }

    /// A page: `html`, with the head that every page has.
    /// - Parameters:
    ///   - direction: `rtl` if the language is written from right to left; `ltr` or nil otherwise.
    ///   - bodyStyle: the style of the body.
    ///   - head: writes further elements of the head.
    package static func page(
        _ title: String,
        language: String,
        direction: String? = nil,
        bodyStyle: String? = nil,
        head: (inout HTML) -> Void = { _ in },
        body: (inout HTML) -> Void
    ) -> String {
        let page = HTML { html in
            html.element("html", ["lang": language, "dir": direction]) { html in
                html.element("head") { element in
                    element.void("meta", ["charset": "utf-8"])
                    element.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                    element.element("title", text: title)
                    head(&element)
                }
                html.lines("\n")
                html.element("body", ["style": bodyStyle], content: body)
            }
        }
        return "<!doctype html>\n\(page.text)\n"
    }

    /// An element with content: `<tag attributes>content</tag>`.
    package mutating func element(
        _ tag: StaticString,
        _ attributes: Attributes = [:],
        content: (inout HTML) throws -> Void
    ) rethrows {
        open(tag, attributes)
        text += ">"
        try content(&self)
        text += "</\(tag)>"
    }

    /// An element with text: `<tag attributes>text</tag>`.
    @_disfavoredOverload
    package mutating func element(_ tag: StaticString, _ attributes: Attributes = [:], text content: String) {
        element(tag, attributes) { $0.write(content) }
    }

    /// An HTML element that has no content and no end tag: `<tag attributes>`.
    package mutating func void(_ tag: StaticString, _ attributes: Attributes = [:]) {
        open(tag, attributes)
        text += ">"
    }

    /// An SVG element without content: `<tag attributes/>`.
    mutating func shape(_ tag: StaticString, _ attributes: Attributes) {
        open(tag, attributes)
        text += "/>"
    }

    @_disfavoredOverload
    package mutating func write(_ content: String) { text += HTML.escape(content) }

    /// Writes text and preserves its line breaks, for elements such as `pre` and `textarea`.
    package mutating func lines(_ content: String) {
        text += HTML.escape(content.replacing("\r\n", with: "\n"), keepsLines: true)
    }

    /// Writes text from data. The text does not change the direction of the text around it.
    package mutating func isolated(_ content: String) { element("bdi", text: content) }

    package mutating func add(_ part: HTML) { text += part.text }

    /// - Parameter sheet: CSS that comes from the program. CSS is not escaped, so it must never contain data.
    mutating func style(_ sheet: String) { text += "<style>\(sheet)</style>" }

    private mutating func open(_ tag: StaticString, _ attributes: Attributes) {
        text += "<\(tag)"
        for (name, value) in attributes.list {
            if let value { text += " \(name)=\"\(HTML.escape(value))\"" }
        }
    }

    /// Escapes text for elements, and for attributes in double quotes. Characters that are invalid in HTML are omitted.
    private static func escape(_ text: String, keepsLines: Bool = false) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            byte >= 0x20 && byte < 0x7F && !"<>&\"'".utf8.contains(byte)
        }
        if isPlain { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "&": result += "&amp;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t" where keepsLines, "\n" where keepsLines: result.unicodeScalars.append(scalar)
            case "\t", "\n", "\r": result += " "
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": continue
            default:
                // Noncharacters of Unicode are also invalid.
                if scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value) { continue }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
