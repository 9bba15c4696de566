// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore
import Testing

/// After rules are applied, the store equals a new store under these rules, whatever happened meanwhile.
@Suite struct RulesApplyTests {
    private static let lines = simulated(learners: 10, days: 18, seed: 81)
    private static let end = try! Timestamp("2027-01-01T00:00:00Z")
    private static let kept = "laurel/rules-apply"

    private func bench(_ backend: Backend = .sqliteTiny, _ lines: [String] = lines) throws -> Bench {
        let bench = try Bench(backend, rules: ClassRules.base)
        try bench.ingest(lines)
        // Uses the store's rules, like every later process.
        try bench.use(rules: nil)
        return bench
    }

    @discardableResult
    private func apply(
        _ rules: String,
        to bench: Bench,
        keeping: Bool = false,
        pace: ApplyPace = ApplyPace(),
        observe: (ReplayProgress) -> Void = { _ in }
    ) throws -> RulesApplication {
        var options = ApplyOptions(appliedAt: Bench.date)
        options.keepsAchievements = keeping
        options.pace = pace
        return try bench.engine.apply(ClassRules.load(rules), options: options, observe: observe)
    }

    /// The fingerprint of a store that only ever had these rules.
    private func fresh(_ lines: [String], _ rules: String) throws -> String {
        let bench = try Bench(.sqlite, rules: rules)
        try bench.ingest(lines)
        return try bench.soundFingerprint()
    }

    @Test(arguments: ClassRules.changed.indices) func `as a fresh store under them`(index: Int) throws {
        let (name, rules) = ClassRules.changed[index]
        let bench = try bench(Backend.allCases[index % 3])
        let report = try apply(rules, to: bench)
        #expect(report.method == .replay && report.version == 2 && report.learners == 10, "\(name)")
        let sound = try bench.soundFingerprint()
        #expect(try sound == fresh(RulesApplyTests.lines, rules), "\(name)")
        // And back again.
        #expect(try apply(ClassRules.base, to: bench).version == 3)
        #expect(try bench.soundFingerprint() == fresh(RulesApplyTests.lines, ClassRules.base))
        #expect(try apply(ClassRules.base, to: bench).method == .nothing)
        #expect(try bench.engine.rulesHistory().map(\.version) == [1, 2, 3])
    }

    // MARK: Less than a replay

    @Test(arguments: Backend.allCases) func `what is only listed costs no folding`(backend: Backend) throws {
        let rules = ClassRules.edited("name: Talker", "name: Voice").replacing(", hidden: true", with: "")
        let bench = try bench(backend)
        let before = try bench.engine.fingerprint()
        let report = try apply(rules, to: bench)
        #expect(report.method == .listings && report.events == 0 && report.version == 2)
        #expect(try bench.soundFingerprint() == before)
        #expect(try before == fresh(RulesApplyTests.lines, rules))
        #expect(try bench.engine.rulesInForce().last.map { Array($0.source) } == Array(rules.utf8))
    }

