// SPDX-License-Identifier: Apache-2.0

/// Compiles the postfix code of expressions to steps. Steps read values directly from their slots, so values are not
/// pushed first. A result is stored in the register whose number is the result's position on the stack.
package struct StepCompiler {
    private let layout: StepLayout
    private let address: (Slot) -> Int
    private var steps: [Step] = []
    /// The constants, in the order of their slots: numbers, then texts.
    package private(set) var numbers: [Double] = []
    package private(set) var texts: [String?] = []
    private var numberIndexes: [UInt64: Int] = [:]
    private var numberStack: [Operand] = []
    private var textStack: [Int] = []
    /// True if all events have a session, false if no event has one; nil if unknown.
    package var isInSession: Bool?

    private struct Operand {
        let address: Int
        /// True if the value is never null.
        let isNonNull: Bool
    }

    /// Creates a compiler for frames of a layout.
    package init(_ layout: StepLayout) {
        self.init(layout) { slot in
            switch slot {
            case .track(let index), .text(let index): index
            case .event(let index): layout.eventNumbers + index
            }
        }
    }

    init(_ layout: StepLayout, address: @escaping (Slot) -> Int) {
        self.layout = layout
        self.address = address
    }

    /// Adds steps that compute a number or a condition. Returns the slot of the result.
    package mutating func number(_ program: Program) -> Int { number(program.code) }

    mutating func number(_ code: PostfixCode) -> Int {
        lower(code)
        return numberStack.removeLast().address
    }

    /// Adds steps that compute a number. The slot of the result is not reused until `body` has added the steps that
    /// read it.
    package mutating func number(_ program: Program, keptFor body: (inout StepCompiler, _ address: Int) -> Void) {
        lower(program.code)
        body(&self, numberStack[numberStack.count - 1].address)
        numberStack.removeLast()
    }

    /// Adds steps that compute a text. Returns the slot of the result.
    package mutating func text(_ program: Program) -> Int { text(program.code) }

    mutating func text(_ code: PostfixCode) -> Int {
        lower(code)
        return textStack.removeLast()
    }

    package mutating func add(_ step: Step) { steps.append(step) }

    /// Adds steps that watch achievements. `first` can skip all of these steps. Each of them can skip the remaining
    /// steps.
    package mutating func add(_ first: Step, watching body: (inout StepCompiler) -> Void) {
        let position = steps.count
        add(first, skipping: body)
        for index in steps.indices[position...] where steps[index].opcode == .watch {
            steps[index].result = UInt32(steps.count - index - 1)
        }
    }

    /// Adds a step that updates a `run` metric in two windows. If possible, the last step of the condition is merged
    /// into that step.
    package mutating func addRun(while condition: Program, _ slots: (Int, Int)) {
        let start = steps.count
        let address = number(condition)
        guard let last = steps.last, Int(last.result) == address, let opcode = last.opcode.run else {
            return steps.append(Step(.run, result: slots.0, first: address, second: slots.1))
        }
        steps.removeLast()
        var run = Step(opcode, result: slots.0, first: Int(last.first), second: Int(last.second), third: slots.1)
        if last.opcode == .sureOr, let comparison = removeComparison(into: last.first, from: start) {
            (run.opcode, run.first, run.second) = (.runAtLeastOr, comparison.first, comparison.second)
            run.fourth = last.second
        } else if last.opcode == .not, let comparison = removeLast(.sureGreaterOrEqual, into: Int(last.first)) {
            (run.opcode, run.first, run.second) = (.runUnlessAtLeast, comparison.first, comparison.second)
        }
        steps.append(run)
    }

    /// Removes a comparison and returns it, so that a later step can include it; nil if this is not possible. The
    /// comparison's result must still be in a register. The steps after the comparison must not change the slots that
    /// the comparison reads.
    private mutating func removeComparison(into address: UInt32, from start: Int) -> Step? {
        guard let index = steps.indices[start...].last(where: { steps[$0].result == address }),
            steps[index].opcode == .sureGreaterOrEqual,
            !layout.isRegister(Int(steps[index].first)), !layout.isRegister(Int(steps[index].second))
        else { return nil }
        return steps.remove(at: index)
    }

    /// Adds steps that count, in two windows, the events for which a condition is true.
    package mutating func addCount(if condition: Program, _ slots: (Int, Int)) {
        let address = number(condition)
        if let last = removeLast(.has, into: address) {
            steps.append(Step(.countHas, result: slots.0, first: Int(last.first), second: slots.1))
        } else {
            steps.append(Step(.countIf, result: slots.0, first: address, second: slots.1))
        }
    }

    /// Adds steps that add a value to a sum in two windows.
    package mutating func addSum(of value: Program, _ slots: (Int, Int)) {
        lower(value.code)
        let address = numberStack.removeLast().address
        if let last = steps.last, last.opcode == .fallback, isNonNull(Int(last.second)),
            removeLast(.fallback, into: address) != nil
        {
            let (first, other) = (Int(last.first), Int(last.second))
            steps.append(Step(.sumOr, result: slots.0, first: first, second: slots.1, third: other))
        } else {
            steps.append(Step(.sum, result: slots.0, first: address, second: slots.1))
        }
    }

    /// Removes the last step and returns it, so that a later step can include it. Returns nil if the last step has
    /// another opcode or another result.
    private mutating func removeLast(_ opcode: Opcode, into address: Int) -> Step? {
        guard let last = steps.last, last.opcode == opcode, Int(last.result) == address else { return nil }
        return steps.removeLast()
    }

    /// True if the slot contains a constant that is not null.
    private func isNonNull(_ address: Int) -> Bool { constant(at: address).map { !$0.isNaN } ?? false }

    /// Adds a step that can skip the steps that `body` adds.
    package mutating func add(_ step: Step, skipping body: (inout StepCompiler) -> Void) {
        let position = steps.count
        steps.append(step)
        body(&self)
        steps[position].second = UInt32(steps.count - position - 1)
    }

    /// The slot of a constant. An equal constant is not stored twice.
    package mutating func constant(_ number: Double) -> Int {
        if let address = numberIndexes[number.bitPattern] { return address }
        let address = layout.constants + numbers.count
        numberIndexes[number.bitPattern] = address
        numbers.append(number)
        return address
    }

    /// Ends a program and returns its steps. The compiler can then compile another program.
    package mutating func finish() -> [Step] {
        defer { steps.removeAll() }
        return steps + [Step(.end)]
    }

    private mutating func constant(text: String?) -> Int {
        texts.append(text)
        return layout.textConstants + texts.count - 1
    }

    private mutating func lower(_ code: PostfixCode) {
        for step in code.steps {
            switch step {
            case .number(let number): push(constant: number)
            case .track(let slot, let mayBeNull):
                numberStack.append(Operand(address: address(.track(slot)), isNonNull: !mayBeNull))
            case .event(let slot): numberStack.append(Operand(address: address(.event(slot)), isNonNull: false))
            case .text(let slot): textStack.append(address(.text(slot)))
            case .constantText(let index): textStack.append(constant(text: code.texts[index]))
            case .nullText: textStack.append(constant(text: nil))
            case .operation(let opcode): lower(opcode)
            case .membership(let ofText, let start, let count): lowerMembership(code, ofText, start..<start + count)
            }
        }
    }

    private mutating func push(constant number: Double) {
        numberStack.append(Operand(address: constant(number), isNonNull: !number.isNaN))
    }

    private mutating func lowerMembership(_ code: PostfixCode, _ ofText: Bool, _ list: Range<Int>) {
        let start = ofText ? layout.textConstants + texts.count : layout.constants + numbers.count
        if ofText {
            texts += code.texts[list].map(Optional.some)
            append(.inTexts, [textStack.removeLast(), start, list.count], isNonNull: false)
        } else {
            numbers += code.numbers[list]
            let value = numberStack.removeLast()
            append(.inNumbers, [value.address, start, list.count], isNonNull: value.isNonNull)
        }
    }

    private mutating func lower(_ opcode: Opcode) {
        let signature = opcode.signature
        let operands = Array(numberStack.suffix(signature.numbers))
        let texts = Array(textStack.suffix(signature.texts))
        numberStack.removeLast(signature.numbers)
        textStack.removeLast(signature.texts)
        if let isInSession, opcode == .isNullText || opcode == .hasText,
            texts[0] == FrameLayout.TextName.session.rawValue
        {
            return push(constant: isInSession == (opcode == .hasText) ? 1 : 0)
        }
        if opcode == .select, let condition = constant(at: operands[0].address) {
            let chosen = operands[condition == 1 ? 1 : 2]
            // A value in a register may be overwritten in place, but other slots must not change.
            if !layout.isRegister(chosen.address) { return numberStack.append(chosen) }
        }
        let isNonNull = operands.allSatisfy(\.isNonNull) && texts.isEmpty
        if opcode == .fallback, constant(at: operands[1].address) == 0, let last = steps.last,
            Int(last.result) == operands[0].address, let orFalse = last.opcode.orFalse
        {
            steps[steps.count - 1].opcode = orFalse
            return numberStack.append(Operand(address: operands[0].address, isNonNull: true))
        }
        if opcode == .and, isNonNull, let last = removeLast(.sureGreaterOrEqual, into: operands[1].address) {
            let comparison = [Int(last.first), Int(last.second)]
            if let equality = removeLast(.sureEqual, into: operands[0].address) {
                let places = comparison + [Int(equality.first), Int(equality.second)]
                return append(.atLeastAndEqual, places, isNonNull: true)
            }
            return append(.andAtLeast, comparison + [operands[0].address], isNonNull: true)
        }
        let isKnown =
            switch opcode {
            case .has, .isNull, .hasText, .isNullText: true
            case .fallback: operands[1].isNonNull
            default: isNonNull && opcode.keepsNonNull
            }
        append((isNonNull ? opcode.sure : nil) ?? opcode, operands.map(\.address) + texts, isNonNull: isKnown)
    }

    /// The constant in a slot; nil if the slot does not contain a constant.
    private func constant(at address: Int) -> Double? {
        address >= layout.constants ? numbers[address - layout.constants] : nil
    }

    private mutating func append(_ opcode: Opcode, _ operands: [Int], isNonNull: Bool) {
        let givesText = opcode.signature.givesText
        let result = givesText ? layout.textRegisters + textStack.count : layout.registers + numberStack.count
        steps.append(
            Step(
                opcode,
                result: result,
                first: operands[0],
                second: operands.count > 1 ? operands[1] : 0,
                third: operands.count > 2 ? operands[2] : 0,
                fourth: operands.count > 3 ? operands[3] : 0
            )
        )
        if givesText {
            textStack.append(result)
        } else {
            numberStack.append(Operand(address: result, isNonNull: isNonNull))
        }
    }
}

extension Opcode {
    /// The `run` opcode that includes this comparison; nil if there is none.
    fileprivate var run: Opcode? {
        switch self {
        case .greaterOrEqual, .sureGreaterOrEqual: .runAtLeast
        case .equal, .sureEqual: .runExactly
        case .or, .sureOr: .runEither
        case .not: .runUnless
        default: nil
        }
    }
}
