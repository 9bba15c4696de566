// SPDX-License-Identifier: Apache-2.0

/// Computes the possible values of each node of an expression from the possible values of its names.
struct RangeAnalysis {
    private let syntax: Syntax
    /// The possible values, by index of the node.
    private(set) var ranges: [ValueRange] = []

    /// - Complexity: O(nodes), without recursion.
    init(_ syntax: Syntax, names: (String) -> ValueRange) {
        self.syntax = syntax
        ranges.reserveCapacity(syntax.nodes.count)
        for node in syntax.nodes { ranges.append(range(of: node, names)) }
    }

    /// The possible values of the whole expression.
    var result: ValueRange { ranges.last ?? .null }

    private func range(of node: Syntax.Node, _ names: (String) -> ValueRange) -> ValueRange {
        let operands = node.operands.map { ranges[$0] }
        switch node.kind {
        case .null: return .null
        case .number(let number): return .number(.one(number))
        case .text(let text): return ValueRange(content: .texts([text]), mayBeNull: false)
        case .boolean(let boolean): return .truth(boolean, !boolean)
        case .name(let name): return names(name)
        case .negate: return number(operands, -)
        case .not: return .truth(operands[0].canBeFalse, operands[0].canBeTrue, orNull: operands[0].mayBeNull)
        case .binary(let operation): return binary(operation, node, operands[0], operands[1])
        case .membership(let list): return membership(list, operands[0])
        case .conditional: return conditional(operands)
        case .function(let function): return call(function, operands)
        }
    }

    private func number(_ operands: [ValueRange], _ operation: (NumberRange) -> NumberRange) -> ValueRange {
        guard let range = operands[0].numbers else { return .null }
        return .number(operation(range), orNull: operands[0].mayBeNull)
    }

    private func conditional(_ operands: [ValueRange]) -> ValueRange {
        if !operands[0].canBeTrue { return operands[2] }
        return operands[0].isAlwaysTrue ? operands[1] : operands[1].hull(operands[2])
    }

    private func call(_ function: Syntax.Function, _ operands: [ValueRange]) -> ValueRange {
        switch function {
        case .floor: return number(operands) { $0.mapped(isWhole: true) { $0.rounded(.down) } }
        case .ceil: return number(operands) { $0.mapped(isWhole: true) { $0.rounded(.up) } }
        case .round: return number(operands) { $0.mapped(isWhole: true) { $0.rounded(.toNearestOrAwayFromZero) } }
        case .abs: return number(operands) { $0.magnitude }
        case .min: return extreme(operands, min)
        case .max: return extreme(operands, max)
        case .day: return day(operands[0])
        case .has: return .truth(!operands[0].isNothing, operands[0].mayBeNull)
        case .fallback:
            guard operands[0].mayBeNull else { return operands[0] }
            var hull = operands[0].hull(operands[1])
            hull.mayBeNull = operands[1].mayBeNull
            return hull
        }
    }

    private func day(_ text: ValueRange) -> ValueRange {
        guard case .texts(let texts) = text.content else { return .null }
        guard let texts else { return .number(NumberRange(isWhole: true), orNull: true) }
        let days = texts.map { TextOperators.day($0.utf8) }
        guard let low = days.filter({ !$0.isNaN }).min(), let high = days.filter({ !$0.isNaN }).max() else {
            return .null
        }
        let mayBeNull = text.mayBeNull || days.contains(where: \.isNaN)
        return .number(NumberRange(low: low, high: high, isWhole: true), orNull: mayBeNull)
    }

    private func extreme(_ operands: [ValueRange], _ pick: (Double, Double) -> Double) -> ValueRange {
        var result = operands[0]
        for operand in operands.dropFirst() {
            guard let one = result.numbers, let two = operand.numbers else { return .null }
            let range = NumberRange(
                low: pick(one.low, two.low),
                high: pick(one.high, two.high),
                isWhole: one.isWhole && two.isWhole
            )
            result = .number(range, orNull: result.mayBeNull || operand.mayBeNull)
        }
        return result
    }
}

// MARK: - Binary operators

extension RangeAnalysis {
    private func binary(
        _ operation: BinaryOperator,
        _ node: Syntax.Node,
        _ a: ValueRange,
        _ b: ValueRange
    ) -> ValueRange {
        switch operation {
        case .and: return conjunction(a, b)
        case .or: return disjunction(a, b)
        case .equal, .notEqual:
            let equal = equality(node, a, b)
            return operation == .equal ? equal : .truth(equal.canBeFalse, equal.canBeTrue, orNull: equal.mayBeNull)
        case .less:
            return order(a, b) {
                $0.low < $1.high
            } orNot: {
                $0.high >= $1.low
            }
        case .lessOrEqual:
            return order(a, b) {
                $0.low <= $1.high
            } orNot: {
                $0.high > $1.low
            }
        case .greater:
            return order(a, b) {
                $0.high > $1.low
            } orNot: {
                $0.low <= $1.high
            }
        case .greaterOrEqual:
            return order(a, b) {
                $0.high >= $1.low
            } orNot: {
                $0.low < $1.high
            }
        case .add, .subtract, .multiply, .divide, .remainder: return arithmetic(operation, a, b)
        }
    }

