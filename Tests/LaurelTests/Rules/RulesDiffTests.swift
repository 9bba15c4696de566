// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore
import Testing

/// The results of `rules diff` equal those of two stores, each under one of the rule sets.
@Suite struct RulesDiffTests {
    private static let lines = simulated(learners: 12, days: 20, seed: 71)
    private static let end = try! Timestamp("2026-03-01T00:00:00Z")

    @Test func `results have every part and kind of change that a comparison finds`() {
        for part in RulesComparison.Change.Part.allCases {
            #expect(RulesChange.Part(rawValue: part.rawValue) != nil, "\(part)")
        }
        for kind in RulesComparison.Change.Kind.allCases {
            #expect(RulesChange.Kind(rawValue: kind.rawValue) != nil, "\(kind)")
        }
    }

    /// Each learner's progress in every track, from one engine.
    private func answers(_ bench: Bench, at instant: Timestamp) throws -> [String: [(String?, Progress)]] {
        var answers: [String: [(String?, Progress)]] = [:]
        try bench.engine.forEachOverview { overview in
            let subject = String(decoding: overview.learner.subject, as: UTF8.self)
            answers[subject] = try bench.engine.allProgress(of: subject, at: instant) ?? []
        }
        return answers
    }

    private func numbers(_ progress: Progress) -> TrackDifference.Numbers {
        var numbers = TrackDifference.Numbers()
        numbers.totalXP = Int(progress.numbers.xp)
        numbers.currentLevel = progress.numbers.level
        numbers.currentStreak = progress.numbers.currentStreak
        numbers.longestStreak = progress.numbers.longestStreak
        numbers.totalWordsLearned = progress.numbers.counts.words.learned
        numbers.estimatedCEFR = progress.numbers.estimatedCEFR.flatMap(CEFRLevel.init)
        return numbers
    }

    /// The change of each achievement, computed without the code under test.
    private func outcomes(_ before: Progress, _ after: Progress) -> [String: String] {
        var outcomes: [String: String] = [:]
        for id in Set((before.achievements + after.achievements).map(\.id)) {
            let one = before.achievements.first { $0.id == id }
            let other = after.achievements.first { $0.id == id }
            let (held, holds) = (one?.tier ?? 0, other?.tier ?? 0)
            if held != holds {
                let isHeld = (held > 0, holds > 0)
                outcomes[id] =
                    isHeld.0 && isHeld.1 ? (holds > held ? "moreTiers" : "fewerTiers") : isHeld.1 ? "won" : "lost"
            } else if held > 0, let then = one?.unlockedAt, let now = other?.unlockedAt, then != now {
                outcomes[id] = now < then ? "earlier" : "later"
            }
        }
        return outcomes
    }

