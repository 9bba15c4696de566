// SPDX-License-Identifier: Apache-2.0

/// An expression with its own memory, for evaluations outside the fold, for example in explanations.
final class Calculation: Sendable {
    private let steps: [Step]
    /// The slot of the result.
    private let result: Int
    /// The frame's slots that the expression reads. The value of slot `inputs[i]` is copied to slot i of the
    /// expression's memory.
    private let inputs: [Slot]
    private let layout: StepLayout
    private let numbers: [Double]
    private let texts: TextConstants

    init(_ code: PostfixCode, inputs: [Slot], givesText: Bool) {
        let layout = StepLayout(event: inputs.count, texts: inputs.count, [code])
        var compiler = StepCompiler(layout) { slot in inputs.firstIndex(of: slot)! }
        result = givesText ? compiler.text(code) : compiler.number(code)
        steps = compiler.finish()
        numbers = compiler.numbers
        texts = TextConstants(compiler.texts)
        (self.inputs, self.layout) = (inputs, layout)
    }

    func number(_ frame: Frame) -> Double { evaluate(frame) { $0.numbers[result] } }

    /// Returns the result as text. The frame or this object owns the text's bytes, so both must outlive the result.
    func text(_ frame: Frame) -> TextSlice { evaluate(frame) { $0.texts[result] } }

    /// Returns the result for each value. The expression may read at most one name, which is set to the value.
    func numbers(of values: some Sequence<Double>) -> [Double] {
        precondition(inputs.count <= 1)
        return withMemory { memory in
            values.map { value in
                if !inputs.isEmpty { memory.numbers[0] = value }
                runSteps(memory)
                return memory.numbers[result]
            }
        }
    }

    private func evaluate<Value>(_ frame: Frame, _ read: (StepMemory) -> Value) -> Value {
        withMemory { memory in
            for (place, slot) in inputs.enumerated() {
                switch slot {
                case .track(let index): memory.numbers[place] = frame.track[index]
                case .event(let index): memory.numbers[place] = frame.event[index]
                case .text(let index): memory.texts[place] = frame.texts[index]
                }
            }
            runSteps(memory)
            return read(memory)
        }
    }

    private func runSteps(_ memory: StepMemory) {
        steps.withUnsafeBufferPointer { run($0.baseAddress!, memory) }
    }

    /// Calls `body` with memory in which constants have their values and everything else is null.
    private func withMemory<Value>(_ body: (StepMemory) -> Value) -> Value {
        let textCount = layout.textConstants + texts.slices.count
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: layout.constants + numbers.count) { numbers in
            withUnsafeTemporaryAllocation(of: TextSlice.self, capacity: textCount + 1) { texts in
                numbers.initialize(repeating: .nan)
                texts.initialize(repeating: TextSlice())
                for (place, number) in self.numbers.enumerated() { numbers[layout.constants + place] = number }
                for (place, text) in self.texts.slices.enumerated() { texts[layout.textConstants + place] = text }
                return body(StepMemory(numbers: numbers.baseAddress!, texts: texts.baseAddress!))
            }
        }
    }
}
