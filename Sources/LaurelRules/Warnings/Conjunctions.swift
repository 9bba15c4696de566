// SPDX-License-Identifier: Apache-2.0

/// Finds conditions that contradict each other, `a == 1 && a == 2`, and repeated conditions, `p && p`.
struct Conjunctions {
    private(set) var findings: [ExpressionWarnings.Finding] = []
    private let syntax: Syntax

    init(_ syntax: Syntax, _ ranges: [ValueRange]) {
        self.syntax = syntax
        // Chains of an operator associate to the left. A node whose parent has the same operator is therefore inside a
        // chain, not at its top.
        var isInner = Array(repeating: false, count: syntax.nodes.count)
        for (index, node) in syntax.nodes.enumerated().reversed() {
            guard case .binary(let operation) = node.kind, operation == .and || operation == .or else { continue }
            for operand in node.operands where isChain(operand, operation) { isInner[operand] = true }
            guard !isInner[index] else { continue }
            let members = members(of: index, operation)
            findRepeated(members, operation)
            if operation == .and { findContradiction(members, ranges) }
        }
    }

    private func isChain(_ index: Int, _ operation: BinaryOperator) -> Bool {
        if case .binary(let own) = syntax.nodes[index].kind { own == operation } else { false }
    }

    /// The conditions of a chain such as `p && q && r`, in the order written.
    private func members(of top: Int, _ operation: BinaryOperator) -> [Int] {
        var open = [top]
        var members: [Int] = []
        while let index = open.popLast() {
            if isChain(index, operation) {
                open += syntax.nodes[index].operands.reversed()
            } else {
                members.append(index)
            }
        }
        return members
    }

    private mutating func findRepeated(_ members: [Int], _ operation: BinaryOperator) {
        var seen: Set<String> = []
        for member in members where !seen.insert(syntax.words(of: member)).inserted {
            let message = "`\(syntax.text(of: member))` stands twice in this `\(operation.rawValue)`"
            findings.append(.init(range: syntax.nodes[member].range, message: message))
        }
    }

    /// Reports the first condition that contradicts the conditions before it.
    private mutating func findContradiction(_ members: [Int], _ ranges: [ValueRange]) {
        var allowed: [String: ValueRange] = [:]
        for member in members {
            guard let (name, subject, demand) = demand(of: member) else { continue }
            let before = allowed[name] ?? ranges[subject]
            let both = before.intersection(demand)
            // A condition that is impossible even alone gets another message.
            if both.isNothing, !ranges[subject].intersection(demand).isNothing {
                let message = "`\(syntax.text(of: member))` is never true together with what stands before it"
                findings.append(.init(range: syntax.nodes[member].range, message: message))
                return
            }
            if !both.isNothing { allowed[name] = both }
        }
    }

    /// The values of the name for which `NAME op LITERAL` or `NAME in LIST` is true; nil for other conditions.
    private func demand(of index: Int) -> (name: String, subject: Int, demand: ValueRange)? {
        let node = syntax.nodes[index]
        guard let first = node.operands.first else { return nil }
        switch node.kind {
        case .membership(let list):
            guard case .name(let name) = syntax.nodes[first].kind else { return nil }
            let texts = list.compactMap { if case .text(let text) = $0 { text } else { nil } }
            guard texts.count == list.count, !texts.isEmpty else { return nil }
            return (name, first, ValueRange(content: .texts(texts), mayBeNull: false))
        case .binary(let operation):
            let second = node.operands[1]
            if case .name(let name) = syntax.nodes[first].kind {
                return demand(operation, syntax.nodes[second].kind).map { (name, first, $0) }
            }
            guard case .name(let name) = syntax.nodes[second].kind else { return nil }
            return demand(operation.mirrored, syntax.nodes[first].kind).map { (name, second, $0) }
        default: return nil
        }
    }

    private func demand(_ operation: BinaryOperator, _ literal: Syntax.Kind) -> ValueRange? {
        if case .text(let text) = literal, operation == .equal {
            return ValueRange(content: .texts([text]), mayBeNull: false)
        }
        guard case .number(let number) = literal else { return nil }
        switch operation {
        case .equal: return .number(NumberRange(low: number, high: number))
        case .less: return .number(NumberRange(high: number.nextDown))
        case .lessOrEqual: return .number(NumberRange(high: number))
        case .greater: return .number(NumberRange(low: number.nextUp))
        case .greaterOrEqual: return .number(NumberRange(low: number))
        default: return nil
        }
    }
}

extension ValueRange {
    fileprivate func intersection(_ other: ValueRange) -> ValueRange {
        switch (content, other.content) {
        case (.numbers(let one), .numbers(let two)):
            var both = one.intersection(two)
            if both.isWhole {
                both = NumberRange(low: both.low.rounded(.up), high: both.high.rounded(.down), isWhole: true)
            }
            return both.isEmpty ? .null : .number(both)
        case (.texts(let one), .texts(let two)):
            guard let one, let two else { return ValueRange(content: .texts(one ?? two), mayBeNull: false) }
            let both = one.filter(two.contains)
            return both.isEmpty ? .null : ValueRange(content: .texts(both), mayBeNull: false)
        default: return self
        }
    }
}

extension BinaryOperator {
    /// The operator with the same meaning after swapping the operands, such as `>` for `<`.
    fileprivate var mirrored: BinaryOperator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }
}
