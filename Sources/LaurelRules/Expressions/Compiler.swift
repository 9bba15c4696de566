// SPDX-License-Identifier: Apache-2.0

/// Checks an expression's types and compiles it in one pass over the nodes, operands first.
struct Compiler {
    private let syntax: Syntax
    private let resolve: (String) -> NameResolution
    /// For each finished node, its type (nil if it has a mistake) and the start of its code.
    private var types: [ValueType?] = []
    private var starts: [Int] = []
    private(set) var errors: [ExpressionError] = []
    private(set) var code = PostfixCode()
    private var names: [NamedSlot] = []

    /// Returns the program. Throws all mistakes in the expression. After a syntax error, only this error is thrown.
    /// - Parameters:
    ///   - place: the name of the expression's place, for messages, such as "`award`".
    ///   - expected: the required type; nil if any type is allowed.
    /// - Complexity: O(length).
    static func compile(
        _ source: String,
        for place: String,
        expecting expected: ValueType?,
        resolve: (String) -> NameResolution
    ) -> Result<Program, ExpressionErrors> {
        withoutActuallyEscaping(resolve) { resolve in
            do throws(ExpressionError) {
                var compiler = Compiler(syntax: try Parser.parse(source), resolve: resolve)
                compiler.run()
                return compiler.finish(for: place, expecting: expected)
            } catch {
                return .failure(ExpressionErrors(errors: [error]))
            }
        }
    }

    private init(syntax: Syntax, resolve: @escaping (String) -> NameResolution) {
        self.syntax = syntax
        self.resolve = resolve
    }

    private mutating func run() {
        for node in syntax.nodes {
            let first = node.operands.first
            let start = first.map { starts[$0] } ?? code.count
            let type = compile(node, start)
            types.append(type)
            starts.append(start)
        }
    }

    private mutating func finish(
        for place: String,
        expecting expected: ValueType?
    ) -> Result<Program, ExpressionErrors> {
        var type = types.last ?? nil
        if type == .null {
            code.add(.number(.nan))
            type = expected ?? .number
        }
        if let type, let expected, type != expected {
            report(syntax.nodes.last?.range ?? 0..<0, "\(place) needs \(expected.phrase), but this is \(type.phrase)")
        }
        if errors.isEmpty, let problem = code.tooTall {
            report(0..<syntax.source.utf8.count, problem)
        }
        guard errors.isEmpty, let type else { return .failure(ExpressionErrors(errors: errors)) }
        return .success(Program(syntax: syntax, type: type, names: names, code: code))
    }

    private mutating func compile(_ node: Syntax.Node, _ start: Int) -> ValueType? {
        switch node.kind {
        case .null:
            return .null
        case .number(let number):
            code.add(.number(number))
            return .number
        case .boolean(let boolean):
            code.add(.number(boolean ? 1 : 0))
            return .boolean
        case .text(let text):
            code.add(constant: text)
            return .text
        case .name(let name): return compileName(name, node)
        case .negate: return compileUnary(node, .negate, "-", .number)
        case .not: return compileUnary(node, .not, "!", .boolean)
        case .binary(let operation): return compileBinary(operation, node, start)
        case .membership(let list): return compileMembership(list, node, start)
        case .conditional: return compileConditional(node, start)
        case .function(let function): return compileFunction(function, node, start)
        }
    }

    private mutating func compileName(_ name: String, _ node: Syntax.Node) -> ValueType? {
        switch resolve(name) {
        case .failure(let message, let suggestion):
            errors.append(
                ExpressionError(
                    offset: node.offset,
                    length: name.utf8.count,
                    message: message,
                    suggestion: suggestion
                )
            )
            return nil
        case .slot(let slot, let type, let mayBeNull):
            switch slot {
            case .track(let index): code.add(.track(index, mayBeNull: mayBeNull))
            case .event(let index): code.add(.event(index))
            case .text(let index): code.add(.text(index))
            }
            let named = NamedSlot(name: name, slot: slot, type: type)
            if !names.contains(named) { names.append(named) }
            return type
        }
    }

    private mutating func report(_ range: Range<Int>, _ message: String) {
        errors.append(ExpressionError(offset: range.lowerBound, length: range.count, message: message))
    }
}