    private func conjunction(_ a: ValueRange, _ b: ValueRange) -> ValueRange {
        let null = a.mayBeNull && (b.canBeTrue || b.mayBeNull) || b.mayBeNull && (a.canBeTrue || a.mayBeNull)
        return .truth(a.canBeTrue && b.canBeTrue, a.canBeFalse || b.canBeFalse, orNull: null)
    }

    private func disjunction(_ a: ValueRange, _ b: ValueRange) -> ValueRange {
        let null = a.mayBeNull && (b.canBeFalse || b.mayBeNull) || b.mayBeNull && (a.canBeFalse || a.mayBeNull)
        return .truth(a.canBeTrue || b.canBeTrue, a.canBeFalse && b.canBeFalse, orNull: null)
    }

    private func isNull(_ operand: Int) -> Bool {
        if case .null = syntax.nodes[operand].kind { true } else { false }
    }

    private func equality(_ node: Syntax.Node, _ a: ValueRange, _ b: ValueRange) -> ValueRange {
        if isNull(node.operands[1]) { return .truth(a.mayBeNull, !a.isNothing) }
        if isNull(node.operands[0]) { return .truth(b.mayBeNull, !b.isNothing) }
        let null = a.mayBeNull || b.mayBeNull
        switch (a.content, b.content) {
        case (.numbers(let one), .numbers(let two)):
            let both = one.intersection(two)
            let isApart = both.isEmpty || both.single.map { !both.contains($0) } ?? false
            return .truth(!isApart, one.single == nil || one.single != two.single, orNull: null)
        case (.texts(let one?), .texts(let two?)):
            let isSame = one.count == 1 && one == two
            return .truth(one.contains(where: two.contains), !isSame, orNull: null)
        case (.booleans(let trueOne, let falseOne), .booleans(let trueTwo, let falseTwo)):
            return .truth(
                trueOne && trueTwo || falseOne && falseTwo,
                trueOne && falseTwo || falseOne && trueTwo,
                orNull: null
            )
        default:
            return .condition
        }
    }

    private func order(
        _ a: ValueRange,
        _ b: ValueRange,
        _ canHold: (NumberRange, NumberRange) -> Bool,
        orNot canFail: (NumberRange, NumberRange) -> Bool
    ) -> ValueRange {
        if a.isNothing || b.isNothing { return .null }
        guard let one = a.numbers, let two = b.numbers else { return .condition }
        return .truth(canHold(one, two), canFail(one, two), orNull: a.mayBeNull || b.mayBeNull)
    }

    private func arithmetic(_ operation: BinaryOperator, _ a: ValueRange, _ b: ValueRange) -> ValueRange {
        guard let one = a.numbers, let two = b.numbers else { return .null }
        let range: NumberRange
        switch operation {
        case .add: range = one + two
        case .subtract: range = one + -two
        case .multiply: range = one * two
        case .divide, .remainder:
            if two.single == 0 { return .null }
            range = operation == .divide ? one / two : one % two
        default: return .any(.number)
        }
        let dividesByZero = (operation == .divide || operation == .remainder) && two.contains(0)
        // A result that is not finite becomes null.
        let mayOverflow = operation != .remainder && !range.isBounded
        return .number(range, orNull: a.mayBeNull || b.mayBeNull || dividesByZero || mayOverflow)
    }

    private func membership(_ list: [Syntax.Literal], _ operand: ValueRange) -> ValueRange {
        switch operand.content {
        case .nothing: return .null
        case .texts(let texts):
            let items = list.compactMap { if case .text(let text) = $0 { text } else { nil } }
            let canMiss = texts.map { !$0.allSatisfy(items.contains) } ?? true
            return .truth(list.contains { operand.allows($0) }, canMiss, orNull: operand.mayBeNull)
        case .numbers, .booleans:
            let isSame = list.contains { operand.isAlways($0) }
            return .truth(list.contains { operand.allows($0) }, !isSame, orNull: operand.mayBeNull)
        }
    }
}

extension ValueRange {
    /// True if a literal may be equal to one of the values.
    func allows(_ literal: Syntax.Literal) -> Bool {
        switch (content, literal) {
        case (.texts(let texts), .text(let text)): texts.map { $0.contains(text) } ?? true
        case (.numbers(let range), .number(let number)): range.contains(number)
        case (.booleans(let canBeTrue, let canBeFalse), .boolean(let boolean)): boolean ? canBeTrue : canBeFalse
        default: false
        }
    }

    fileprivate func isAlways(_ literal: Syntax.Literal) -> Bool {
        switch (content, literal) {
        case (.numbers(let range), .number(let number)): range.single == number
        case (.booleans(true, false), .boolean(true)), (.booleans(false, true), .boolean(false)): true
        default: false
        }
    }
}
