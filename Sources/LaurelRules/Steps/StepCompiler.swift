// SPDX-License-Identifier: Apache-2.0

/// Compiles the postfix code of expressions to steps. Steps read values in place, so values are not pushed first. A
/// result is stored in the register whose number is its position on the stack.
package struct StepCompiler {
    private let layout: StepLayout
    private let place: (Slot) -> Int
    private var steps: [Step] = []
    /// The constants, in the order of their slots: numbers, then texts.
    package private(set) var numbers: [Double] = []
    package private(set) var texts: [String?] = []
    private var numberPlaces: [UInt64: Int] = [:]
    private var numberStack: [Operand] = []
    private var textStack: [Int] = []
    /// True if all events have a session, false if none has; nil if unknown.
    package var isInSession: Bool?

    private struct Operand {
        let place: Int
        /// True if the value is never null.
        let isSure: Bool
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

    init(_ layout: StepLayout, place: @escaping (Slot) -> Int) {
        self.layout = layout
        self.place = place
    }

    /// Adds steps that compute a number or a condition. Returns the slot of the result.
    package mutating func number(_ program: Program) -> Int { number(program.code) }

    mutating func number(_ code: PostfixCode) -> Int {
        lower(code)
        return numberStack.removeLast().place
    }

    /// Adds steps that compute a number. The slot of the result is not reused until `body` has added the steps that
    /// read it.
    package mutating func number(_ program: Program, keptFor body: (inout StepCompiler, _ place: Int) -> Void) {
        lower(program.code)
        body(&self, numberStack[numberStack.count - 1].place)
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
        let place = steps.count
        add(first, passingOver: body)
        for index in steps.indices[place...] where steps[index].opcode == .watch {
            steps[index].result = UInt32(steps.count - index - 1)
        }
    }

    /// Adds a step that updates a `run` metric in two windows. If possible, the last step of the condition is merged
    /// into that step.
    package mutating func addRun(while condition: Program, _ slots: (Int, Int)) {
        let start = steps.count
        let place = number(condition)
        guard let last = steps.last, Int(last.result) == place, let opcode = last.opcode.run else {
            return steps.append(Step(.run, result: slots.0, first: place, second: slots.1))
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

    /// Removes a comparison, so that a later step can include it. The comparison's result must still be in a register.
    /// The steps after the comparison must not change the slots that it reads. Returns nil if the comparison cannot be
    /// removed.
    private mutating func removeComparison(into place: UInt32, from start: Int) -> Step? {
        guard let index = steps.indices[start...].last(where: { steps[$0].result == place }),
            steps[index].opcode == .sureGreaterOrEqual,
            !layout.isRegister(Int(steps[index].first)), !layout.isRegister(Int(steps[index].second))
        else { return nil }
        return steps.remove(at: index)
    }

    /// Adds steps that count, in two windows, the events for which a condition is true.
    package mutating func addCount(if condition: Program, _ slots: (Int, Int)) {
        let place = number(condition)
        if let last = removeLast(.has, into: place) {
            steps.append(Step(.countHas, result: slots.0, first: Int(last.first), second: slots.1))
        } else {
            steps.append(Step(.countIf, result: slots.0, first: place, second: slots.1))
        }
    }

    /// Adds steps that add a value to a sum in two windows.
    package mutating func addSum(of value: Program, _ slots: (Int, Int)) {
        lower(value.code)
        let place = numberStack.removeLast().place
        if let last = steps.last, last.opcode == .fallback, isSure(Int(last.second)),
            removeLast(.fallback, into: place) != nil
        {
            let (first, other) = (Int(last.first), Int(last.second))
            steps.append(Step(.sumOr, result: slots.0, first: first, second: slots.1, third: other))
        } else {
            steps.append(Step(.sum, result: slots.0, first: place, second: slots.1))
        }
    }

    /// Removes the last step, so that a later step can include it. Returns nil if the last step has another opcode or
    /// another result.
    private mutating func removeLast(_ opcode: Opcode, into place: Int) -> Step? {
        guard let last = steps.last, last.opcode == opcode, Int(last.result) == place else { return nil }
        return steps.removeLast()
    }

    /// True if the slot contains a constant that is not null.
    private func isSure(_ place: Int) -> Bool { constant(at: place).map { !$0.isNaN } ?? false }

    /// Adds a step that can skip the steps that `body` adds.
    package mutating func add(_ step: Step, passingOver body: (inout StepCompiler) -> Void) {
        let place = steps.count
        steps.append(step)
        body(&self)
        steps[place].second = UInt32(steps.count - place - 1)
    }

    /// The slot of a constant. An equal constant is not stored twice.
    package mutating func constant(_ number: Double) -> Int {
        if let place = numberPlaces[number.bitPattern] { return place }
        let place = layout.constants + numbers.count
        numberPlaces[number.bitPattern] = place
        numbers.append(number)
        return place
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
            case .track(let slot): numberStack.append(Operand(place: place(.track(slot)), isSure: true))
            case .event(let slot): numberStack.append(Operand(place: place(.event(slot)), isSure: false))
            case .text(let slot): textStack.append(place(.text(slot)))
            case .constantText(let index): textStack.append(constant(text: code.texts[index]))
            case .nullText: textStack.append(constant(text: nil))
            case .operation(let opcode): lower(opcode)
            case .membership(let ofText, let start, let count): lowerMembership(code, ofText, start..<start + count)
            }
        }
    }

    private mutating func push(constant number: Double) {
        numberStack.append(Operand(place: constant(number), isSure: !number.isNaN))
    }

    private mutating func lowerMembership(_ code: PostfixCode, _ ofText: Bool, _ list: Range<Int>) {
        let start = ofText ? layout.textConstants + texts.count : layout.constants + numbers.count
        if ofText {
            texts += code.texts[list].map(Optional.some)
            append(.inTexts, [textStack.removeLast(), start, list.count], isSure: false)
        } else {
            numbers += code.numbers[list]
            let value = numberStack.removeLast()
            append(.inNumbers, [value.place, start, list.count], isSure: value.isSure)
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
        if opcode == .select, let condition = constant(at: operands[0].place) {
            let chosen = operands[condition == 1 ? 1 : 2]
            // A value in a register may be overwritten in place, but other slots must not change.
            if !layout.isRegister(chosen.place) { return numberStack.append(chosen) }
        }
        let isSure = operands.allSatisfy(\.isSure) && texts.isEmpty
        if opcode == .fallback, constant(at: operands[1].place) == 0, let last = steps.last,
            Int(last.result) == operands[0].place, let orFalse = last.opcode.orFalse
        {
            steps[steps.count - 1].opcode = orFalse
            return numberStack.append(Operand(place: operands[0].place, isSure: true))
        }
        if opcode == .and, isSure, let last = removeLast(.sureGreaterOrEqual, into: operands[1].place) {
            let comparison = [Int(last.first), Int(last.second)]
            if let equality = removeLast(.sureEqual, into: operands[0].place) {
                let places = comparison + [Int(equality.first), Int(equality.second)]
                return append(.atLeastAndEqual, places, isSure: true)
            }
            return append(.andAtLeast, comparison + [operands[0].place], isSure: true)
        }
        let isKnown =
            switch opcode {
            case .has, .isNull, .hasText, .isNullText: true
            case .fallback: operands[1].isSure
            default: isSure && opcode.keepsSure
            }
        append((isSure ? opcode.sure : nil) ?? opcode, operands.map(\.place) + texts, isSure: isKnown)
    }

    /// The constant in a slot; nil if the slot does not contain a constant.
    private func constant(at place: Int) -> Double? {
        place >= layout.constants ? numbers[place - layout.constants] : nil
    }

    private mutating func append(_ opcode: Opcode, _ operands: [Int], isSure: Bool) {
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
        if givesText { textStack.append(result) } else { numberStack.append(Operand(place: result, isSure: isSure)) }
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
