/// Turns postfix code into instructions: values are read where they stand instead of being pushed first, and a result's
/// register is its place on the stack.
struct Lowering {
    private(set) var instructions: [Instruction] = []
    /// Constants, the lists of `in` first.
    private(set) var numbers: [Double]
    /// Constants; the last is null.
    private(set) var texts: [String?]
    private var numberStack: [Instruction.Operand] = []
    private var textStack: [Instruction.Operand] = []

    init(_ code: PostfixCode) {
        numbers = code.numbers
        texts = code.texts + [nil]
        for step in code.steps { lower(step) }
        // A name or a constant alone is no step's result.
        if let value = numberStack.first, value.place != .register { lower(.operation(.copy)) }
        if let value = textStack.first, value.place != .register { lower(.operation(.copyText)) }
    }

    private mutating func lower(_ step: PostfixCode.Step) {
        switch step {
        case .number(let number):
            numberStack.append(Instruction.Operand(.constant, numbers.count))
            numbers.append(number)
        case .track(let slot): numberStack.append(Instruction.Operand(.track, slot))
        case .event(let slot): numberStack.append(Instruction.Operand(.event, slot))
        case .text(let slot): textStack.append(Instruction.Operand(.event, slot))
        case .constantText(let index): textStack.append(Instruction.Operand(.constant, index))
        case .nullText: textStack.append(Instruction.Operand(.constant, texts.count - 1))
        case .operation(let opcode): lower(opcode)
        case .membership(let ofText, let start, let count):
            let value = ofText ? textStack.removeLast() : numberStack.removeLast()
            let (list, length) = (Instruction.Operand(.constant, start), Instruction.Operand(.constant, count))
            append(ofText ? .inTexts : .inNumbers, [value, list, length])
        }
    }

    private mutating func lower(_ opcode: Opcode) {
        let signature = opcode.signature
        let numbers = numberStack.suffix(signature.numbers)
        let texts = textStack.suffix(signature.texts)
        numberStack.removeLast(signature.numbers)
        textStack.removeLast(signature.texts)
        append(opcode, Array(numbers) + Array(texts))
    }

    private mutating func append(_ opcode: Opcode, _ operands: [Instruction.Operand]) {
        let givesText = opcode.signature.givesText
        let place = givesText ? textStack.count : numberStack.count
        var instruction = Instruction(opcode: opcode, result: UInt8(place), first: operands[0])
        if operands.count > 1 { instruction.second = operands[1] }
        if operands.count > 2 { instruction.third = operands[2] }
        instructions.append(instruction)
        let result = Instruction.Operand(.register, place)
        if givesText { textStack.append(result) } else { numberStack.append(result) }
    }
}
