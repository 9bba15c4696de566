// SPDX-License-Identifier: Apache-2.0

import LaurelResults

/// A text of the dashboard. Its literal is the English text, by which translations are found. The text is translated
/// when it is written.
///
/// Interpolated values have numbered places: `"Page \(page) of \(pages)"` is translated as `Page {1} of {2}`. For a
/// number with a noun, the translation contains all plural forms: `"\(count, "day") left"` is translated as `{1|one
/// day|other days} left`. A value of type `String` is data, and is never translated.
package struct PageText: Sendable {
    fileprivate enum Value: Sendable {
        case data(String)
        /// Data in a separate element, so that it does not change the direction of the text around it.
        case isolated(String)
        case number(Double)
        case text(PageText)
        case html(HTML)
    }

    private let phrase: PhraseKey
    private let values: [Value]

    /// The text in a reader's language. Elements in the text are left out.
    package func written(for reader: LocaleText = .current) -> String {
        var result = ""
        fill(reader) { part in
            switch part {
            case .text(let text), .isolated(let text): result += text
            case .html: break
            }
        }
        return result
    }

    /// The English text. It is used for names of files and of parts of a page, which are the same in all languages.
    package var english: String { written(for: .english) }

    fileprivate enum Part {
        case text(String)
        case isolated(String)
        case html(HTML)
    }

    fileprivate func fill(_ reader: LocaleText, _ add: (Part) -> Void) {
        for part in reader.texts.template(phrase).parts {
            switch part {
            case .text(let text): add(.text(text))
            case .column(let name, let forms):
                guard let place = Int(name), values.indices.contains(place - 1) else { continue }
                switch values[place - 1] {
                case .data(let text): add(.text(text))
                case .isolated(let text): add(.isolated(text))
                case .text(let text): text.fill(reader, add)
                case .html(let html): add(.html(html))
                case .number(let number): add(.text(TextTemplate.counted(number, forms, reader)))
                }
            }
        }
    }
}

extension TextTemplate {
    /// A number, with the word in the plural form that it requires.
    static func counted(_ number: Double, _ forms: [PluralCategory: String], _ reader: LocaleText) -> String {
        let text = reader.number(number)
        guard !forms.isEmpty else { return text }
        return ColumnUnit(language: reader.texts.language, forms: forms).counted(number, text, space: " ")
    }
}

extension PageText: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var phrase = PhraseKey()
        fileprivate var values: [PageText.Value] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ text: String) { phrase.append(words: text) }

        private mutating func append(_ value: PageText.Value) {
            phrase.appendPlace()
            values.append(value)
        }

        /// Appends data, which is not translated.
        package mutating func appendInterpolation(_ text: String) { append(.data(text)) }
        /// Appends data, such as a name, that may have another text direction than the text around it.
        package mutating func appendInterpolation(data text: String) { append(.isolated(text)) }
        package mutating func appendInterpolation(_ text: PageText) { append(.text(text)) }
        /// Appends a text. If the text is nil, appends nothing.
        package mutating func appendInterpolation(_ text: PageText?) { append(text.map { .text($0) } ?? .data("")) }
        /// Appends elements, such as a link in the sentence.
        package mutating func appendInterpolation(_ html: HTML) { append(.html(html)) }
        package mutating func appendInterpolation(_ number: Int) { append(.number(Double(number))) }

        /// Appends a number with its noun.
        /// - Parameter many: the plural of the noun; nil if it is the singular with `s`.
        package mutating func appendInterpolation(_ number: Int, _ one: String, _ many: String? = nil) {
            phrase.appendPlace(one, many)
            values.append(.number(Double(number)))
        }
    }

    package init(stringLiteral text: String) { self.init(english: text) }

    package init(stringInterpolation text: StringInterpolation) {
        (phrase, values) = (text.phrase, text.values)
    }

    /// - Parameter english: a text from one of the program's lists, such as the name of a source of XP.
    package init(english: String) {
        var text = StringInterpolation(literalCapacity: english.utf8.count, interpolationCount: 0)
        text.appendLiteral(english)
        self.init(stringInterpolation: text)
    }
}

extension PageText {
    /// Joins two parts of one text. The whole text is translated, not each part separately.
    package static func + (one: PageText, other: PageText) -> PageText {
        PageText(one.phrase + other.phrase, one.values + other.values)
    }

    private init(_ phrase: PhraseKey, _ values: [Value]) { (self.phrase, self.values) = (phrase, values) }
}

/// Text of the dashboard, written into HTML elements.
extension HTML {
    package mutating func write(_ text: PageText) {
        var parts = HTML()
        text.fill(.current) { part in
            switch part {
            case .text(let text): parts.write(text)
            case .isolated(let text): parts.isolated(text)
            case .html(let html): parts.add(html)
            }
        }
        add(parts)
    }

    /// An element with text: `<tag attributes>text</tag>`.
    package mutating func element(_ tag: StaticString, _ attributes: Attributes = [:], text content: PageText) {
        element(tag, attributes) { $0.write(content) }
    }
}
