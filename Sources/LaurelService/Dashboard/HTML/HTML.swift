// SPDX-License-Identifier: Apache-2.0

import LaurelReports

/// A page being written. Nothing gets into it unescaped: tags and the names of attributes stand in the program, and whatever is
/// text, in an element or in an attribute, comes out escaped.
struct HTML {
    private var markup = Markup()

    var text: String { markup.text }

    init() {}

    init(_ body: (inout HTML) throws -> Void) rethrows { try body(&self) }

    /// `<tag attributes>content</tag>`.
    mutating func element(
        _ tag: StaticString,
        _ attributes: HTMLAttribute...,
        content: (inout HTML) throws -> Void
    ) rethrows {
        open(tag, attributes)
        try content(&self)
        markup.raw("</\(tag)>")
    }

    /// `<tag attributes>text</tag>`.
    mutating func element(_ tag: StaticString, _ attributes: HTMLAttribute..., text: String) {
        open(tag, attributes)
        markup.escaped(text)
        markup.raw("</\(tag)>")
    }

    /// `<tag attributes>`, of those that have no end.
    mutating func void(_ tag: StaticString, _ attributes: HTMLAttribute...) { open(tag, attributes) }

    mutating func write(_ text: String) { markup.escaped(text) }

    /// Text from data: kept apart from the direction in which the text around it runs, and no longer than a page can bear.
    mutating func data(_ text: String) { markup.isolated(text.shortened) }

    /// A chart or report, which were escaped where they were made.
    mutating func drawn(_ part: Markup) { markup.raw(part.text) }

    mutating func add(_ part: HTML) { markup.raw(part.text) }

    private mutating func open(_ tag: StaticString, _ attributes: [HTMLAttribute]) {
        markup.raw("<\(tag)")
        for attribute in attributes {
            guard let value = attribute.value else { continue }
            markup.raw(" \(attribute.name)=\"")
            markup.raw(attribute.keepsLines ? Self.keepingLines(value) : Markup.escape(value))
            markup.raw("\"")
        }
        markup.raw(">")
    }

    /// Text whose lines matter, as in a `pre` or a `textarea`.
    mutating func lines(_ text: String) { markup.raw(Self.keepingLines(text)) }

    private static func keepingLines(_ text: String) -> String {
        let plain = text.replacing("\r\n", with: "\n")
        return plain.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map { Markup.escape(String($0)) }
                .joined(separator: "\t")
        }.joined(separator: "\n")
    }
}

/// An attribute of an element.
struct HTMLAttribute {
    let name: StaticString
    /// nil leaves the attribute out.
    let value: String?
    var keepsLines = false

    init(_ name: StaticString, _ value: String?) { (self.name, self.value) = (name, value) }

    static func `class`(_ names: String) -> HTMLAttribute { HTMLAttribute("class", names) }
    static func id(_ name: String) -> HTMLAttribute { HTMLAttribute("id", name) }
    static func href(_ link: Link) -> HTMLAttribute { HTMLAttribute("href", link.text) }
    /// One that is there or not.
    static func flag(_ name: StaticString, _ isThere: Bool = true) -> HTMLAttribute {
        HTMLAttribute(name, isThere ? "" : nil)
    }
}

extension String {
    /// What a page shows of a text that anybody may have written, however long it is.
    var shortened: String {
        guard utf8.count > 160 else { return self }
        let head = prefix(160)
        return head.endIndex < endIndex ? head + "…" : self
    }
}