/// The mistakes in one expression.
struct ExpressionErrors: Error {
    let errors: [ExpressionError]
}

// MARK: - Operators

extension Compiler {
    /// Checks that an operand has a type or is null. Reports a mismatch and returns false.
    private mutating func require(_ operand: Int, _ type: ValueType, by what: String) -> Bool {
        guard let actual = types[operand] else { return false }
        if actual == type || actual == .null { return true }
        report(
            syntax.nodes[operand].range,
            "\(what) takes \(type == .number ? "numbers" : type.phrase), but this is \(actual.phrase)"
        )
        return false
    }

    private func hasNull(_ operands: [Int]) -> Bool {
        operands.contains { types[$0] == .null }
    }

    /// Replaces the code from `start` to the end by the constant null.
    private mutating func becomeNull(from start: Int) {
        code.truncate(to: start)
        code.add(.number(.nan))
    }

    /// Adds code for operands that are literal nulls, which have no code until their type is known.
    private mutating func materialize(_ operands: [Int], as type: ValueType) {
        for operand in operands.reversed() where types[operand] == .null {
            code.insertNull(of: type, at: starts[operand])
        }
    }

    private mutating func emit(_ opcode: Opcode, from start: Int) {
        guard errors.isEmpty else { return }
        code.add(.operation(opcode))
        code.fold(from: start)
    }

    private mutating func compileUnary(
        _ node: Syntax.Node,
        _ opcode: Opcode,
        _ symbol: String,
        _ type: ValueType
    ) -> ValueType? {
        let operand = node.operands[0]
        guard require(operand, type, by: "`\(symbol)`") else { return type }
        if hasNull(node.operands) { becomeNull(from: starts[operand]) } else { emit(opcode, from: starts[operand]) }
        return type
    }

    private mutating func compileBinary(
        _ operation: BinaryOperator,
        _ node: Syntax.Node,
        _ start: Int
    ) -> ValueType? {
        switch operation {
        case .or, .and:
            var isRight = true
            for operand in node.operands {
                isRight = require(operand, .boolean, by: "`\(operation.rawValue)`") && isRight
            }
            guard isRight else { return .boolean }
            materialize(node.operands, as: .boolean)
            emit(operation.opcode, from: start)
            return .boolean
        case .equal, .notEqual:
            compileEquality(operation, node, start)
            return .boolean
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            compileOrder(operation, node, start)
            return .boolean
        case .add, .subtract, .multiply, .divide, .remainder:
            return compileNumeric(operation.opcode, node, start, by: "`\(operation.rawValue)`")
        }
    }

    private mutating func compileNumeric(
        _ opcode: Opcode,
        _ node: Syntax.Node,
        _ start: Int,
        by what: String
    ) -> ValueType {
        var isRight = true
        for operand in node.operands {
            isRight = require(operand, .number, by: what) && isRight
        }
        guard isRight else { return .number }
        if hasNull(node.operands) {
            becomeNull(from: start)
        } else {
            for _ in node.operands.dropFirst() { emit(opcode, from: start) }
        }
        return .number
    }

    private mutating func compileEquality(_ operation: BinaryOperator, _ node: Syntax.Node, _ start: Int) {
        guard let left = types[node.operands[0]], let right = types[node.operands[1]] else { return }
        let isEqual = operation == .equal
        if left == .null || right == .null {
            let type = left == .null ? right : left
            switch type {
            case .null: code.add(.number(isEqual ? 1 : 0))
            case .text: emit(isEqual ? .isNullText : .hasText, from: start)
            case .number, .boolean: emit(isEqual ? .isNull : .has, from: start)
            }
            return
        }
        guard left == right else {
            report(
                node.offset..<node.offset + operation.rawValue.utf8.count,
                "`\(operation.rawValue)` compares \(left.phrase) with \(right.phrase): they are never equal"
            )
            return
        }
        emit(left == .text ? operation.textOpcode : operation.opcode, from: start)
    }

