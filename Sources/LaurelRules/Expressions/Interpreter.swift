/// Runs instructions. Allocates nothing, counts no references, cannot fail and ends after `count` steps.
@usableFromInline
struct Interpreter {
    let instructions: UnsafePointer<Instruction>
    let count: Int
    let numbers: UnsafePointer<Double>
    let texts: UnsafePointer<TextSlice>

    @usableFromInline
    func number(_ frame: Frame) -> Double {
        run(frame)
        return frame.registers.pointee.numbers[0]
    }

    @usableFromInline
    func text(_ frame: Frame) -> TextSlice {
        run(frame)
        return frame.registers.pointee.texts[0]
    }

    private func run(_ frame: Frame) {
        let places = frame.registers.pointee.places
        places[Instruction.Operand.Place.track.index] = frame.track
        places[Instruction.Operand.Place.event.index] = frame.event
        places[Instruction.Operand.Place.constant.index] = numbers
        let registers = frame.registers.pointee.numbers
        var next = instructions
        let end = instructions + count
        while next < end {
            let step = Step(instruction: next, places: UnsafePointer(places))
            next += 1
            let opcode = step.instruction.pointee.opcode
            let result = registers + step.result
            if opcode.isBinary {
                result.pointee = NumberOperators.binary(opcode, step.first, step.second)
            } else if opcode.isUnary {
                result.pointee = NumberOperators.unary(opcode, step.first)
            } else if case .select = opcode {
                result.pointee = step.first == 1 ? step.second : step.third
            } else {
                runRare(step, frame)
            }
        }
    }

    /// Lists and everything on text.
    @inline(never)
    private func runRare(_ step: Step, _ frame: Frame) {
        let instruction = step.instruction.pointee
        let result = frame.registers.pointee.numbers + step.result
        let textResult = frame.registers.pointee.texts + step.result
        let (list, length) = (instruction.second.index, instruction.third.index)
        switch instruction.opcode {
        case .inNumbers: result.pointee = isAmong(step.first, numbers + list, length)
        case .hasText: result.pointee = text(instruction.first, frame).start == nil ? 0 : 1
        case .isNullText: result.pointee = text(instruction.first, frame).start == nil ? 1 : 0
        case .inTexts: result.pointee = TextOperators.isAmong(text(instruction.first, frame), texts + list, length)
        case .fallbackText:
            let first = text(instruction.first, frame)
            textResult.pointee = first.start == nil ? text(instruction.second, frame) : first
        case .selectText:
            textResult.pointee = text(step.first == 1 ? instruction.second : instruction.third, frame)
        case .copyText: textResult.pointee = text(instruction.first, frame)
        case .copy: result.pointee = step.first
        default:
            result.pointee = TextOperators.compare(
                instruction.opcode,
                text(instruction.first, frame),
                text(instruction.second, frame)
            )
        }
    }

    @inline(__always)
    private func text(_ operand: Instruction.Operand, _ frame: Frame) -> TextSlice {
        switch operand.place {
        case .constant: texts[operand.index]
        case .register: frame.registers.pointee.texts[operand.index]
        case .track, .event: frame.texts[operand.index]
        }
    }

    @inline(__always)
    private func isAmong(_ number: Double, _ numbers: UnsafePointer<Double>, _ count: Int) -> Double {
        guard !number.isNaN else { return .nan }
        for index in 0..<count where numbers[index] == number { return 1 }
        return 0
    }
}

/// An instruction with the numbers it reads.
private struct Step {
    let instruction: UnsafePointer<Instruction>
    let places: UnsafePointer<UnsafePointer<Double>>

    @inline(__always)
    var result: Int { Int(instruction.pointee.result) }
    @inline(__always)
    var first: Double { number(instruction.pointee.first) }
    @inline(__always)
    var second: Double { number(instruction.pointee.second) }
    @inline(__always)
    var third: Double { number(instruction.pointee.third) }

    @inline(__always)
    private func number(_ operand: Instruction.Operand) -> Double { places[operand.place.index][operand.index] }
}
