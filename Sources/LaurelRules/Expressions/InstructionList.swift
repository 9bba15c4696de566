/// The code of an expression being compiled, and its constants.
struct InstructionList {
    private(set) var instructions: [Instruction] = []
    private(set) var numbers: [Double] = []
    private(set) var texts: [String] = []

    var count: Int { instructions.count }

    mutating func add(_ opcode: Opcode, operand: Int = 0, number: Double = 0) {
        instructions.append(Instruction(opcode: opcode, operand: Int32(operand), number: number))
    }

    mutating func add(constant text: String) {
        add(.constantText, operand: texts.count)
        texts.append(text)
    }

    mutating func addMembership(_ list: [Syntax.Literal], ofText: Bool) {
        let start = ofText ? texts.count : numbers.count
        for literal in list {
            switch literal {
            case .number(let number): numbers.append(number)
            case .boolean(let boolean): numbers.append(boolean ? 1 : 0)
            case .text(let text): texts.append(text)
            }
        }
        let opcode: Opcode = ofText ? .inTexts : .inNumbers
        instructions.append(Instruction(opcode: opcode, count: UInt16(list.count), operand: Int32(start)))
    }

    mutating func insertNull(of type: ValueType, at index: Int) {
        let null = type == .text ? Instruction(opcode: .nullText) : Instruction(opcode: .number, number: .nan)
        instructions.insert(null, at: index)
    }

    mutating func truncate(to count: Int) {
        instructions.removeSubrange(count...)
    }

    /// Where the last instruction works on constants only, puts its result in its place.
    mutating func fold(from start: Int) {
        guard let last = instructions.last, last.opcode.isBinary || last.opcode.isUnary || last.opcode == .select else {
            return
        }
        let operands = 1 - last.opcode.effect.numbers
        let first = instructions.count - 1 - operands
        guard first >= start, instructions[first..<instructions.count - 1].allSatisfy({ $0.opcode == .number }) else {
            return
        }
        let result = instructions[first...].withUnsafeBufferPointer { Self.evaluate($0) }
        truncate(to: first)
        add(.number, number: result)
    }

    private static func evaluate(_ instructions: UnsafeBufferPointer<Instruction>) -> Double {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 1) { unread in
            withUnsafeTemporaryAllocation(of: TextSlice.self, capacity: 1) { unreadTexts in
                let nothing = UnsafePointer(unread.baseAddress!)
                let noText = UnsafePointer(unreadTexts.baseAddress!)
                let interpreter = Interpreter(
                    instructions: instructions.baseAddress!,
                    count: instructions.count,
                    numbers: nothing,
                    texts: noText
                )
                return interpreter.number(Frame(track: nothing, event: nothing, texts: noText))
            }
        }
    }

    /// The instructions to run: `x op CONSTANT` is one instead of two, of three where `x` is a name.
    var fused: [Instruction] {
        var result: [Instruction] = []
        for var instruction in instructions {
            if instruction.opcode.isBinary, result.count > 1, let constant = result.last, constant.opcode == .number {
                result.removeLast()
                instruction.number = constant.number
                instruction.operands = .constant
                if let left = result.last, left.opcode == .track || left.opcode == .event {
                    result.removeLast()
                    instruction.operand = left.operand
                    instruction.operands = left.opcode == .track ? .trackAndConstant : .eventAndConstant
                }
            }
            result.append(instruction)
        }
        return result
    }

    /// Why the interpreter's stacks would not do, or nil.
    var tooTall: String? {
        var height = (numbers: 0, texts: 0)
        for instruction in instructions {
            let effect = instruction.opcode.effect
            height.numbers += effect.numbers
            height.texts += effect.texts
            if height.numbers > Interpreter.maximumNumbers || height.texts > Interpreter.maximumTexts {
                return "too many values at once: split it into several metrics or rules"
            }
        }
        return nil
    }
}