    @Test(arguments: Backend.allCases) func `thresholds cost those whom they may concern`(backend: Backend) throws {
        let rules = ClassRules.edited("total.reviews, at_least: 30", "total.reviews, at_least: [10, 25, 60]")
            .replacing(", hidden: true", with: "")
        let idle = (0..<5).map { line("idle", by: "idle-\($0)") }
        let bench = try bench(backend, RulesApplyTests.lines + idle)
        let report = try apply(rules, to: bench)
        #expect(report.method == .thresholds && report.learners > 2 && report.learners <= 10)
        #expect(try bench.soundFingerprint() == fresh(RulesApplyTests.lines + idle, rules))
        let more = [line("more", "review.graded", by: "idle-1", data: #"{"word":"w","grade":"good"}"#)]
        try bench.ingest(more)
        #expect(try bench.soundFingerprint() == fresh(RulesApplyTests.lines + idle + more, rules))
    }

    @Test func `snapshots serve on where states are the same`() throws {
        let busy = (0..<5000).map { line("\($0)", by: "busy") }
        let bench = try bench(.sqlite, busy)
        let rename = ClassRules.edited("name: Talker", "name: Voice")
        #expect(try apply(rename, to: bench).method == .listings)
        let threshold = rename.replacing("total.reviews, at_least: 30", with: "total.reviews, at_least: 31")
        #expect(try apply(threshold, to: bench).method == .thresholds)
        let hasSnapshot = try bench.store.read { reader in
            let learner = try #require(try reader.learner(named: Array("busy".utf8)))
            let snapshot = try #require(try reader.snapshot(of: learner.id))
            return LearnerState(decoding: Array(snapshot.dropFirst(16)), plan: bench.engine.plan) != nil
        }
        #expect(hasSnapshot)
        let more = [line("next", at: "2026-02-06T10:00:00Z", by: "busy")]
        try bench.ingest(more)
        #expect(try bench.soundFingerprint() == fresh(busy + more, threshold))
    }

    // MARK: Meanwhile

    /// Actions of other processes while rules are applied, at each report of progress.
    private func interrupted(
        _ bench: Bench,
        _ rules: String,
        keeping: Bool = false,
        pace: ApplyPace = ApplyPace(),
        by other: (Int) throws -> Void
    ) throws -> RulesApplication {
        var round = 0
        var failure: (any Error)?
        let report = try apply(rules, to: bench, keeping: keeping, pace: pace) { _ in
            do { try other(round) } catch { failure = error }
            round += 1
        }
        if let failure { throw failure }
        #expect(round > 0)
        return report
    }

    @Test(arguments: Backend.files, [false, true])
    func `events that come meanwhile`(backend: Backend, keeping: Bool) throws {
        let bench = try bench(backend)
        let rules = ClassRules.changed[6].rules
        let subject = try JSONLine(RulesApplyTests.lines[0])["subject"]
        let second = try JSONLine(RulesApplyTests.lines[1])
        let retracted = #"{"source":"\#(second["source"])","id":"\#(second["id"])"}"#
        // In order, late, a correction, a new learner: in rounds beside the writer, and in rounds while it waits.
        let batches = [
            [line("m1", at: "2026-05-01T10:00:00Z", by: subject)],
            [line("m2", at: "2026-01-06T10:00:00Z", by: subject), line("n1", by: "newcomer")],
            [line("m3", "event.retracted", at: "2026-05-02T10:00:00Z", by: second["subject"], data: retracted)],
            [line("n2", by: "newcomer"), line("n3", by: "another")],
            [line("m4", at: "2026-01-07T10:00:00Z", by: subject)], [line("n4", by: "another")],
        ]
        var given: [String] = []
        let writer = try bench.second()
        var pace = ApplyPace()
        (pace.rowsPerTurn, pace.eventsPerStep, pace.secondsPerTurn, pace.eventsAtLast) = (1, 1, 0, 0)
        let report = try interrupted(bench, rules, keeping: keeping, pace: pace) { round in
            guard round < batches.count else { return }
            // Another process, under the store's present rules.
            try writer.ingest(batches[round])
            given += batches[round]
            #expect(writer.engine.rules.source == Array(ClassRules.base.utf8))
        }
        #expect(given.count == 8 && report.version == 2)
        let sound = try bench.soundFingerprint()
        if !keeping { #expect(try sound == fresh(RulesApplyTests.lines + given, rules)) }
        #expect(try bench.export().count == RulesApplyTests.lines.count + given.count + report.granted)
        // The other process continues under the new rules.
        let after = [line("m9", at: "2026-06-01T10:00:00Z", by: subject)]
        try writer.ingest(after)
        #expect(writer.engine.rules.source == Array(rules.utf8))
        #expect(try bench.soundFingerprint() == writer.soundFingerprint())
    }

    /// Writers who change all learners in every round are not followed for ever.
    @Test func `the end comes, however busy the others are`() throws {
        let bench = try bench(.sqlite)
        let writer = try bench.second()
        let subjects = Set(try RulesApplyTests.lines.map { try JSONLine($0)["subject"] }).sorted()
        var given: [String] = []
        var pace = ApplyPace()
        (pace.eventsPerStep, pace.secondsPerTurn, pace.eventsAtLast, pace.rounds) = (1, 0, 0, 8)
        _ = try interrupted(bench, ClassRules.changed[0].rules, pace: pace) { round in
            let more = subjects.map { line("busy-\(round)", at: "2026-03-01T10:00:00Z", by: $0) }
            try writer.ingest(more)
            given += more
        }
        #expect(given.count >= 8 * subjects.count)
        #expect(try bench.soundFingerprint() == fresh(RulesApplyTests.lines + given, ClassRules.changed[0].rules))
    }

    @Test func `who is erased meanwhile stays erased`() throws {
        let bench = try bench(.sqlite)
        let rules = ClassRules.changed[0].rules
        let subjects = Array(Set(try RulesApplyTests.lines.map { try JSONLine($0)["subject"] })).sorted()
        let writer = try bench.second()
        var pace = ApplyPace()
        pace.eventsAtLast = 0
        _ = try interrupted(bench, rules, keeping: true, pace: pace) { round in
            for subject in subjects.prefix(3).dropFirst(round).prefix(1) {
                let isErased = try writer.engine.erase(learner: subject)
                #expect(isErased)
            }
        }
        let left = try RulesApplyTests.lines.filter { try !subjects.prefix(3).contains(JSONLine($0)["subject"]) }
        _ = try bench.soundFingerprint()
        let remaining = try bench.export().filter { try JSONLine($0)["source"] != RulesApplyTests.kept }
        #expect(Set(try remaining.map(JSONLine.init)) == Set(try left.map(JSONLine.init)))
    }

    @Test func `two at once: the second waits for another time`() throws {
        let bench = try bench(.sqlite)
        let rules = ClassRules.changed[0].rules
        let writer = try bench.second()
        let error = #expect(throws: EngineError.self) {
            _ = try interrupted(bench, rules) { _ in
                _ = try writer.engine.apply(
                    ClassRules.load(ClassRules.changed[1].rules),
                    options: ApplyOptions(appliedAt: Bench.date)
                )
            }
        }
        #expect(error?.code == .busy)
        #expect(try writer.soundFingerprint() == fresh(RulesApplyTests.lines, rules))
    }

    /// Rules without an effect on numbers are applied at once, in between.
    @Test func `other rules meanwhile stand`() throws {
        let bench = try bench(.sqlite)
        let third = ClassRules.base.replacing("name: class", with: "name: third")
        let writer = try bench.second()
        let error = #expect(throws: EngineError.self) {
            _ = try interrupted(bench, ClassRules.changed[0].rules) { round in
                guard round == 0 else { return }
                _ = try writer.engine.apply(ClassRules.load(third), options: ApplyOptions(appliedAt: Bench.date))
            }
        }
        #expect(error?.code == .rulesChanged && error?.message.contains("version 2 (“third”)") ?? false)
        #expect(try writer.soundFingerprint() == fresh(RulesApplyTests.lines, third))
        #expect(try bench.engine.rulesInForce().last?.version == 2)
    }

    // MARK: Rules that others have changed

    @Test func `an engine that was opened before goes by the new rules`() throws {
        let bench = try bench(.sqlite)
        let rules = ClassRules.changed[0].rules
        let (writer, reader) = (try bench.second(), try bench.second())
        try apply(rules, to: bench)
        let more = [line("late", at: "2026-01-06T10:00:00Z", by: try JSONLine(RulesApplyTests.lines[0])["subject"])]
        try writer.ingest(more)
        let expected = try fresh(RulesApplyTests.lines + more, rules)
        #expect(try bench.soundFingerprint() == expected)
        #expect(try reader.soundFingerprint() == expected)
        let subject = try JSONLine(RulesApplyTests.lines[0])["subject"]
        #expect(
            try reader.engine.progress(of: subject, language: nil, at: RulesApplyTests.end)
                == bench.engine.progress(of: subject, language: nil, at: RulesApplyTests.end)
        )
    }

