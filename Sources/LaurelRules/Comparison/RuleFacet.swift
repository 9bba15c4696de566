// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The value of one key of a rule: its text, and its meaning.
struct RuleFacet {
    /// The kind of results that a facet can change.
    enum Reach {
        /// The facet can change numbers of learners, or unlocked achievements.
        case numbers
        /// The facet can change streaks and goals of groups, but no number of a learner.
        case groups
        /// The facet can change later results of a league, but no number that is computed from stored events.
        case leagues
        /// The facet can change lists of results, for example by hiding a result. It changes no number.
        case listing
        /// The facet changes no computed result.
        case nothing
    }

    /// The key in the file, such as `award`.
    let key: String
    /// The value as a sentence shows it; nil if the key is not set.
    let shown: String?
    /// The meaning of the value. Two facets with equal meanings have the same effect on the fold, even if they are
    /// written differently.
    let meaning: String
    /// The number, so that a message can say "raised" or "lowered"; nil if the value is not a number.
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

    static func number(_ key: String, _ number: Double?, reach: Reach = .numbers) -> RuleFacet {
        RuleFacet(key, shown: number.map(\.brief), meaning: number.map { "\($0)" } ?? "", number: number, reach: reach)
    }

    static func numbers(_ key: String, _ numbers: [Double]) -> RuleFacet {
        if numbers.count == 1 { return .number(key, numbers[0]) }
        let list = numbers.map(\.brief).joined(separator: ", ")
        return RuleFacet(key, shown: list, meaning: numbers.map { "\($0)" }.joined(separator: " "))
    }

    static func words(_ key: String, _ words: [String], reach: Reach = .numbers) -> RuleFacet {
        let meaning = words.map(\.lengthPrefixed).joined()
        let shown = words.isEmpty ? nil : words.joined(separator: ", ")
        return RuleFacet(key, shown: shown, meaning: meaning, reach: reach)
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

    /// A facet whose content is too long to show in a sentence.
    static func document(_ key: String, _ content: String, reach: Reach) -> RuleFacet {
        RuleFacet(key, shown: nil, meaning: content, reach: reach)
    }
}

extension String {
    /// The text, preceded by its length. Without the lengths, joining different lists of texts could give the same
    /// string.
    var lengthPrefixed: String { "\(utf8.count):\(self)" }
}

extension Program {
    /// The expression in normal form. The form has no blanks and no unnecessary parentheses, and one spelling for each
    /// number. Expressions with equal meanings have equal results.
    var meaning: String { staticType.rawValue + " " + definition }

    /// The parsed expression as text, without the types of its names.
    var definition: String {
        syntax.nodes.map { node in
            "\(node.kind.meaning)/\(node.operands.map(String.init).joined(separator: ","))"
        }.joined(separator: " ")
    }

    /// True if the expression consists of one name only.
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
