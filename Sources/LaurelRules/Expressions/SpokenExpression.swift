// SPDX-License-Identifier: Apache-2.0

/// Expressions as English or translated phrases, for readers who do not know the syntax of rules files.
extension Program {
    /// The expression in words. For `words.learned + 2 * total.lines`: `words learned plus 2 times lines`.
    /// - Parameters:
    ///   - phrase: returns the words for a metric or a field, as in the middle of a sentence.
    ///   - text: translates each of ``SpokenTexts`` into the reader's language.
    /// - Complexity: O(length of the text).
    package func spoken(_ phrase: (String) -> String, in text: (String) -> String = { $0 }) -> String {
        // Nodes are in postfix order, so the last text is that of the whole expression.
        var texts: [String] = []
        for node in syntax.nodes {
            let parts = node.operands.map { part($0, texts, of: node) }
            texts.append(node.spoken(parts, phrase, text))
        }
        return texts.last ?? ""
    }

    /// An operand's text. The text is put in parentheses if the reader could not see where it ends.
    private func part(_ index: Int, _ texts: [String], of node: Syntax.Node) -> String {
        let isClear =
            switch (node.kind, syntax.nodes[index].kind) {
            case (_, .null), (_, .number), (_, .text), (_, .boolean), (_, .name): true
            case (.binary(let outer), .binary(let inner)):
                inner.precedence > outer.precedence || (inner == outer && index == node.operands.first)
            case (.binary(let outer), .function): outer.precedence <= BinaryOperator.relationPrecedence
            case (.binary, _), (.negate, _), (.not, _), (.membership, _), (.function, _): false
            default: true
            }
        return isClear ? texts[index] : "(\(texts[index]))"
    }
}

extension Syntax.Node {
    fileprivate func spoken(
        _ parts: [String],
        _ phrase: (String) -> String,
        _ text: (String) -> String
    ) -> String {
        switch kind {
        case .null: text("nothing")
        case .number(let number): number.brief
        case .text(let text): "“\(text)”"
        case .boolean(let value): text(value ? "true" : "false")
        case .name(let name): Syntax.spoken(name, phrase, text)
        case .negate: SpokenTexts.fill(text("minus {a}"), parts)
        case .not: SpokenTexts.fill(text("not {a}"), parts)
        case .binary(let sign): SpokenTexts.fill(text(sign.spoken), parts)
        case .membership(let items):
            SpokenTexts.fill(text("{a} among {b}"), [parts[0], items.map { $0.spoken(text) }.joined(separator: ", ")])
        case .conditional: SpokenTexts.fill(text("{b} if {a}, else {c}"), parts)
        case .function(let function): function.spoken(parts, text)
        }
    }
}

extension Syntax {
    fileprivate static let phrases = [
        "total.xp": "XP", "session.xp": "XP of the session", "day.xp": "XP of the day", "week.xp": "XP of the week",
        "season.xp": "XP of the season", "season.name": "the season",
        "words.known": "words met", "words.learned": "words learned", "words.mastered": "words mastered",
        "streak.current": "days of the streak", "streak.longest": "days of the longest streak",
        "streak.days_since_active": "days since the latest active day", "local.day": "the local day",
        "level": "the level",
    ]
    fileprivate static let windows = [
        "session": "{a} of the session", "day": "{a} of the day", "week": "{a} of the week",
        "season": "{a} of the season",
    ]

    fileprivate static func spoken(
        _ name: String,
        _ phrase: (String) -> String,
        _ text: (String) -> String
    ) -> String {
        if let known = phrases[name] { return text(known) }
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return phrase(name) }
        return windows[parts[0]].map { SpokenTexts.fill(text($0), [phrase(parts[1])]) } ?? phrase(parts[1])
    }
}

extension Syntax.Literal {
    fileprivate func spoken(_ translated: (String) -> String) -> String {
        switch self {
        case .number(let number): number.brief
        case .text(let text): "“\(text)”"
        case .boolean(let value): translated(value ? "true" : "false")
        }
    }
}

extension Syntax.Function {
    fileprivate func spoken(_ parts: [String], _ text: (String) -> String) -> String {
        let list =
            parts.count > 1
            ? SpokenTexts.fill(text("{a} and {b}"), [parts.dropLast().joined(separator: ", "), parts[parts.count - 1]])
            : parts[0]
        if self == .fallback { return SpokenTexts.fill(text(pattern), parts) }
        return parts.count > 1 || (self != .min && self != .max) ? SpokenTexts.fill(text(pattern), [list]) : list
    }

    fileprivate var pattern: String {
        switch self {
        case .floor: "{a} rounded down"
        case .ceil: "{a} rounded up"
        case .round: "{a} rounded"
        case .abs: "{a} without its sign"
        case .min: "the least of {a}"
        case .max: "the most of {a}"
        case .fallback: "{a}, or {b} where there is none"
        case .has: "there is {a}"
        case .day: "the day {a}"
        }
    }
}

extension BinaryOperator {
    fileprivate var spoken: String {
        switch self {
        case .or: "{a} or {b}"
        case .and: "{a} and {b}"
        case .equal: "{a} is {b}"
        case .notEqual: "{a} is not {b}"
        case .less: "{a} is below {b}"
        case .lessOrEqual: "{a} is at most {b}"
        case .greater: "{a} is above {b}"
        case .greaterOrEqual: "{a} is at least {b}"
        case .add: "{a} plus {b}"
        case .subtract: "{a} minus {b}"
        case .multiply: "{a} times {b}"
        case .divide: "{a} divided by {b}"
        case .remainder: "{a} modulo {b}"
        }
    }
}

/// The phrases of spoken expressions, in English. `{a}`, `{b}` and `{c}` stand for the operands.
package enum SpokenTexts {
    package static let all: [String] =
        ["nothing", "true", "false", "minus {a}", "not {a}", "{a} among {b}", "{b} if {a}, else {c}", "{a} and {b}"]
        + Syntax.phrases.values + Syntax.windows.values + Syntax.Function.allCases.map(\.pattern)
        + BinaryOperator.allCases.map(\.spoken)

    fileprivate static func fill(_ pattern: String, _ parts: [String]) -> String {
        var result = ""
        var rest = pattern[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let place = ["a", "b", "c"].firstIndex(of: rest[rest.index(after: start)..<end])
            result += rest[..<start] + (place.flatMap { $0 < parts.count ? parts[$0] : nil } ?? "")
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