    @Test func `two first writers agree on rules`() throws {
        let bench = try Bench(.sqlite, rules: ClassRules.base)
        let other = try bench.second()
        try bench.ingest([line("1")])
        // It would have used the shipped rules if the store had none by then.
        try other.ingest([line("2", by: "bo")])
        #expect(try bench.engine.rulesHistory().map(\.name) == ["class"])
        #expect(try bench.soundFingerprint() == fresh([line("1"), line("2", by: "bo")], ClassRules.base))
    }

    // MARK: Keeping achievements

    private func held(_ bench: Bench) throws -> [String: Int] {
        var held: [String: Int] = [:]
        try bench.engine.forEachOverview { overview in
            let subject = String(decoding: overview.learner.subject, as: UTF8.self)
            for (language, progress) in try bench.engine.allProgress(of: subject, at: RulesApplyTests.end) ?? [] {
                for achievement in progress.achievements where achievement.tier > 0 {
                    held["\(subject) \(language ?? "*") \(achievement.id)"] = achievement.tier
                }
            }
        }
        return held
    }

    private static let harder = ClassRules.base.replacing("[20, 80, 200]", with: "[30, 190, 900]")
        .replacing("total.reviews, at_least: 30", with: "total.reviews, at_least: 300")
        .replacing("total.clean, at_least: 4", with: "total.clean, at_least: 40")
        .replacing("value: level, at_least: 4", with: "value: level, at_least: 9, when: level < 8")

