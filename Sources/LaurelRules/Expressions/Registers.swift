/// What expressions are evaluated in; not for two threads at once.
@usableFromInline
package final class Registers {
    /// Values that one expression may hold at a time. The compiler refuses what needs more.
    static let maximumNumbers = 128
    static let maximumTexts = 64

    @usableFromInline
    package struct Memory {
        /// Where operands stand, by the raw value of `Instruction.Operand.Place`; the last are the registers themselves.
        let places: UnsafeMutablePointer<UnsafePointer<Double>>
        let numbers: UnsafeMutablePointer<Double>
        let texts: UnsafeMutablePointer<TextSlice>
    }

    /// Stays where it is as long as the registers live.
    @usableFromInline package let memory: UnsafeMutablePointer<Memory>

    package init() {
        let numbers = UnsafeMutablePointer<Double>.allocate(capacity: Registers.maximumNumbers)
        let texts = UnsafeMutablePointer<TextSlice>.allocate(capacity: Registers.maximumTexts)
        let places = UnsafeMutablePointer<UnsafePointer<Double>>.allocate(
            capacity: Instruction.Operand.Place.allCases.count
        )
        numbers.initialize(repeating: .nan, count: Registers.maximumNumbers)
        texts.initialize(repeating: TextSlice(), count: Registers.maximumTexts)
        places.initialize(repeating: UnsafePointer(numbers), count: Instruction.Operand.Place.allCases.count)
        memory = .allocate(capacity: 1)
        memory.initialize(to: Memory(places: places, numbers: numbers, texts: texts))
    }

    deinit {
        memory.pointee.places.deallocate()
        memory.pointee.numbers.deallocate()
        memory.pointee.texts.deallocate()
        memory.deallocate()
    }
}
