// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The content of one key of a rule: as written, and in meaning.
struct RuleFacet {
    /// The results that a facet can change.
    enum Reach {
        /// Numbers, or the unlocks of achievements.
        case numbers
        /// Lists of results, but no numbers.
        case listing
        /// Nothing that is computed.
        case nothing
    }

    /// The key in the file: `award`.
    let key: String
    /// The text for a sentence; nil if the key is not set.
    let shown: String?
    /// The meaning. For the fold, facets of equal meaning are the same, however they are written.
    let meaning: String
    /// The value, if it is a number that can be raised or lowered.
    let number: Double?
    let reach: Reach

    private init(_ key: String, shown: String?, meaning: String, number: Double? = nil, reach: Reach = .numbers) {
        self.key = key
        self.shown = shown
        self.meaning = meaning
        self.number = number
        self.reach = reach
    }

    static func expression(_ key: String, _ program: Program?) -> RuleFacet {
        RuleFacet(key, shown: program.map { "`\($0.source)`" }, meaning: program?.meaning ?? "")
    }

    static func number(_ key: String, _ number: Double?) -> RuleFacet {
        RuleFacet(key, shown: number.map(\.brief), meaning: number.map { "\($0)" } ?? "", number: number)
    }

    static func numbers(_ key: String, _ numbers: [Double]) -> RuleFacet {
        if numbers.count == 1 { return .number(key, numbers[0]) }
        let list = numbers.map(\.brief).joined(separator: ", ")
        return RuleFacet(key, shown: list, meaning: numbers.map { "\($0)" }.joined(separator: " "))
    }

    static func words(_ key: String, _ words: [String]) -> RuleFacet {
        let meaning = words.map(\.lengthPrefixed).joined()
        return RuleFacet(key, shown: words.isEmpty ? nil : words.joined(separator: ", "), meaning: meaning)
    }

    static func text(_ key: String, _ text: String?, reach: Reach = .numbers) -> RuleFacet {
        RuleFacet(key, shown: text.map { "“\($0)”" }, meaning: text.map { "=" + $0 } ?? "", reach: reach)
    }

    static func flag(_ key: String, _ value: Bool, reach: Reach) -> RuleFacet {
        RuleFacet(key, shown: value ? "true" : "false", meaning: "\(value)", reach: reach)
    }

    static func date(_ key: String, _ day: LocalDay?) -> RuleFacet {
        RuleFacet(key, shown: day?.description, meaning: day?.description ?? "")
    }

    /// A content that is too long to show.
    static func document(_ key: String, _ content: String, reach: Reach) -> RuleFacet {
        RuleFacet(key, shown: nil, meaning: content, reach: reach)
    }
}

extension String {
    /// The text with its length, so that different lists of texts are never joined to the same string.
    var lengthPrefixed: String { "\(utf8.count):\(self)" }
}

extension Program {
    /// The meaning, without blanks, needless parentheses and spellings of numbers. Equal meanings compute the same.
    var meaning: String { staticType.rawValue + " " + definition }

    /// The parsed expression as text, whatever the types of its names.
    var definition: String {
        syntax.nodes.map { node in
            "\(node.kind.meaning)/\(node.operands.map(String.init).joined(separator: ","))"
        }.joined(separator: " ")
    }

    /// True if the expression is only a name.
    var isName: Bool { syntax.nodes.count == 1 && usedSlots.count == 1 }
}

extension Syntax.Kind {
    fileprivate var meaning: String {
        switch self {
        case .null: "null"
        case .number(let number): "\(number)"
        case .text(let text): "\"" + text.lengthPrefixed
        case .boolean(let value): "\(value)"
        case .name(let name): "$\(name)"
        case .negate: "neg"
        case .not: "!"
        case .binary(let operation): operation.rawValue
        case .membership(let literals): "in[" + literals.map(\.meaning.lengthPrefixed).joined() + "]"
        case .conditional: "?:"
        case .function(let function): function.rawValue + "()"
        }
    }
}

extension Syntax.Literal {
    fileprivate var meaning: String {
        switch self {
        case .number(let number): "number(\(number))"
        case .text(let text): "text(\(text.debugDescription))"
        case .boolean(let value): "boolean(\(value))"
        }
    }
}