    @Test(arguments: Backend.allCases) func `nobody loses what was unlocked`(backend: Backend) throws {
        let bench = try bench(backend)
        let before = try held(bench)
        let report = try apply(RulesApplyTests.harder, to: bench, keeping: true)
        #expect(report.granted > 5)
        let after = try held(bench)
        // A grant unlocks all tiers, so some learners have more than before.
        for (key, tier) in before { #expect(after[key, default: 0] >= tier, "\(key)") }
        // The recorded events are everything: any store with them gives the same numbers.
        #expect(try bench.soundFingerprint() == fresh(bench.export(), RulesApplyTests.harder))
        // Back and forth again. Grants may have unlocked more, but this comes to an end.
        var granted = report.granted
        for _ in 0..<3 where granted > 0 {
            try apply(ClassRules.base, to: bench, keeping: true)
            granted = try apply(RulesApplyTests.harder, to: bench, keeping: true).granted
        }
        #expect(granted == 0)
        #expect(try bench.soundFingerprint() == fresh(bench.export(), RulesApplyTests.harder))
    }

    @Test func `a grant stands at the moment of the unlock, on its clock`() throws {
        let zoned =
            #"{"id":"z3","source":"app","type":"line.spoken","subject":"ana","time":"2026-02-05T23:30:00Z","#
            + #""timezone":"Asia/Tokyo","language":"ja","data":{"accuracy":1}}"#
        let lines = [
            line("z1", at: "2026-02-06T07:00:00+09:00"), line("z2", at: "2026-02-06T08:00:00+09:00"), zoned,
            line("z4", at: "2026-02-06T09:00:00+09:00"),
        ]
        let base =
            "version: 1\nmetrics: {lines: {count: line.spoken}}\nxp: [{id: day, on: line.spoken, award: day.lines}]\n"
            + "achievements: [{id: three, value: total.lines, at_least: 3, xp: 7}]\n"
        let harder = base.replacing("at_least: 3", with: "at_least: 30")
        let bench = try Bench(.sqlite, rules: base)
        try bench.ingest(lines)
        try bench.use(rules: nil)
        let report = try apply(harder, to: bench, keeping: true)
        #expect(report.granted == 1)
        let grant = try #require(try bench.export().first { $0.contains("achievement.granted") })
        #expect(
            grant.contains(
                #""id":"keep:three","source":"laurel/rules-apply","type":"achievement.granted","subject":"ana""#
            )
        )
        #expect(grant.contains(#""time":"2026-02-05T23:30:00Z""#) && grant.contains(#""timezone":"Asia/Tokyo""#))
        // Events of one local day, so the day's window continues: 1 + 2 + 3 + 4, and the reward.
        let progress = try #require(try bench.engine.progress(of: "ana", language: nil, at: RulesApplyTests.end))
        #expect(progress.numbers.xp == 17)
        #expect(progress.achievements[0].unlockedAt == (try Timestamp("2026-02-05T23:30:00Z")).milliseconds)
    }

