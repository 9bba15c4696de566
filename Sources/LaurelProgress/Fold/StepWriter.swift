import LaurelRules

/// Writes a version's rules as steps: per type of event one list for its metrics, one for its XP rules, one for what its
/// achievements watch; and each condition and value that is asked for by itself.
struct StepWriter {
    let memory: PlanMemory
    private let layout: StepLayout
    private var compiler: StepCompiler

    init(_ rules: RuleSet, memory: PlanMemory) {
        self.memory = memory
        layout = StepLayout(rules.layout, ownCount: 1 + rules.achievements.count, programs: rules.foldedPrograms)
        compiler = StepCompiler(layout)
    }

    /// A slot that nobody reads: steps write two windows at once.
    private var nowhere: Int { layout.ownNumbers }

    /// The slot of what an achievement's value must exceed.
    func bound(ofAchievement index: Int) -> Int { layout.ownNumbers + 1 + index }

    mutating func expression(_ program: Program) -> ExpressionSteps {
        let result = compiler.number(program)
        return ExpressionSteps(steps: finish(), result: result)
    }

    /// Metrics that events of a type change, in file order.
    mutating func metrics(
        _ indexes: [Int],
        of rules: RuleSet,
        _ plans: [MetricPlan],
        isInSession: Bool
    ) -> UnsafePointer<Step> {
        compiler.isInSession = isInSession
        for index in indexes {
            let metric = MetricSteps(rules.metrics[index], index, Array(plans[index].slots.all(isInSession)), nowhere)
            metric.add(to: &compiler)
        }
        return finish()
    }

    /// XP rules, in file order; nil where there are none.
    mutating func awards(_ indexes: [Int], of rules: RuleSet, isInSession: Bool) -> UnsafePointer<Step>? {
        guard !indexes.isEmpty else { return nil }
        compiler.isInSession = isInSession
        for index in indexes { rules.xpRules[index].add(to: &compiler, index) }
        return finish()
    }

    /// Achievements to watch, in file order; nil where there are none.
    mutating func watches(_ indexes: [Int], of rules: RuleSet) -> UnsafePointer<Step>? {
        guard !indexes.isEmpty else { return nil }
        for index in indexes {
            let value = compiler.number(rules.achievements[index].value)
            compiler.add(Step(.watch, first: value, second: bound(ofAchievement: index), third: index))
        }
        return finish()
    }

    private mutating func finish() -> UnsafePointer<Step> {
        compiler.isInSession = nil
        return memory.keep(compiler.finish()).baseAddress!
    }

    var frame: StepFrame { StepFrame(layout, compiler) }
}

/// A metric that is written as steps.
private struct MetricSteps {
    private let metric: Metric
    private let index: Int
    /// Where it is kept.
    private let slots: [Int]
    private let nowhere: Int

    init(_ metric: Metric, _ index: Int, _ slots: [Int], _ nowhere: Int) {
        (self.metric, self.index, self.slots, self.nowhere) = (metric, index, slots, nowhere)
    }

    func add(to compiler: inout StepCompiler) {
        guard let filter = metric.filter else { return addUnfiltered(to: &compiler) }
        let condition = compiler.number(filter)
        if case .count = metric.aggregate, metric.key == nil {
            add(.countIf, condition, to: &compiler)
        } else {
            compiler.add(Step(.skipUnless, first: condition), passingOver: addUnfiltered)
        }
    }

    private func addUnfiltered(to compiler: inout StepCompiler) {
        if let key = metric.keyProgram {
            guard case .sum = metric.aggregate, let amount = metric.expression else {
                return addCount(by: key, of: compiler.constant(1), to: &compiler)
            }
            return compiler.number(amount, keptFor: { addCount(by: key, of: $1, to: &$0) })
        }
        switch (metric.aggregate, metric.expression) {
        case (.sum, let value?): add(.sum, compiler.number(value), to: &compiler)
        case (.last, let value?): add(.last, compiler.number(value), to: &compiler)
        case (.max, let value?): compiler.add(Step(.max, first: compiler.number(value), third: index))
        case (.run, let condition?): forEachPair { compiler.addRun(while: condition, $0) }
        default: add(.count, 0, to: &compiler)
        }
    }

    /// - Parameter amount: the slot of what is added to the key's number.
    private func addCount(by key: Program, of amount: Int, to compiler: inout StepCompiler) {
        let isText = key.staticType == .text
        let place = isText ? compiler.text(key) : compiler.number(key)
        compiler.add(Step(isText ? .keyByText : .keyByNumber, first: amount, second: place, third: index))
    }

    private func add(_ opcode: Opcode, _ value: Int, to compiler: inout StepCompiler) {
        forEachPair { compiler.add(Step(opcode, result: $0.0, first: value, second: $0.1)) }
    }

    /// A step is for two windows.
    private func forEachPair(_ body: ((Int, Int)) -> Void) {
        for place in stride(from: 0, to: slots.count, by: 2) {
            body((slots[place], place + 1 < slots.count ? slots[place + 1] : nowhere))
        }
    }
}

extension XPRule {
    fileprivate func add(to compiler: inout StepCompiler, _ index: Int) {
        func addAward(to compiler: inout StepCompiler) {
            let value = compiler.number(award)
            compiler.add(Step(.award, first: value, third: index))
        }
        func addWithCondition(to compiler: inout StepCompiler) {
            guard let when else { return addAward(to: &compiler) }
            let condition = compiler.number(when)
            compiler.add(Step(.whenOfRule, first: condition, third: index), passingOver: addAward)
        }
        if period == .always {
            addWithCondition(to: &compiler)
        } else {
            compiler.add(Step(.periodOfRule, third: index), passingOver: addWithCondition)
        }
    }
}

/// The steps of one expression, and the slot in which its value stands then.
struct ExpressionSteps {
    let steps: UnsafePointer<Step>
    let result: Int
}

/// What the steps of a version work on.
struct StepFrame {
    let layout: StepLayout
    private let numbers: [Double]
    private let texts: TextConstants

    init(_ layout: StepLayout, _ compiler: StepCompiler) {
        self.layout = layout
        numbers = compiler.numbers
        texts = TextConstants(compiler.texts)
    }

    var numberCount: Int { layout.constants + numbers.count }
    var textCount: Int { layout.textConstants + texts.slices.count }

    /// Everything but constants is null.
    func initialize(numbers memory: UnsafeMutablePointer<Double>) {
        memory.initialize(repeating: .nan, count: layout.constants)
        _ = UnsafeMutableBufferPointer(start: memory + layout.constants, count: numbers.count)
            .initialize(fromContentsOf: numbers)
        memory[layout.ownNumbers] = 0
    }

    func initialize(texts memory: UnsafeMutablePointer<TextSlice>) {
        memory.initialize(repeating: TextSlice(), count: layout.textConstants)
        _ = UnsafeMutableBufferPointer(start: memory + layout.textConstants, count: texts.slices.count)
            .initialize(fromContentsOf: texts.slices)
    }
}

extension RuleSet {
    /// The expressions that are evaluated event by event.
    var foldedPrograms: [Program] {
        var programs: [Program?] = metrics.flatMap { [$0.expression, $0.filter, $0.key] }
        programs.append(streak?.when)
        programs += xpRules.flatMap { [$0.when, $0.award] }
        programs += achievements.flatMap { [$0.when, $0.value] }
        return programs.compactMap(\.self)
    }
}
