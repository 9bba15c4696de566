/// An expression that is evaluated by itself: outside the fold, or again, to explain it.
package final class Calculation: Sendable {
    private let steps: [Step]
    /// The slot in which the result stands.
    private let result: Int
    /// What it reads, in the order of their slots.
    private let inputs: [Slot]
    private let layout: StepLayout
    private let numbers: [Double]
    private let texts: TextConstants

    package init(_ program: Program) {
        let inputs = program.usedSlots.map(\.slot)
        let layout = StepLayout(event: inputs.count, texts: inputs.count, [program.code])
        var compiler = StepCompiler(layout) { slot in inputs.firstIndex(of: slot)! }
        result = program.staticType == .text ? compiler.text(program) : compiler.number(program)
        steps = compiler.finish()
        numbers = compiler.numbers
        texts = TextConstants(compiler.texts)
        (self.inputs, self.layout) = (inputs, layout)
    }

    package func number(_ frame: Frame) -> Double { evaluate(frame) { $0.numbers[result] } }

    /// Owned by the frame or by this.
    func text(_ frame: Frame) -> TextSlice { evaluate(frame) { $0.texts[result] } }

    private func evaluate<Value>(_ frame: Frame, _ read: (StepMemory) -> Value) -> Value {
        withUnsafeTemporaryAllocation(of: Double.self, capacity: layout.constants + numbers.count + 1) { numbers in
            withUnsafeTemporaryAllocation(
                of: TextSlice.self,
                capacity: layout.textConstants + texts.slices.count + 1
            ) { texts in
                numbers.initialize(repeating: .nan)
                texts.initialize(repeating: TextSlice())
                for (place, number) in self.numbers.enumerated() { numbers[layout.constants + place] = number }
                for (place, text) in self.texts.slices.enumerated() { texts[layout.textConstants + place] = text }
                for (place, slot) in inputs.enumerated() {
                    switch slot {
                    case .track(let index): numbers[place] = frame.track[index]
                    case .event(let index): numbers[place] = frame.event[index]
                    case .text(let index): texts[place] = frame.texts[index]
                    }
                }
                let memory = StepMemory(numbers: numbers.baseAddress!, texts: texts.baseAddress!)
                steps.withUnsafeBufferPointer { run($0.baseAddress!, memory) }
                return read(memory)
            }
        }
    }
}
