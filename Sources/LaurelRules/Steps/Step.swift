// SPDX-License-Identifier: Apache-2.0

/// One small step of a program. Operands are slots of ``StepMemory``. They are slots of texts if the opcode works on
/// texts, else slots of numbers.
///
/// Expressions have no jumps. Their evaluation has no effects and cannot fail. So both sides of `&&` and `?:` are
/// computed, and then one result is chosen. A mispredicted branch would take longer.
@usableFromInline
package struct Step: BitwiseCopyable, Sendable {
    @usableFromInline package var opcode: Opcode
    /// The slot that receives the result.
    @usableFromInline package var result: UInt32
    @usableFromInline package var first: UInt32
    @usableFromInline package var second: UInt32
    @usableFromInline package var third: UInt32
    @usableFromInline package var fourth: UInt32

    package init(_ opcode: Opcode, result: Int = 0, first: Int = 0, second: Int = 0, third: Int = 0, fourth: Int = 0) {
        self.opcode = opcode
        self.result = UInt32(result)
        self.first = UInt32(first)
        self.second = UInt32(second)
        self.third = UInt32(third)
        self.fourth = UInt32(fourth)
    }
}

/// The memory that steps read and write. Numbers are finite, or NaN for null. Booleans are 0, 1, or NaN for null.
@usableFromInline
package struct StepMemory: BitwiseCopyable {
    @usableFromInline package let numbers: UnsafeMutablePointer<Double>
    @usableFromInline package let texts: UnsafeMutablePointer<TextSlice>

    @inlinable
    package init(numbers: UnsafeMutablePointer<Double>, texts: UnsafeMutablePointer<TextSlice>) {
        self.numbers = numbers
        self.texts = texts
    }
}

/// The layout of ``StepMemory``.
///
/// Numbers, in this order: the track's numbers, the event's numbers, the host's numbers, registers, constants. Texts:
/// the event's texts, registers, constants.
package struct StepLayout: Sendable {
    package let eventNumbers: Int
    package let ownNumbers: Int
    let registers: Int
    package let constants: Int
    /// The slot of the first text register.
    package let textRegisters: Int
    package let textConstants: Int

    /// - Parameter ownCount: the number of slots for the host's own numbers.
    package init(_ layout: FrameLayout, ownCount: Int, programs: [Program]) {
        self.init(
            track: layout.trackNumberCount,
            event: layout.eventNumberCount,
            own: ownCount,
            texts: layout.textCount,
            programs.map(\.code)
        )
    }

    func isRegister(_ address: Int) -> Bool { (registers..<constants).contains(address) }

    init(track: Int = 0, event: Int, own: Int = 0, texts: Int, _ codes: [PostfixCode]) {
        let heights = codes.map(\.height)
        eventNumbers = track
        ownNumbers = eventNumbers + event
        registers = ownNumbers + own
        // One more register is needed, for a number that must stay unchanged while another number is computed.
        constants = registers + (heights.map(\.numbers).max() ?? 0) + 1
        textRegisters = texts
        textConstants = textRegisters + (heights.map(\.texts).max() ?? 0)
    }
}
