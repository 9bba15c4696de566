/// The memory a program runs on: allocated once, never changed, freed with the last program that uses it.
///
/// `@unchecked Sendable`: after `init` nothing writes to it.
final class ProgramStorage: @unchecked Sendable {
    let instructions: UnsafeMutableBufferPointer<Instruction>
    let numbers: UnsafeMutableBufferPointer<Double>
    let texts: UnsafeMutableBufferPointer<TextSlice>
    let interpreter: UnsafeMutablePointer<Interpreter>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ code: PostfixCode) {
        let lowered = Lowering(code)
        instructions = Self.copy(lowered.instructions)
        numbers = Self.copy(lowered.numbers)
        bytes = Self.copy(lowered.texts.flatMap { Array(($0 ?? "").utf8) })
        var start = UnsafePointer(bytes.baseAddress!)
        texts = Self.copy(
            lowered.texts.map { text in
                guard let text else { return TextSlice() }
                defer { start += text.utf8.count }
                return TextSlice(start: start, count: text.utf8.count)
            }
        )
        interpreter = .allocate(capacity: 1)
        interpreter.initialize(
            to: Interpreter(
                instructions: UnsafePointer(instructions.baseAddress!),
                count: instructions.count,
                numbers: UnsafePointer(numbers.baseAddress!),
                texts: UnsafePointer(texts.baseAddress!)
            )
        )
    }

    deinit {
        interpreter.deallocate()
        instructions.deallocate()
        numbers.deallocate()
        texts.deallocate()
        bytes.deallocate()
    }

    /// The value of an expression that reads no names.
    var constantNumber: Double {
        let (nothing, noText) = (UnsafePointer(numbers.baseAddress!), UnsafePointer(texts.baseAddress!))
        let registers = Registers()
        return interpreter.pointee.number(Frame(track: nothing, event: nothing, texts: noText, registers: registers))
    }

    /// At least one element is allocated, so that there is always an address.
    private static func copy<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
        let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(1, elements.count))
        _ = buffer.initialize(from: elements)
        return buffer
    }
}