    @Test(arguments: ClassRules.changed.indices)
    func `agrees, learner by learner, with two stores`(index: Int) throws {
        let (name, rules) = ClassRules.changed[index]
        let instant = try Timestamp(["2026-03-01T00:00:00Z", "2026-01-20T12:00:00+02:00"][index % 2])
        let (old, new) = (try Bench(.sqliteTiny, rules: ClassRules.base), try Bench(.sqlite, rules: rules))
        try old.ingest(RulesDiffTests.lines)
        try new.ingest(RulesDiffTests.lines)
        var options = DiffOptions(at: instant)
        options.listsAll = true
        let diff = try old.engine.diff(ClassRules.load(rules), options: options)
        let (before, after) = (try answers(old, at: instant), try answers(new, at: instant))
        #expect(Set(diff.learners.map(\.learner)) == Set(before.keys), "\(name)")
        var differing = 0
        for learner in diff.learners {
            let (ones, others) = (try #require(before[learner.learner]), try #require(after[learner.learner]))
            #expect(learner.tracks.map(\.language) == ones.map(\.0))
            for (index, track) in learner.tracks.enumerated() {
                let place: Comment = "\(name), \(learner.learner), \(track.language ?? "*")"
                #expect(track.before == numbers(ones[index].1), place)
                #expect(track.after == numbers(others[index].1), place)
                let told = Dictionary(uniqueKeysWithValues: track.achievements.map { ($0.id, $0.outcome.rawValue) })
                #expect(told == outcomes(ones[index].1, others[index].1), place)
            }
            if learner.differs { differing += 1 }
        }
        #expect(diff.summary.noChange == before.count - differing)
        #expect(diff.summary.compared == before.count && !diff.summary.isSample)
        options.listsAll = false
        let short = try old.engine.diff(ClassRules.load(rules), options: options)
        #expect(short.learners.map(\.learner) == diff.learners.filter(\.differs).map(\.learner))
        #expect(try old.engine.fingerprint() == old.soundFingerprint(), "nothing is written")
    }

    @Test func `sums are those of the learners`() throws {
        let bench = try Bench(.sqlite, rules: ClassRules.base)
        try bench.ingest(RulesDiffTests.lines)
        var options = DiffOptions(at: RulesDiffTests.end)
        options.listsAll = true
        for (name, rules) in ClassRules.changed {
            let diff = try bench.engine.diff(ClassRules.load(rules), options: options)
            let overall = diff.learners.compactMap { $0.tracks.first { $0.language == nil } }
            let changes = overall.map { Double($0.after.currentLevel - $0.before.currentLevel) }.sorted()
            let middle = (changes[(changes.count - 1) / 2] + changes[changes.count / 2]) / 2
            #expect(diff.summary.level.median == middle, "\(name)")
            #expect(diff.summary.level.largestGain == max(0, Int(changes.max()!)))
            #expect(diff.summary.level.largestLoss == min(0, Int(changes.min()!)))
            #expect(diff.summary.xp.sumBefore == overall.reduce(0) { $0 + $1.before.totalXP })
            #expect(diff.summary.xp.sumAfter == overall.reduce(0) { $0 + $1.after.totalXP })
            for holders in diff.summary.achievements {
                let lost = diff.learners.count { learner in
                    learner.tracks.contains { $0.achievements.contains { $0.id == holders.id && $0.outcome == .lost } }
                }
                #expect(holders.lost == lost, "\(name), \(holders.id)")
                let fewer = diff.learners.count { learner in
                    learner.tracks.contains { track in
                        track.achievements.contains {
                            $0.id == holders.id && $0.tierAfter > 0 && $0.tierAfter < $0.tierBefore
                        }
                    }
                }
                #expect(holders.fewerTiers == fewer, "\(name), \(holders.id)")
                if holders.id != "pure" { #expect(holders.before - holders.after <= lost) }
            }
            let levels = diff.learners.map { learner in
                learner.tracks.first { $0.language == nil }.map { abs($0.after.currentLevel - $0.before.currentLevel) }
                    ?? 0
            }
            #expect(levels == levels.sorted(by: >), "\(name): the most affected first")
        }
    }

    @Test func `a sample is the same every time and tells its error`() throws {
        let bench = try Bench(.sqliteTiny, rules: ClassRules.base)
        try bench.ingest(simulated(learners: 60, days: 6, seed: 72))
        let rules = try ClassRules.load(ClassRules.changed[0].rules)
        let end = try Timestamp("2026-02-01T00:00:00Z")
        let whole = try bench.engine.diff(rules, options: DiffOptions(at: end))
        var options = DiffOptions(at: end)
        options.sample = 30
        options.listsAll = true
        let sample = try bench.engine.diff(rules, options: options)
        let again = try bench.engine.diff(rules, options: options)
        #expect(sample.learners == again.learners)
        #expect(sample.summary.compared == 30 && sample.summary.population == 60 && sample.summary.isSample)
        let known = Dictionary(uniqueKeysWithValues: whole.learners.map { ($0.learner, $0) })
        for learner in sample.learners where learner.differs {
            #expect(learner.tracks.filter(\.differs) == known[learner.learner]?.tracks)
        }
        let lose = sample.summary.estimate(sample.summary.lose)
        #expect((lose.low...lose.high).contains(Double(whole.summary.lose)))
        let sum = try #require(sample.summary.xp.uncertainty?.sumChange)
        #expect(sum.contains(Double(whole.summary.xp.sumAfter - whole.summary.xp.sumBefore)))
        #expect(try #require(sample.summary.level.uncertainty?.median).contains(whole.summary.level.median))
        options.sample = 60
        #expect(try !bench.engine.diff(rules, options: options).summary.isSample)
    }

    /// Of 95 % intervals some must miss, but few.
    @Test func `intervals hold as often as they say`() {
        var random = SeededGenerator(seed: 9)
        let population = (0..<500).map { _ in Double.random(in: 0..<1, using: &random) }
        let (few, sum) = (population.count { $0 < 0.3 }, population.reduce(0, +))
        let sorted = population.sorted()
        let median = (sorted[249] + sorted[250]) / 2
        var held = (count: 0, sum: 0, median: 0)
        for _ in 0..<2000 {
            let sample = Array(population.shuffled(using: &random).prefix(80))
            let estimate = Estimate(sample.count { $0 < 0.3 }, of: 80, population: 500)
            #expect(estimate.low <= estimate.value && estimate.value <= estimate.high)
            if (estimate.low...estimate.high).contains(Double(few)) { held.count += 1 }
            if Estimate.sumInterval(sample, population: 500)?.contains(sum) ?? false { held.sum += 1 }
            if Estimate.medianInterval(sample.sorted(), population: 500)?.contains(median) ?? false { held.median += 1 }
        }
        #expect((1860...1940).contains(held.count), "\(held) of 2000, seed 9")
        #expect((1860...1940).contains(held.sum), "\(held) of 2000, seed 9")
        // Between whole ranks, an interval can only be wider.
        #expect((1880...1990).contains(held.median), "\(held) of 2000, seed 9")
    }

    /// If few learners have much and most have nothing, a small sample cannot give an interval.
    @Test func `a sample too small for an interval has none`() {
        var random = SeededGenerator(seed: 10)
        let population = (0..<2000).map { _ in
            Int.random(in: 0..<20, using: &random) == 0 ? Double.random(in: 1..<150, using: &random) : 0
        }
        let sum = population.reduce(0, +)
        for size in [1, 5, 20, 50, 100] {
            for _ in 0..<200 {
                let sample = Array(population.shuffled(using: &random).prefix(size))
                #expect(Estimate.sumInterval(sample, population: 2000) == nil, "\(size), seed 10")
            }
        }
        var (given, held) = (0, 0)
        for _ in 0..<500 {
            let sample = Array(population.shuffled(using: &random).prefix(1000))
            guard let interval = Estimate.sumInterval(sample, population: 2000) else { continue }
            given += 1
            if interval.contains(sum) { held += 1 }
        }
        #expect(given > 400 && Double(held) > 0.92 * Double(given), "\(held) of \(given), seed 10")
        #expect(Estimate.medianInterval([3], population: 2000) == nil)
        #expect(Estimate.medianInterval([1, 2, 3, 4, 5], population: 2000) == nil)
        #expect(Estimate.medianInterval(Array(stride(from: 1, through: 12, by: 1)), population: 2000) != nil)
        for size in 1..<200 {
            #expect(Estimate(size, of: size, population: 2000).high == 2000)
            #expect(Estimate(0, of: size, population: 2000).low == 0)
        }
    }

    @Test func `nobody, and nothing before the first event`() throws {
        let bench = try Bench(.sqlite, rules: ClassRules.base)
        let rules = try ClassRules.load(ClassRules.changed[0].rules)
        #expect(try bench.engine.diff(rules, options: DiffOptions(at: RulesDiffTests.end)).learners == [])
        try bench.ingest(RulesDiffTests.lines)
        let diff = try bench.engine.diff(rules, options: DiffOptions(at: Timestamp("2020-01-01T00:00:00Z")))
        #expect(diff.learners == [] && diff.summary.noChange == diff.summary.population && diff.events == 0)
    }

    private static func experiment(_ period: String = "") -> String {
        ClassRules.base.replacing(
            "10 * event.accuracy",
            with: "\"(experiment.pay == 'more' ? 20 : 10) * event.accuracy\""
        )
            + "experiments: {pay: {variants: {control: 40, more: 30}\(period)}}\n"
    }

    @Test(
        "With everyone in a variant, numbers are those of rules without the experiment",
        arguments: [("control", "10 * event.accuracy"), ("more", "20 * event.accuracy")]
    )
    func variant(name: String, award: String) throws {
        let bench = try Bench(.sqliteTiny, rules: Self.experiment())
        let plain = try Bench(.sqlite, rules: ClassRules.base.replacing("10 * event.accuracy", with: award))
        try bench.ingest(RulesDiffTests.lines)
        try plain.ingest(RulesDiffTests.lines)
        var options = DiffOptions(at: RulesDiffTests.end)
        options.listsAll = true
        options.variant = AssumedVariant(experiment: "pay", variant: name)
        let diff = try bench.engine.diff(ClassRules.load(Self.experiment()), options: options)
        let (before, after) = (try answers(bench, at: RulesDiffTests.end), try answers(plain, at: RulesDiffTests.end))
        #expect(diff.learners.count == before.count && diff.variant == options.variant)
        for learner in diff.learners {
            #expect(
                learner.tracks.map(\.before) == before[learner.learner]?.map { numbers($0.1) },
                "\(learner.learner)"
            )
            #expect(learner.tracks.map(\.after) == after[learner.learner]?.map { numbers($0.1) }, "\(learner.learner)")
        }
        // Some learners have each variant, so the assumption changes some of them, but not all.
        let changed = diff.learners.count { $0.differs }
        #expect(changed > 0 && changed < diff.learners.count)
    }

    @Test func `outside the experiment's period, an assumed variant changes nothing`() throws {
        let bench = try Bench(.sqlite, rules: Self.experiment(", from: 2030-01-01"))
        try bench.ingest(RulesDiffTests.lines)
        var options = DiffOptions(at: RulesDiffTests.end)
        options.variant = AssumedVariant(experiment: "pay", variant: "more")
        let rules = try ClassRules.load(Self.experiment(", from: 2030-01-01"))
        #expect(try bench.engine.diff(rules, options: options).learners == [])
    }

    @Test func `every version of the rules sees the variant`() throws {
        let day = LocalDay(year: 2026, month: 1, day: 15)
        let bench = try Bench(.sqlite, rules: Self.experiment())
        let plain = try Bench(
            .sqlite,
            rules: ClassRules.base.replacing("10 * event.accuracy", with: "20 * event.accuracy")
        )
        try bench.ingest(RulesDiffTests.lines)
        try plain.ingest(RulesDiffTests.lines)
        try bench.engine.apply(ClassRules.load(ClassRules.base), from: day)
        try plain.engine.apply(ClassRules.load(ClassRules.base), from: day)
        var options = DiffOptions(at: RulesDiffTests.end)
        options.listsAll = true
        options.variant = AssumedVariant(experiment: "pay", variant: "more")
        let diff = try bench.engine.diff(ClassRules.load(ClassRules.base), from: day, options: options)
        let after = try answers(plain, at: RulesDiffTests.end)
        for learner in diff.learners {
            #expect(learner.tracks.map(\.after) == after[learner.learner]?.map { numbers($0.1) }, "\(learner.learner)")
        }
        let changed = diff.learners.count { $0.differs }
        #expect(changed > 0)
    }
}
