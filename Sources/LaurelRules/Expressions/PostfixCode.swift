// SPDX-License-Identifier: Apache-2.0

/// An expression in the form that the compiler writes: operands before their operators. There are two stacks: one for
/// numbers and booleans, one for texts. Each step pops its operands and pushes its result.
struct PostfixCode {
    enum Step {
        case number(Double)
        case track(Int, mayBeNull: Bool)
        case event(Int)
        case text(Int)
        case nullText
        /// Pushes a text. The value is an index into ``texts``.
        case constantText(Int)
        case operation(Opcode)
        /// True if the value is among `count` elements of ``numbers`` or ``texts``, which begin at `start`.
        case membership(ofText: Bool, start: Int, count: Int)
    }

    private(set) var steps: [Step] = []
    private(set) var numbers: [Double] = []
    private(set) var texts: [String] = []

    var count: Int { steps.count }

    mutating func add(_ step: Step) { steps.append(step) }

    mutating func add(constant text: String) {
        add(.constantText(texts.count))
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
        add(.membership(ofText: ofText, start: start, count: list.count))
    }

    mutating func insertNull(of type: ValueType, at index: Int) {
        steps.insert(type == .text ? .nullText : .number(.nan), at: index)
    }

    mutating func truncate(to count: Int) {
        steps.removeSubrange(count...)
    }

    /// Replaces the last step by its result if the operands are constants. The code of the step and its operands begins
    /// at `start`.
    mutating func fold(from start: Int) {
        guard case .operation(let opcode)? = steps.last, opcode.signature.texts == 0 else { return }
        let first = count - 1 - opcode.signature.numbers
        guard first >= start, steps[first..<count - 1].allSatisfy({ if case .number = $0 { true } else { false } })
        else { return }
        let result = PostfixCode.value(of: opcode, on: steps[first..<count - 1])
        truncate(to: first)
        add(.number(result))
    }

    private static func value(of opcode: Opcode, on operands: ArraySlice<Step>) -> Double {
        var numbers = operands.map { step in if case .number(let number) = step { number } else { Double.nan } }
        numbers.append(.nan)
        let result = numbers.count - 1
        let step = LaurelRules.Step(opcode, result: result, first: 0, second: min(1, result), third: min(2, result))
        var texts: [TextSlice] = [TextSlice()]
        numbers.withUnsafeMutableBufferPointer { numbers in
            texts.withUnsafeMutableBufferPointer { texts in
                let memory = StepMemory(numbers: numbers.baseAddress!, texts: texts.baseAddress!)
                withUnsafeTemporaryAllocation(of: LaurelRules.Step.self, capacity: 2) { steps in
                    _ = steps.initialize(fromContentsOf: [step, LaurelRules.Step(.end)])
                    run(UnsafePointer(steps.baseAddress!), memory)
                }
            }
        }
        return numbers[result]
    }

    /// The maximum number of values on each stack.
    private static let highest = (numbers: 128, texts: 64)

    /// The reason why the expression is too complex for the stacks; nil if it fits.
    var tooTall: String? {
        let height = height
        guard height.numbers > PostfixCode.highest.numbers || height.texts > PostfixCode.highest.texts else {
            return nil
        }
        return "too many values at once: split it into several metrics or rules"
    }

    /// The maximum heights of the stacks of numbers and of texts.
    var height: (numbers: Int, texts: Int) {
        var height = (numbers: 0, texts: 0)
        var highest = height
        for step in steps {
            let effect = step.effect
            height.numbers += effect.numbers
            height.texts += effect.texts
            highest = (max(highest.numbers, height.numbers), max(highest.texts, height.texts))
        }
        return highest
    }
}

extension PostfixCode.Step {
    /// The changes of the stacks' heights by one step.
    fileprivate var effect: (numbers: Int, texts: Int) {
        switch self {
        case .number, .track, .event: return (1, 0)
        case .text, .nullText, .constantText: return (0, 1)
        case .membership(let ofText, _, _): return ofText ? (1, -1) : (0, 0)
        case .operation(let opcode):
            let signature = opcode.signature
            return signature.givesText
                ? (-signature.numbers, 1 - signature.texts) : (1 - signature.numbers, -signature.texts)
        }
    }
}
