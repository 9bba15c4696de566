// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

/// Finds the parts of an expression that are never true, always true or always null.
struct ExpressionWarnings {
    /// A warning about a part of an expression's text.
    struct Finding {
        let range: Range<Int>
        let message: String
        var suggestion: String?
    }

    private(set) var findings: [Finding] = []
    /// The possible values of the whole expression.
    let result: ValueRange
    private let syntax: Syntax
    private let ranges: [ValueRange]
    /// For each node, true if a problem in the node or in a part of it was reported. Consequences of that problem are
    /// then not reported.
    private var isReported: [Bool]

    /// - Parameters:
    ///   - isAward: true if the expression's result is rounded down, as for `award`.
    ///   - names: returns the possible values of a name.
    init(_ syntax: Syntax, isAward: Bool = false, names: (String) -> ValueRange) {
        self.syntax = syntax
        let analysis = RangeAnalysis(syntax, names: names)
        ranges = analysis.ranges
        result = analysis.result
        isReported = Array(repeating: false, count: syntax.nodes.count)
        for (index, node) in syntax.nodes.enumerated() {
            isReported[index] = node.operands.contains { isReported[$0] }
            if !isReported[index] { examine(node, index) }
        }
        for finding in Conjunctions(syntax, ranges).findings { findings.append(finding) }
        guard findings.isEmpty else { return }
        findings = UnroundedQuotients(syntax, ranges, isAward: isAward).findings
    }

    /// True if a problem that concerns the whole expression was already reported.
    var isFullyReported: Bool { isReported.last ?? true }

    private mutating func warn(_ index: Int, _ message: String, _ range: Range<Int>? = nil, suggestion: String? = nil) {
        let range = range ?? syntax.nodes[index].range
        findings.append(Finding(range: range, message: message, suggestion: suggestion))
        isReported[index] = true
    }

    private func text(_ index: Int) -> String { syntax.text(of: index) }

    private mutating func examine(_ node: Syntax.Node, _ index: Int) {
        switch node.kind {
        case .null, .number, .text, .boolean: return
        case .name: examineName(index)
        case .binary(let operation) where operation.isComparison: examineComparison(operation, node, index)
        case .membership(let list): examineMembership(list, node, index)
        case .function(.has):
            guard ranges[index].isAlwaysTrue else { return examineNull(index) }
            warn(index, "`\(text(index))` is always true: `\(text(node.operands[0]))` is never null")
        case .function(.fallback):
            guard !ranges[node.operands[0]].mayBeNull, case .name = syntax.nodes[node.operands[0]].kind else { return }
            let name = text(node.operands[0])
            warn(index, "`default` has no effect: `\(name)` is never null", suggestion: name)
        case .binary, .not: examineTruth(node, index)
        default: examineNull(index)
        }
    }

    private mutating func examineName(_ index: Int) {
        if ranges[index].isNothing {
            let isStreak = text(index) == FrameLayout.TrackName.daysSinceActive.text
            let reason = isStreak ? ": there is no `streak:` in these rules" : " here: no event that comes by has it"
            warn(index, "`\(text(index))` is always null\(reason)")
        } else if ranges[index].numbers?.single == 0 {
            // Metrics that always stay 0 are reported where they are defined.
            switch text(index) {
            case "earned": warn(index, "`earned` is always 0 here: no XP rule above is for these events")
            case "streak.current", "streak.longest":
                warn(index, "`\(text(index))` is always 0: there is no `streak:` in these rules")
            default: break
            }
        }
    }

    /// Reports an operator if an operand is always null.
    private mutating func examineNull(_ index: Int) {
        guard ranges[index].isNothing else { return }
        warn(index, "`\(text(index))` is always null")
    }

    private mutating func examineTruth(_ node: Syntax.Node, _ index: Int) {
        guard case .booleans = ranges[index].content else { return examineNull(index) }
        if !ranges[index].canBeTrue {
            warn(index, "`\(text(index))` is never true")
        } else if ranges[index].isAlwaysTrue {
            warn(index, "`\(text(index))` is always true")
        }
    }

