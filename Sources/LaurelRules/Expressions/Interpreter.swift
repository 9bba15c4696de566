/// Runs instructions. Allocates nothing, counts no references, cannot fail and ends after `count` steps.
@usableFromInline
struct Interpreter {
    /// Values that one expression may hold at a time. The compiler refuses what needs more; both stacks together are
    /// small enough to stand on the machine's.
    static let maximumNumbers = 128
    static let maximumTexts = 64

    let instructions: UnsafePointer<Instruction>
    let count: Int
    let numbers: UnsafePointer<Double>
    let texts: UnsafePointer<TextSlice>

    @usableFromInline
    func number(_ frame: Frame) -> Double {
        withStacks { (numberStack, textStack) in
            run(frame, numberStack, textStack)
            return numberStack[0]
        }
    }

    @usableFromInline
    func text(_ frame: Frame) -> TextSlice {
        withStacks { (numberStack, textStack) in
            run(frame, numberStack, textStack)
            return textStack[0]
        }
    }

    @inline(__always)
    private func withStacks<Result>(
        _ body: (UnsafeMutablePointer<Double>, UnsafeMutablePointer<TextSlice>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: Self.maximumNumbers) { numberStack in
            withUnsafeTemporaryAllocation(of: TextSlice.self, capacity: Self.maximumTexts) { textStack in
                body(numberStack.baseAddress!, textStack.baseAddress!)
            }
        }
    }

    @inline(__always)
    private func run(_ frame: Frame, _ stack: UnsafeMutablePointer<Double>, _ texts: UnsafeMutablePointer<TextSlice>) {
        // Both point past the top.
        var top = stack
        var textTop = texts
        var next = instructions
        let end = instructions + count
        while next < end {
            let step = next.pointee
            next += 1
            let opcode = step.opcode
            if opcode.isBinary {
                let right = rightOperand(step, frame, &top)
                top[-1] = NumberOperators.binary(opcode, top[-1], right)
            } else if opcode.isUnary {
                top[-1] = NumberOperators.unary(opcode, top[-1])
            } else {
                move(step, frame, &top, &textTop)
            }
        }
    }

    /// The right operand of an operator on two numbers; the left one is on top of the stack then.
    @inline(__always)
    private func rightOperand(
        _ step: Instruction,
        _ frame: Frame,
        _ top: inout UnsafeMutablePointer<Double>
    ) -> Double {
        switch step.operands {
        case .stack:
            top -= 1
            return top[0]
        case .constant: break
        case .trackAndConstant: push(frame.track[Int(step.operand)], &top)
        case .eventAndConstant: push(frame.event[Int(step.operand)], &top)
        }
        return step.number
    }

    /// Pushes, selections and everything on text.
    @inline(__always)
    private func move(
        _ step: Instruction,
        _ frame: Frame,
        _ top: inout UnsafeMutablePointer<Double>,
        _ textTop: inout UnsafeMutablePointer<TextSlice>
    ) {
        let operand = Int(step.operand)
        switch step.opcode {
        case .number: push(step.number, &top)
        case .track: push(frame.track[operand], &top)
        case .event: push(frame.event[operand], &top)
        case .text: push(frame.texts[operand], &textTop)
        case .constantText: push(texts[operand], &textTop)
        case .nullText: push(TextSlice(), &textTop)
        case .inNumbers: top[-1] = isAmong(top[-1], numbers + operand, Int(step.count))
        case .select:
            top -= 2
            top[-1] = top[-1] == 1 ? top[0] : top[1]
        case .hasText, .isNullText:
            textTop -= 1
            push((textTop[0].start == nil) == (step.opcode == .isNullText) ? 1 : 0, &top)
        case .inTexts:
            textTop -= 1
            push(TextOperators.isAmong(textTop[0], texts + operand, Int(step.count)), &top)
        case .fallbackText:
            textTop -= 1
            if textTop[-1].start == nil { textTop[-1] = textTop[0] }
        case .selectText:
            textTop -= 1
            top -= 1
            if top[0] != 1 { textTop[-1] = textTop[0] }
        default:
            textTop -= 2
            push(TextOperators.compare(step.opcode, textTop[0], textTop[1]), &top)
        }
    }

    @inline(__always)
    private func push<Value>(_ value: Value, _ top: inout UnsafeMutablePointer<Value>) {
        top.initialize(to: value)
        top += 1
    }

    @inline(__always)
    private func isAmong(_ number: Double, _ numbers: UnsafePointer<Double>, _ count: Int) -> Double {
        guard !number.isNaN else { return .nan }
        for index in 0..<count where numbers[index] == number { return 1 }
        return 0
    }
}
