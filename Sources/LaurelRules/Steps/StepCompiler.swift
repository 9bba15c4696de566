/// Turns the postfix code of expressions into steps: values are read where they stand instead of being pushed first, and a
/// result's register is its place on the stack.
package struct StepCompiler {
    private let layout: StepLayout
    private let place: (Slot) -> Int
    private var steps: [Step] = []
    /// What stands in the constants' slots.
    package private(set) var numbers: [Double] = []
    package private(set) var texts: [String?] = []
    private var numberPlaces: [UInt64: Int] = [:]
    private var numberStack: [Int] = []
    private var textStack: [Int] = []

    /// For the frames that a layout describes.
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

    /// Adds what computes a number or a condition; returns the slot in which it stands then.
    package mutating func number(_ program: Program) -> Int {
        lower(program.code)
        return numberStack.removeLast()
    }

    /// Adds what computes a text; returns the slot in which it stands then.
    package mutating func text(_ program: Program) -> Int {
        lower(program.code)
        return textStack.removeLast()
    }

    package mutating func add(_ step: Step) { steps.append(step) }

    /// Adds a step that passes over those that `body` adds.
    package mutating func add(_ step: Step, passingOver body: (inout StepCompiler) -> Void) {
        let place = steps.count
        steps.append(step)
        body(&self)
        steps[place].second = UInt32(steps.count - place - 1)
    }

    /// The slot of a constant.
    package mutating func constant(_ number: Double) -> Int {
        if let place = numberPlaces[number.bitPattern] { return place }
        let place = layout.constants + numbers.count
        numberPlaces[number.bitPattern] = place
        numbers.append(number)
        return place
    }

    /// Ends a program and begins the next.
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
            case .number(let number): numberStack.append(constant(number))
            case .track(let slot): numberStack.append(place(.track(slot)))
            case .event(let slot): numberStack.append(place(.event(slot)))
            case .text(let slot): textStack.append(place(.text(slot)))
            case .constantText(let index): textStack.append(constant(text: code.texts[index]))
            case .nullText: textStack.append(constant(text: nil))
            case .operation(let opcode): lower(opcode)
            case .membership(let ofText, let start, let count): lowerMembership(code, ofText, start..<start + count)
            }
        }
    }

    private mutating func lowerMembership(_ code: PostfixCode, _ ofText: Bool, _ list: Range<Int>) {
        let first = ofText ? textStack.removeLast() : numberStack.removeLast()
        let start = ofText ? layout.textConstants + texts.count : layout.constants + numbers.count
        if ofText { texts += code.texts[list].map(Optional.some) } else { numbers += code.numbers[list] }
        append(ofText ? .inTexts : .inNumbers, [first, start, list.count])
    }

    private mutating func lower(_ opcode: Opcode) {
        let signature = opcode.signature
        let operands = numberStack.suffix(signature.numbers) + textStack.suffix(signature.texts)
        numberStack.removeLast(signature.numbers)
        textStack.removeLast(signature.texts)
        append(opcode, Array(operands))
    }

    private mutating func append(_ opcode: Opcode, _ operands: [Int]) {
        let givesText = opcode.signature.givesText
        let result = givesText ? layout.textRegisters + textStack.count : layout.registers + numberStack.count
        steps.append(
            Step(
                opcode,
                result: result,
                first: operands[0],
                second: operands.count > 1 ? operands[1] : 0,
                third: operands.count > 2 ? operands[2] : 0
            )
        )
        if givesText { textStack.append(result) } else { numberStack.append(result) }
    }
}