    private mutating func examineComparison(_ operation: BinaryOperator, _ node: Syntax.Node, _ index: Int) {
        let range = ranges[index]
        guard !range.canBeTrue || range.isAlwaysTrue else { return }
        let verdict = range.canBeTrue ? "always true" : "never true"
        let (left, right) = (node.operands[0], node.operands[1])
        // The message is about the side that is not a literal.
        let subject = syntax.isLiteral(left) ? right : left
        let other = subject == left ? right : left
        if case .null = syntax.nodes[other].kind {
            let isAsked = operation == .equal || operation == .notEqual
            let reason = isAsked ? "`\(text(subject))` is never null" : "nothing is \(operation.rawValue) null"
            return warn(index, "`\(text(index))` is \(verdict): \(reason)")
        }
        if case .text(let wanted) = syntax.nodes[other].kind, case .texts(let known?) = ranges[subject].content {
            return warnAboutText(index, subject, syntax.nodes[other].range, wanted, known, verdict)
        }
        let reasons = [subject, other].filter { !syntax.isLiteral($0) }
            .compactMap { side in ranges[side].phrase.map { "`\(text(side))` is \($0)" } }
        let reason = reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", ")
        warn(index, "`\(text(index))` is \(verdict)\(reason)")
    }

    private mutating func examineMembership(_ list: [Syntax.Literal], _ node: Syntax.Node, _ index: Int) {
        let subject = node.operands[0]
        if ranges[subject].isNothing { return examineNull(index) }
        for (literal, range) in zip(list, node.items) where !ranges[subject].allows(literal) {
            if case .text(let wanted) = literal, case .texts(let known?) = ranges[subject].content {
                warnAboutText(index, subject, range, wanted, known, "never true")
            } else if let phrase = ranges[subject].phrase {
                let spelled = String(decoding: Array(syntax.source.utf8)[range], as: UTF8.self)
                warn(index, "`\(text(subject))` is never \(spelled): it is \(phrase)", range)
            }
        }
        guard !isReported[index] else { return }
        if list.isEmpty {
            warn(index, "`\(text(index))` is never true: the list is empty")
        } else if ranges[index].isAlwaysTrue {
            warn(index, "`\(text(index))` is always true: the list has all that `\(text(subject))` can be")
        }
    }

    /// Reports a comparison of a name with a text literal. `known` contains the texts that the name can have.
    private mutating func warnAboutText(
        _ index: Int,
        _ subject: Int,
        _ range: Range<Int>,
        _ wanted: String,
        _ known: [String],
        _ verdict: String
    ) {
        let written = String(decoding: Array(syntax.source.utf8)[range], as: UTF8.self)
        guard !known.contains(wanted) else {
            return warn(index, "`\(text(index))` is \(verdict): `\(text(subject))` is \(ValueRange.list(known, "or"))")
        }
        let nearest = nearestName(to: wanted, among: known) ?? known.first { $0 == wanted.lowercased() }
        let quote = written.first.map(String.init) ?? "\""
        let suggestion = nearest.map { quote + $0 + quote }
        let problem = "`\(text(subject))` is never \(written): it is \(ValueRange.list(known, "or"))"
        warn(index, problem + didYouMean(code: suggestion), range, suggestion: suggestion)
    }
}

extension Syntax {
    /// The text of a node. Each run of white space is replaced by one space.
    func words(of index: Int) -> String {
        let text = String(decoding: Array(source.utf8)[nodes[index].range], as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The text of a node, cut if it is too long for a message.
    func text(of index: Int) -> String {
        let line = words(of: index)
        return line.count > 60 ? line.prefix(59) + "…" : line
    }

    func isLiteral(_ index: Int) -> Bool {
        switch nodes[index].kind {
        case .null, .number, .text, .boolean: true
        case .negate: isLiteral(nodes[index].operands[0])
        default: false
        }
    }
}

extension BinaryOperator {
    var isComparison: Bool { isOrder || self == .equal || self == .notEqual }
}
