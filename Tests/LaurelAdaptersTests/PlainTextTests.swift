// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelAdapters

/// The text of a card's field.
@Suite struct PlainTextTests {
    struct Field: CustomTestStringConvertible {
        var testDescription: String
        var html: String
        var text: String

        init(_ name: String, _ html: String, _ text: String) {
            (testDescription, self.html, self.text) = (name, html, text)
        }
    }

    @Test(arguments: [
        Field("nothing", "", ""), Field("bare text", "naïve café, 1 > 0; it's 5:00", "naïve café, 1 > 0; it's 5:00"),
        Field("white space", " a\t b\r\n c ", "a b c"), Field("a no-break space", "a&nbsp; b\u{A0}c", "a b c"),
        Field("tags within a word", "<b>hab</b>l<i>ar</i>", "hablar"),
        Field("entities", "&#241;&#xF1;&ntilde; &hearts; &amp;lt; &thinsp;x", "ñññ ♥ &lt; \u{2009}x"),
        Field("what is no entity", "&unknown; Q&A & so", "&unknown; Q&A & so"),
        Field("what is no character", "a&#0;b&#xD800;c\0d\u{1}", "abcd"),
        Field("what is no tag", "a < b &amp; c <3", "a < b & c <3"), Field("a tag that does not end", "x<b c='", "x"),
        Field("a line's end", "to speak<br>to talk<br/>x", "to speak to talk x"),
        Field("divisions", "<div>uno</div><div>dos</div>tres", "uno dos tres"),
        Field("paragraphs and lists", "<p>a<p>b<ul><li>c<li>d</ul>e", "a b c d e"),
        Field("cells", "<table><tr><td>a<td>b</table>", "a b"),
        Field("scripts and styles", "<style>b{}</style>x<script>if(a<b){}</script>y", "xy"),
        Field("comments", "<!-- note -->x<!-- open", "x"), Field("a picture", "x<img src=\"a.png\" alt=y>", "x"),
        Field("a page", "<html><head><title>T</title></head><body>x</body></html>", "x"),
        Field("an encoding that it is not in", "<meta charset=latin1>ñandú", "ñandú"),
        Field("ruby", "<ruby>食<rt>た</rt></ruby>べる", "食べる"),
        Field(
            "ruby with parentheses",
            "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>",
            "漢字"
        ),
        Field("ruby without end tags", "<ruby>漢<rt>かん</ruby>です", "漢です"),
        Field("a sound", "<b>hablar</b>&nbsp;[sound:a.mp3]", "hablar"),
        Field("an open sound", "[sound:open", "[sound:open"),
        Field("clozes", "Yo {{c1::<b>tengo</b>::verb}} {{c12::dos}}", "Yo tengo dos"),
        Field("an open cloze", "{{c1::open", "open"),
        Field("no cloze", "1::2 {{x}} {{c1234::y", "1::2 {{x}} {{c1234::y"),
        Field("a picture in its tag", "a<img src='data:\(String(repeating: "A", count: 100_000))'>b", "ab"),
    ])
    func `HTML becomes text`(field: Field) { #expect(PlainText.of(field.html) == field.text) }

    /// Each text has a megabyte, and must be read quickly.
    @Test(arguments: [
        ("<b>", "</i>"), ("<b>", "</p>"), ("<ul><li>", "</ol>"), ("<div>", ""), ("<a b1=c ", ""), ("<", ""), ("&", ""),
        ("[sound:", ""), ("{{c1::", ""), ("{{c1::", "::"), ("<ruby>", "<rt>"), ("<!--", ""), ("<a b='", ">"),
    ])
    func `hostile fields take no time`(unit: String, closing: String) {
        let half = 1 << 19
        let html =
            "word " + String(repeating: unit, count: half / unit.utf8.count)
            + (closing.isEmpty ? "" : String(repeating: closing, count: half / closing.utf8.count))
        let clock = ContinuousClock()
        var text = ""
        let taken = clock.measure { text = PlainText.of(html) }
        #expect(text.hasPrefix("word"))
        #expect(taken < .seconds(20), "\(unit)\(closing)")
    }

    @Test func `attributes without number are not compared with each other`() {
        let attributes = (0..<100_000).map { "b\($0)=c" }.joined(separator: " ")
        let clock = ContinuousClock()
        let taken = clock.measure { #expect(PlainText.of("x<a \(attributes)>y<a z='>' \(attributes)>z") == "xyz") }
        #expect(taken < .seconds(10))
    }

    @Test func `what is nested is read as far as libxml2 would keep it`() {
        let depth = HTMLText.deepest
        #expect(PlainText.of(String(repeating: "<i>", count: depth - 1) + "x") == "x")
        #expect(PlainText.of("y" + String(repeating: "<i>", count: depth) + "x") == "y")
    }
}
