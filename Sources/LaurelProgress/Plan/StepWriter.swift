// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// Compiles a version's rules to steps. Each event type and track has two lists: one for events in a session, one for
/// events outside. Each condition and each value that is evaluated alone has its own list.
struct StepWriter {
    let memory: PlanStorage
    private let layout: StepLayout
    private var compiler: StepCompiler

    init(_ rules: RuleSet, memory: PlanStorage) {
        self.memory = memory
        layout = StepLayout(rules.layout, ownCount: 1 + rules.achievements.count, programs: rules.foldedPrograms)
        compiler = StepCompiler(layout)
    }

    /// An unused slot. A step always writes to two windows. A step with only one window writes the other number to this
    /// slot.
    private var unusedSlot: Int { layout.ownNumbers }

    /// The slot of the bound that an achievement's value must exceed.
    func bound(ofAchievement index: Int) -> Int { layout.ownNumbers + 1 + index }

    mutating func expression(_ program: Program) -> ExpressionSteps {
        let result = compiler.number(program)
        return ExpressionSteps(steps: finish(), result: result)
    }

    /// Returns the steps for events of a type: see ``TypePlan/program(isOverall:_:)``.
    mutating func programs(_ type: TypeParts, of rules: RuleSet) -> UnsafePointer<UnsafePointer<Step>> {
        var programs: [UnsafePointer<Step>] = []
        for isOverall in [true, false] {
            for place in WindowPlace.all {
                // Without seasons, no event is in one.
                let isUnused = place.isInSeason && rules.seasons.isEmpty
                let same = programs.count - WindowPlace.count / 2
                programs.append(
                    isUnused
                        ? programs[same] : program(type, of: rules, ProgramTrack(isOverall: isOverall, place: place))
                )
            }
        }
        return memory.keep(programs).baseAddress!
    }

    /// Returns all steps for events of a type in a track: steps 3 to 6 of docs/numbers.md, "The order of the fold", and
    /// the fold's own steps.
    private mutating func program(
        _ type: TypeParts,
        of rules: RuleSet,
        _ track: ProgramTrack
    ) -> UnsafePointer<Step> {
        compiler.isInSession = track.place.isInSession
        for builtIn in type.builtInSteps(.first, track) { perform(builtIn) }
        for index in type.metrics {
            let slots = Array(type.parts.metrics[index].slots.all(track.place))
            MetricSteps(rules.metrics[index], index, slots, unusedSlot).add(to: &compiler)
        }
        for builtIn in type.builtInSteps(.beforeDay, track) { perform(builtIn) }
        compiler.add(Step(.judge))
        for builtIn in type.builtInSteps(.afterDay, track) { perform(builtIn) }
        addAwards(type, of: rules, track)
        for builtIn in type.builtInSteps(.beforeAchievements, track) { perform(builtIn) }
        addWatches(type.watched(track), of: rules)
        for builtIn in type.builtInSteps(.last, track) { perform(builtIn) }
        return finish()
    }

    private mutating func perform(_ builtIn: BuiltInStep) { compiler.add(Step(.perform, third: builtIn.rawValue)) }

    /// Adds the XP rules to the overall track's steps, and the credits to every track's steps.
    private mutating func addAwards(_ type: TypeParts, of rules: RuleSet, _ track: ProgramTrack) {
        let overall = ProgramTrack(isOverall: true, place: track.place)
        let builtInSteps = type.builtInSteps(.afterAwards, overall)
        guard !type.awards.isEmpty || !builtInSteps.isEmpty else { return }
        let earned = layout.eventNumbers + FrameLayout.EventName.earned.rawValue
        if track.isOverall {
            if type.readsEarned { compiler.add(Step(.set, result: earned, first: compiler.constant(0))) }
            for index in type.awards {
                // `earned` is XP, so awards of currencies are added to a slot that nothing reads.
                let sum = rules.xpRules[index].currency == nil ? earned : unusedSlot
                rules.xpRules[index].add(to: &compiler, index, earned: sum)
            }
            for builtIn in builtInSteps { perform(builtIn) }
        }
        compiler.add(Step(.credit, result: earned))
    }

    /// - Parameter watched: the achievements to watch, in file order; nil if the track has none.
    private mutating func addWatches(_ watched: [Int]?, of rules: RuleSet) {
        guard let watched else { return }
        let layout = layout
        compiler.add(
            Step(.achieve),
            watching: { compiler in
                for index in watched {
                    let value = compiler.number(rules.achievements[index].value)
                    compiler.add(Step(.watch, first: value, second: layout.ownNumbers + 1 + index, third: index))
                }
            }
        )
    }

    private mutating func finish() -> UnsafePointer<Step> {
        compiler.isInSession = nil
        return memory.keep(compiler.finish()).baseAddress!
    }

    var frame: StepFrame { StepFrame(layout, compiler) }
}

/// The track for which steps are compiled, and the windows of its events.
struct ProgramTrack {
    let isOverall: Bool
    let place: WindowPlace
}

/// The steps of one expression, and the slot that receives its result.
struct ExpressionSteps {
    let steps: UnsafePointer<Step>
    let result: Int
}

/// The memory layout that the steps of a version use.
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

    /// Initializes the memory: constants get their values, everything else is null.
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
    /// The expressions that are evaluated for each event.
    var foldedPrograms: [Program] {
        metrics.flatMap(\.programs) + xpRules.flatMap(\.programs) + programsOfAllTypes
    }

    /// The expressions that may be evaluated at events of any type.
    var programsOfAllTypes: [Program] {
        ([streak?.when] + achievements.flatMap { [$0.when, $0.value] }).compactMap(\.self) + goals.flatMap(\.programs)
    }
}

extension Metric {
    var programs: [Program] { [expression, filter, key].compactMap(\.self) }
}

extension XPRule {
    var programs: [Program] { [when, award].compactMap(\.self) }
}
