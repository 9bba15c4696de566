// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// Step 3: the steps that update a metric.
struct MetricSteps {
    private let metric: Metric
    private let index: Int
    /// The slots that store the metric, one per window.
    private let slots: [Int]
    private let unusedSlot: Int

    init(_ metric: Metric, _ index: Int, _ slots: [Int], _ unusedSlot: Int) {
        (self.metric, self.index, self.slots, self.unusedSlot) = (metric, index, slots, unusedSlot)
    }

    func add(to compiler: inout StepCompiler) {
        guard let filter = metric.filter else { return addUnfiltered(to: &compiler) }
        if case .count = metric.aggregate.change, metric.key == nil {
            forEachPair { compiler.addCount(if: filter, $0) }
        } else {
            let condition = compiler.number(filter)
            compiler.add(Step(.skipUnless, first: condition), skipping: addUnfiltered)
        }
    }

    private func addUnfiltered(to compiler: inout StepCompiler) {
        if let key = metric.keyProgram {
            guard case .sum = metric.aggregate.change, let amount = metric.expression else {
                return addCount(by: key, of: compiler.constant(1), to: &compiler)
            }
            return compiler.number(amount, keptFor: { addCount(by: key, of: $1, to: &$0) })
        }
        switch (metric.aggregate.change, metric.expression) {
        case (.sum, let value?): forEachPair { compiler.addSum(of: value, $0) }
        case (.last, let value?): add(.last, compiler.number(value), to: &compiler)
        case (.combine, let value?): compiler.add(Step(.combine, first: compiler.number(value), third: index))
        case (.run, let condition?): forEachPair { compiler.addRun(while: condition, $0) }
        default: add(.count, 0, to: &compiler)
        }
    }

    /// - Parameter amount: the slot of the amount to add to the key's number.
    private func addCount(by key: Program, of amount: Int, to compiler: inout StepCompiler) {
        let isText = key.staticType == .text
        let place = isText ? compiler.text(key) : compiler.number(key)
        compiler.add(Step(isText ? .keyByText : .keyByNumber, first: amount, second: place, third: index))
    }

    private func add(_ opcode: Opcode, _ value: Int, to compiler: inout StepCompiler) {
        forEachPair { compiler.add(Step(opcode, result: $0.0, first: value, second: $0.1)) }
    }

    /// Calls `body` with pairs of slots, because each step writes two windows.
    private func forEachPair(_ body: ((Int, Int)) -> Void) {
        for place in stride(from: 0, to: slots.count, by: 2) {
            body((slots[place], place + 1 < slots.count ? slots[place + 1] : unusedSlot))
        }
    }
}

/// The parts of metrics that are not plain numbers: values by key, and flags.
extension FoldCore {
    @inline(never)
    mutating func combine(_ step: UnsafePointer<Step>) {
        let value = scratch.memory.numbers[Int(step.pointee.first)]
        let metric = plan.metrics.baseAddress! + Int(step.pointee.third)
        guard !value.isNaN, case .combine(let combined) = metric.pointee.change else { return }
        let slots = metric.pointee.slots.all(event.place)
        track.pointee.combine(slots, value, combined)
        sharingTrack?.pointee.combine(slots, value, combined)
    }

    @inline(never)
    mutating func countByKey(_ step: UnsafePointer<Step>, _ key: UnsafeBufferPointer<UInt8>) {
        let amount = scratch.memory.numbers[Int(step.pointee.first)]
        guard !amount.isNaN else { return }
        let metric = plan.metrics.baseAddress! + Int(step.pointee.third)
        track.pointee.count(metric, key, amount, event.place)
        sharingTrack?.pointee.count(metric, key, amount, event.place)
    }
}

extension TrackValues {
    fileprivate mutating func combine(
        _ slots: UnsafeBufferPointer<Int>,
        _ value: Double,
        _ combined: @convention(c) (Double, Double) -> Double
    ) {
        for slot in slots {
            // Adding zero turns −0 into 0. JSON would show −0.
            numbers[slot] = (hasValue[slot] ? combined(numbers[slot], value) : value) + 0
            hasValue[slot] = true
        }
    }

    fileprivate mutating func count(
        _ metric: UnsafePointer<MetricPlan>,
        _ key: UnsafeBufferPointer<UInt8>,
        _ amount: Double,
        _ eventPlace: WindowPlace
    ) {
        let place = metric.pointee.keyedIndex
        for slot in metric.pointee.slots.all(eventPlace) {
            let window = slot / layout.stride
            if case .distinct = metric.pointee.change {
                if keyed[window][place].insert(key) { numbers[slot] += 1 }
            } else {
                numbers[slot] = keyed[window][place].add(amount, to: key, largest: numbers[slot])
            }
        }
    }
}
