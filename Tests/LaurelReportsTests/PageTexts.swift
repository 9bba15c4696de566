// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The texts of the dashboard, read from its sources: each string literal, with a numbered place for each value. Not
/// every literal is a text that a reader sees, but every such text is one of them.
struct PageTexts {
    /// The folders whose literals may be texts of the dashboard.
    private static let folders = ["LaurelService/Dashboard", "LaurelService/Health", "LaurelResults/Stories"]

    /// The keys by which these texts are translated.
    static func all(in root: URL) throws -> Set<String> {
        var keys: Set<String> = []
        for folder in folders {
            let url = root.appending(path: "Sources/\(folder)")
            let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
            for case let file as URL in files ?? FileManager.DirectoryEnumerator()
            where file.pathExtension == "swift" {
                var reader = PageTexts(Array(try String(contentsOf: file, encoding: .utf8)))
                reader.readFile()
                keys.formUnion(reader.keys)
            }
        }
        return keys
    }

    /// A part of a literal.
    private enum Part {
        case text(String)
        /// The source of an interpolation.
        case value(String)
    }

    private let source: [Character]
    private var place = 0
    private var keys: Set<String> = []

    init(_ source: [Character]) { self.source = source }

    private var character: Character? { place < source.count ? source[place] : nil }

    private func next(is text: String) -> Bool {
        source[place...].starts(with: text)
    }

    private mutating func readFile() {
        /// The literal that a `+` may continue.
        var parts: [Part] = []
        while let character {
            if next(is: "//") {
                while self.character != "\n", self.character != nil { place += 1 }
            } else if character == "\"" {
                let isNoun = place > 1 && source[place - 2] == ","
                let literal = readLiteral()
                parts += literal
                keys.insert(Self.key(parts))
                if isNoun, self.character == ")", case .text(let noun)? = literal.first {
                    keys.insert("{1|one \(noun)|other \(noun)s}")
                }
            } else {
                if character != "+", !character.isWhitespace { parts = [] }
                place += 1
            }
        }
    }

    /// Reads a literal, from its first quotation mark.
    private mutating func readLiteral() -> [Part] {
        var (parts, text): ([Part], String) = ([], "")
        let isLong = next(is: "\"\"\"")
        place += isLong ? 3 : 1
        while let character, isLong ? !next(is: "\"\"\"") : character != "\"" {
            place += 1
            guard character == "\\", let escaped = self.character else {
                text.append(character)
                continue
            }
            place += 1
            if escaped == "(" {
                parts += [.text(text), .value(readValue())]
                text = ""
            } else {
                text.append(escaped == "n" ? "\n" : escaped)
            }
        }
        place += isLong ? 3 : 1
        return parts + [.text(text)]
    }

    /// Reads an interpolation up to its closing parenthesis.
    private mutating func readValue() -> String {
        let start = place
        var depth = 0
        while let character {
            if character == "\"" {
                // A text in an interpolation is a text, too.
                let parts = readLiteral()
                keys.insert(Self.key(parts))
                continue
            }
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) {
                if depth == 0 { break }
                depth -= 1
            }
            place += 1
        }
        defer { place += 1 }
        return String(source[start..<min(place, source.count)])
    }

    private static func key(_ parts: [Part]) -> String {
        var (key, count) = ("", 0)
        for part in parts {
            switch part {
            case .text(let text): key += text.replacing("{", with: "{{")
            case .value(let value):
                count += 1
                key += "{\(count)\(forms(value))}"
            }
        }
        return key
    }

    /// The plural forms of an interpolation such as `count, "day"` or `count, "reply", "replies"`.
    private static func forms(_ value: String) -> String {
        if let match = value.wholeMatch(of: /(?s).*?,\s*"([^"]*)",\s*"([^"]*)"/) {
            return "|one \(match.1)|other \(match.2)"
        }
        if let match = value.wholeMatch(of: /(?s).*,\s*"([^"]*)"/) { return "|one \(match.1)|other \(match.1)s" }
        return ""
    }
}
