/// Expressions for readers who never saw a rules file.
extension Program {
    /// The expression in words: `words learned plus 2 times lines` for `words.learned + 2 * total.lines`.
    /// - Parameter phrase: What a metric or a field is called in the middle of a sentence.
    /// - Complexity: O(length of the text).
    package func spoken(_ phrase: (String) -> String) -> String {
        // What is made of operands comes after them, so that the last text is the whole.
        var texts: [String] = []
        for node in syntax.nodes { texts.append(node.spoken(node.operands.map { part($0, texts, of: node) }, phrase)) }
        return texts.last ?? ""
    }

    /// An operand's text, in parentheses where its end would not be heard.
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
    fileprivate func spoken(_ parts: [String], _ phrase: (String) -> String) -> String {
        switch kind {
        case .null: "nothing"
        case .number(let number): number.brief
        case .text(let text): "“\(text)”"
        case .boolean(let value): value ? "true" : "false"
        case .name(let name): Syntax.spoken(name, phrase)
        case .negate: "minus \(parts[0])"
        case .not: "not \(parts[0])"
        case .binary(let sign): "\(parts[0]) \(sign.spoken) \(parts[1])"
        case .membership(let items): "\(parts[0]) among \(items.map(\.spoken).joined(separator: ", "))"
        case .conditional: "\(parts[1]) if \(parts[0]), else \(parts[2])"
        case .function(let function): function.spoken(parts)
        }
    }
}

extension Syntax {
    private static let phrases = [
        "total.xp": "XP", "session.xp": "XP of the session", "day.xp": "XP of the day", "week.xp": "XP of the week",
        "words.known": "words met", "words.learned": "words learned", "words.mastered": "words mastered",
        "streak.current": "days of the streak", "streak.longest": "days of the longest streak", "level": "the level",
    ]
    private static let windows = ["session": " of the session", "day": " of the day", "week": " of the week"]

    fileprivate static func spoken(_ name: String, _ phrase: (String) -> String) -> String {
        if let known = phrases[name] { return known }
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return phrase(name) }
        return phrase(parts[1]) + (windows[parts[0]] ?? "")
    }
}

extension Syntax.Literal {
    fileprivate var spoken: String {
        switch self {
        case .number(let number): number.brief
        case .text(let text): "“\(text)”"
        case .boolean(let value): value ? "true" : "false"
        }
    }
}

extension Syntax.Function {
    fileprivate func spoken(_ parts: [String]) -> String {
        let list =
            parts.count > 1 ? parts.dropLast().joined(separator: ", ") + " and " + parts[parts.count - 1] : parts[0]
        return switch self {
        case .floor: "\(list) rounded down"
        case .ceil: "\(list) rounded up"
        case .round: "\(list) rounded"
        case .abs: "\(list) without its sign"
        case .min: parts.count > 1 ? "the least of \(list)" : list
        case .max: parts.count > 1 ? "the most of \(list)" : list
        case .fallback: "\(parts[0]), or \(parts[1]) where there is none"
        case .has: "there is \(list)"
        }
    }
}

extension BinaryOperator {
    fileprivate var spoken: String {
        switch self {
        case .or: "or"
        case .and: "and"
        case .equal: "is"
        case .notEqual: "is not"
        case .less: "is below"
        case .lessOrEqual: "is at most"
        case .greater: "is above"
        case .greaterOrEqual: "is at least"
        case .add: "plus"
        case .subtract: "minus"
        case .multiply: "times"
        case .divide: "divided by"
        case .remainder: "modulo"
        }
    }
}