    /// An achievement that both rule sets unlock keeps the earlier date, whichever rules gave it. Dates of some tiers
    /// among more cannot be kept.
    @Test func `what both unlock keeps the earlier date`() throws {
        let rules = { (one: Int, tiers: String) in
            "version: 1\nmetrics: {lines: {count: line.spoken}}\nachievements:\n"
                + "  - {id: one, value: total.lines, at_least: \(one), xp: 7}\n  - {id: all, value: total.lines, at_least: [0.5, \(one)]}\n"
                + "  - {id: some, value: total.lines, at_least: \(tiers)}\n"
                + "  - {id: per, scope: language, value: total.lines, at_least: \(one)}\n"
        }
        let bench = try Bench(.sqlite, rules: rules(2, "[1, 2, 9]"))
        let spanish = { (day: Int) in
            line("\(day)", at: "2026-02-0\(day)T10:00:00Z").replacing(
                #""subject""#,
                with: #""language":"es","subject""#
            )
        }
        try bench.ingest((1...5).map(spanish))
        func dates(_ language: String?) throws -> [String] {
            let progress = try bench.engine.progress(of: "ana", language: language, at: RulesApplyTests.end)
            return try #require(progress).achievements.map {
                "\($0.id) \($0.tier) \($0.unlockedAt.map { Timestamp.utc($0).prefix(10) } ?? "never")"
            }
        }
        #expect(try dates(nil) == ["one 1 2026-02-02", "all 2 2026-02-02", "some 2 2026-02-02"])
        let later = try apply(rules(4, "[1, 3, 9]"), to: bench, keeping: true)
        #expect(later.granted == 3)
        #expect(try dates(nil) == ["one 1 2026-02-02", "all 2 2026-02-02", "some 2 2026-02-03"])
        #expect(try dates("es") == ["per 1 2026-02-02"])
        #expect(try bench.engine.progress(of: "ana", language: nil, at: RulesApplyTests.end)?.numbers.xp == 7)
        // The earlier date of the new rules stays.
        #expect(try apply(rules(1, "[1, 3, 9]"), to: bench, keeping: true).granted == 0)
        #expect(try dates(nil)[0] == "one 1 2026-02-01")
        _ = try bench.soundFingerprint()
    }

    @Test func `a grant that was retracted is not made again`() throws {
        let bench = try bench()
        try apply(RulesApplyTests.harder, to: bench, keeping: true)
        let grant = try JSONLine(try #require(try bench.export().first { $0.contains("keep:reviewer") }))
        let retraction = line(
            "r1",
            "event.retracted",
            at: "2026-05-02T10:00:00Z",
            by: grant["subject"],
            data: #"{"source":"\#(grant["source"])","id":"\#(grant["id"])"}"#
        )
        try bench.ingest([retraction])
        try apply(ClassRules.base, to: bench)
        try apply(RulesApplyTests.harder, to: bench, keeping: true)
        let again = try bench.export().map(JSONLine.init)
        #expect(again.count { $0["id"] == grant["id"] && $0["subject"] == grant["subject"] } == 1)
        #expect(try held(bench)["\(grant["subject"]) * reviewer"] == nil)
        _ = try bench.soundFingerprint()
    }
}

extension Bench {
    /// Another store and engine over the same file, as in another process.
    func second() throws -> Bench { try Bench(sharing: self) }
}