    private mutating func compileOrder(_ operation: BinaryOperator, _ node: Syntax.Node, _ start: Int) {
        guard let left = types[node.operands[0]], let right = types[node.operands[1]] else { return }
        let symbol = "`\(operation.rawValue)`"
        for (operand, type) in [(node.operands[0], left), (node.operands[1], right)] where type == .boolean {
            let isChain = if case .binary(let inner) = syntax.nodes[operand].kind { inner.isOrder } else { false }
            let advice = isChain ? "; write `a < b && b < c` for a chain" : ""
            report(
                syntax.nodes[operand].range,
                "\(symbol) compares numbers or text, but this is true or false\(advice)"
            )
        }
        guard left != .boolean, right != .boolean else { return }
        if left == .null || right == .null {
            becomeNull(from: start)
        } else if left != right {
            let range = node.offset..<node.offset + operation.rawValue.utf8.count
            report(range, "\(symbol) compares numbers or text, not \(left.phrase) with \(right.phrase)")
        } else {
            emit(left == .text ? operation.textOpcode : operation.opcode, from: start)
        }
    }

    private mutating func compileMembership(
        _ list: [Syntax.Literal],
        _ node: Syntax.Node,
        _ start: Int
    ) -> ValueType? {
        guard let type = types[node.operands[0]] else { return .boolean }
        if let wanted = list.first?.type, type != .null, type != wanted {
            report(
                syntax.nodes[node.operands[0]].range,
                "`in` looks for \(wanted.phrase) in this list, but this is \(type.phrase)"
            )
            return .boolean
        }
        guard errors.isEmpty else { return .boolean }
        if type == .null {
            becomeNull(from: start)
        } else {
            code.addMembership(list, ofText: type == .text)
        }
        return .boolean
    }

    private mutating func compileConditional(_ node: Syntax.Node, _ start: Int) -> ValueType? {
        let branches = Array(node.operands[1...])
        let isRight = require(node.operands[0], .boolean, by: "the condition of `? :`")
        guard let type = commonType(branches, of: "both values of `? :`", at: node) else { return nil }
        guard isRight, errors.isEmpty else { return type }
        if type == .null {
            code.truncate(to: start)
            return .null
        }
        materialize(branches, as: type)
        materialize([node.operands[0]], as: .boolean)
        emit(type == .text ? .selectText : .select, from: start)
        return type
    }

    /// Compiles `day(text)`. The day of a literal is computed here, once.
    private mutating func compileDay(_ node: Syntax.Node, _ start: Int) {
        let operand = node.operands[0]
        guard require(operand, .text, by: "`day`"), errors.isEmpty else { return }
        if case .text(let text) = syntax.nodes[operand].kind {
            code.truncate(to: start)
            code.add(.number(TextOperators.day(text.utf8)))
        } else if hasNull(node.operands) {
            becomeNull(from: start)
        } else {
            emit(.dayOfText, from: start)
        }
    }

    /// The common type of all operands; null is compatible with every type. Returns nil after reporting a mismatch.
    private mutating func commonType(_ operands: [Int], of what: String, at node: Syntax.Node) -> ValueType? {
        guard let left = types[operands[0]], let right = types[operands[1]] else { return nil }
        if left == .null { return right }
        if right == .null || left == right { return left }
        report(
            node.offset..<node.range.upperBound,
            "\(what) must be of one type, not \(left.phrase) and \(right.phrase)"
        )
        return nil
    }

    private mutating func compileFunction(
        _ function: Syntax.Function,
        _ node: Syntax.Node,
        _ start: Int
    ) -> ValueType? {
        switch function {
        case .floor: return compileUnary(node, .floor, "floor", .number)
        case .ceil: return compileUnary(node, .ceil, "ceil", .number)
        case .round: return compileUnary(node, .round, "round", .number)
        case .abs: return compileUnary(node, .abs, "abs", .number)
        case .min: return compileNumeric(.minimum, node, start, by: "`min`")
        case .max: return compileNumeric(.maximum, node, start, by: "`max`")
        case .has:
            guard let type = types[node.operands[0]] else { return .boolean }
            if type == .null {
                code.add(.number(0))
            } else {
                emit(type == .text ? .hasText : .has, from: start)
            }
            return .boolean
        case .day:
            compileDay(node, start)
            return .number
        case .fallback:
            guard let type = commonType(node.operands, of: "both arguments of `default`", at: node) else {
                return nil
            }
            if type == .null || !errors.isEmpty { return type }
            materialize(node.operands, as: type)
            emit(type == .text ? .fallbackText : .fallback, from: start)
            return type
        }
    }
}
