/// What of a program runs: plain pointers and numbers, so that a fold can keep arrays of it and evaluate without
/// touching a reference count. Valid as long as the `Program` it is from.
///
/// `@unchecked Sendable`: the memory it points to is never written to after its program was made.
package struct Code: @unchecked Sendable {
    /// How to evaluate; most expressions of real rules are no more than a constant, a name or a comparison of both.
    @usableFromInline
    enum Shape: UInt8 {
        case constant, track, event, text
        /// `NAME op CONSTANT`.
        case compareTrack, compareEvent
        case general
    }

    @usableFromInline let shape: Shape
    @usableFromInline let opcode: Opcode
    @usableFromInline let slot: Int32
    @usableFromInline let constant: Double
    /// Behind a pointer, so that code is small enough to be passed in registers.
    @usableFromInline let interpreter: UnsafePointer<Interpreter>

    init(_ storage: ProgramStorage) {
        let first = storage.instructions[0]
        interpreter = UnsafePointer(storage.interpreter)
        shape = storage.instructions.count == 1 ? Self.shape(first) : .general
        opcode = first.opcode
        slot = Int32(first.first.index)
        switch shape {
        case .constant: constant = storage.numbers[first.first.index]
        case .compareTrack, .compareEvent: constant = storage.numbers[first.second.index]
        default: constant = .nan
        }
    }

    private static func shape(_ instruction: Instruction) -> Shape {
        switch (instruction.opcode, instruction.first.place, instruction.second.place) {
        case (.copy, .constant, _): .constant
        case (.copy, .track, _): .track
        case (.copy, .event, _): .event
        case (.copyText, .event, _): .text
        case (let opcode, .track, .constant) where opcode.isBinary: .compareTrack
        case (let opcode, .event, .constant) where opcode.isBinary: .compareEvent
        default: .general
        }
    }

    /// The value of a number or of a condition (0 or 1); NaN is null.
    /// - Complexity: O(length of the expression), without allocation.
    package func number(_ frame: Frame) -> Double {
        switch shape {
        case .constant: constant
        case .track: frame.track[Int(slot)]
        case .event: frame.event[Int(slot)]
        case .compareTrack: NumberOperators.binary(opcode, frame.track[Int(slot)], constant)
        case .compareEvent: NumberOperators.binary(opcode, frame.event[Int(slot)], constant)
        case .text, .general: interpreter.pointee.number(frame)
        }
    }

    /// Whether a condition holds: null does not.
    @inlinable
    package func isTrue(_ frame: Frame) -> Bool {
        number(frame) == 1
    }

    /// The value of an expression that is text.
    @inlinable
    package func text(_ frame: Frame) -> TextSlice {
        shape == .text ? frame.texts[Int(slot)] : interpreter.pointee.text(frame)
    }
}
