// SPDX-License-Identifier: Apache-2.0

/// One small step of a program. Operands are slots of ``StepMemory``: among its texts if the opcode works on texts,
/// else among its numbers.
///
/// Expressions have no jumps. Evaluation has no effects and cannot fail, so both sides of `&&` and `?:` are computed
/// and one is picked. This costs less than a mispredicted branch.
@usableFromInline
package struct Step: BitwiseCopyable, Sendable {
    @usableFromInline package var opcode: Opcode
    /// The slot of the result.
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

/// The memory that steps work on. Numbers are finite, or NaN for null; booleans are 0, 1, or NaN for null.
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
/// Numbers: the track's, the event's, the host's, registers, constants. Texts: the event's, registers, constants.
package struct StepLayout: Sendable {
    package let eventNumbers: Int
    package let ownNumbers: Int
    let registers: Int
    package let constants: Int
    /// The first register among the texts.
    package let textRegisters: Int
    package let textConstants: Int

    /// - Parameter ownCount: the number of the host's own numbers.
    package init(_ layout: FrameLayout, ownCount: Int, programs: [Program]) {
        self.init(
            track: layout.trackNumberCount,
            event: layout.eventNumberCount,
            own: ownCount,
            texts: layout.textCount,
            programs.map(\.code)
        )
    }

    func isRegister(_ place: Int) -> Bool { (registers..<constants).contains(place) }

    init(track: Int = 0, event: Int, own: Int = 0, texts: Int, _ codes: [PostfixCode]) {
        let heights = codes.map(\.height)
        eventNumbers = track
        ownNumbers = eventNumbers + event
        registers = ownNumbers + own
        // One more register, for a number that is kept while another is computed.
        constants = registers + (heights.map(\.numbers).max() ?? 0) + 1
        textRegisters = texts
        textConstants = textRegisters + (heights.map(\.texts).max() ?? 0)
    }
}
