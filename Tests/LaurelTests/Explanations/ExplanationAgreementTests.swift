import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore
import Testing

/// What is explained adds up to what is reported, for every learner and track.
@Suite struct ExplanationAgreementTests {
    @Test(arguments: [UInt64(21), 22]) func `of a simulated class`(seed: UInt64) throws {
        let bench = try Bench(.sqlite)
        try bench.ingest(simulated(learners: 9, days: 60, seed: seed, disorder: true))
        var agreement = Agreement(bench, "seed \(seed)")
        for at in ["2026-02-11T15:00:00Z", "2026-06-01T00:00:00+05:30"] {
            try agreement.check(at: try Timestamp(at))
        }
        #expect(agreement.awards > 500)
        #expect(agreement.unlocks > 5)
        #expect(agreement.words > 50)
    }

    @Test(.enabled(if: Oracle.isWanted, "LAUREL_SKIP_ORACLE is set"), arguments: UInt64(601)...606)
    func `of random rules and events`(seed: UInt64) throws {
        let stream = try Oracle.generate(seed: seed, events: 400, "--conflicts", "--invalid")
        let now = try Timestamp("2027-01-01T00:00:00Z")
        let bench = try Bench(.sqlite, rules: String(decoding: try contents(stream.rules), as: UTF8.self))
        try bench.ingest(contents(stream.events), now: now.milliseconds)
        var times: [Int64] = []
        try bench.engine.forEachOverview { times += [$0.lastEventAt ?? 0] }
        var agreement = Agreement(bench, "seed \(seed)")
        try agreement.check(at: Timestamp(milliseconds: (times.min() ?? 0), offset: .minutes(-480)))
        try agreement.check(at: now)
        #expect(agreement.checks > 12)
    }
}

/// Compares explanations with progress.
private struct Agreement {
    let bench: Bench
    let place: String
    private(set) var checks = 0
    private(set) var awards = 0
    private(set) var unlocks = 0
    private(set) var words = 0

    private var engine: ProgressEngine { bench.engine }

    init(_ bench: Bench, _ place: String) {
        self.bench = bench
        self.place = place
    }

    mutating func check(at instant: Timestamp) throws {
        var subjects: [String] = []
        try engine.forEachOverview { subjects.append(String(decoding: $0.learner.subject, as: UTF8.self)) }
        for subject in subjects {
            for (language, progress) in try #require(try engine.allProgress(of: subject, at: instant)) {
                let comment: Comment = "\(place), \(subject) \(language ?? "*") at \(instant)"
                checks += 1
                try checkXP(subject, language, progress, instant, comment)
                try checkStreak(subject, language, progress, instant, comment)
                try checkAchievements(subject, language, progress, instant, comment)
            }
            try checkWords(subject, instant)
        }
    }

    // MARK: XP

    private mutating func checkXP(
        _ subject: String,
        _ language: String?,
        _ progress: Progress,
        _ instant: Timestamp,
        _ comment: Comment
    ) throws {
        func explained(_ selection: XPSelection) throws -> XPExplanation {
            try #require(try engine.explainXP(of: subject, selection, at: instant))
        }
        let all = try explained(XPSelection(language: language))
        #expect(all.total == progress.totalXP, comment)
        #expect(all.buckets == progress.xpBreakdown, comment)
        // What is listed, added up here.
        var sums: [String: Double] = [:]
        for entry in all.events.flatMap(\.entries) { sums[entry.bucket, default: 0] += entry.amount }
        let breakdown = Dictionary(progress.xpBreakdown.map { ($0.name, $0.value) }) { $0 + $1 }
        #expect(sums.filter { $0.value != 0 } == breakdown, comment)
        awards += all.events.count { !$0.entries.isEmpty }

        // Some days and sessions on their own.
        let days = Dictionary(grouping: all.events, by: \.event.day)
        for (day, events) in days.sorted(by: { $0.key < $1.key }).suffix(4) {
            let total = try explained(XPSelection(language: language, day: day)).total
            #expect(total == events.reduce(0) { $0 + $1.xp }, "\(comment) \(day)")
        }
        guard language == nil else { return }
        let sessions = try #require(try engine.sessions(of: subject, at: instant))
        let ids = Dictionary(grouping: sessions, by: { Array($0.id.utf8) })
        for (id, records) in ids.prefix(4) {
            let selection = XPSelection(session: String(decoding: id, as: UTF8.self))
            #expect(try explained(selection).total == Double(records.reduce(0) { $0 + $1.xpEarned }), comment)
        }
    }

    // MARK: Streak

    private func checkStreak(
        _ subject: String,
        _ language: String?,
        _ progress: Progress,
        _ instant: Timestamp,
        _ comment: Comment
    ) throws {
        guard engine.rules.streak != nil else {
            #expect(progress.longestStreak == 0, comment)
            return
        }
        func explained(_ day: LocalDay?) throws -> StreakExplanation {
            let found = try engine.explainStreak(of: subject, language: language, around: day, at: instant)
            return try #require(found)
        }
        let recent = try explained(nil)
        #expect(recent.value.current == progress.currentStreak, comment)
        #expect(recent.value.longest == progress.longestStreak, comment)
        #expect(recent.value.freezes == progress.streakFreezes, comment)
        guard let last = progress.lastActivityDate.flatMap({ LocalDay(parsing: $0.utf8) }) else {
            #expect(recent.days.isEmpty, comment)
            return
        }
        let days = try explained(last).days
        let active = days.filter { if case .active = $0.outcome { true } else { false } }
        #expect(active.last?.day == last, comment)
        for day in active {
            // Some event says so: by its `when`, or by a repair.
            #expect(day.story.activeEvents > 0 || day.story.repairedBy != nil, "\(comment) \(day.day)")
            if day.story.activeEvents > 0 { #expect(day.story.when?.value == .boolean(true), comment) }
        }
        for day in days where day.outcome == .frozen { #expect(day.story.frozenBy != nil, "\(comment) \(day.day)") }
        for day in days where !active.contains(where: { $0.day == day.day }) {
            #expect(day.story.activeEvents == 0, "\(comment) \(day.day)")
        }
    }

    // MARK: Achievements

    private mutating func checkAchievements(
        _ subject: String,
        _ language: String?,
        _ progress: Progress,
        _ instant: Timestamp,
        _ comment: Comment
    ) throws {
        var rewards = 0.0
        for rule in engine.rules.achievements {
            let found = try #require(
                try engine.explainAchievement(rule.id, of: subject, language: language, at: instant),
                comment
            )
            guard let explanation = found.first(where: { $0.language == language }) else { continue }
            rewards += explanation.changes.reduce(0) { $0 + $1.xp }
            unlocks += explanation.changes.count
            let told = progress.achievements.first { $0.id == rule.id }
            #expect(told.map { $0 == explanation.standing.progress } ?? rule.isHidden, "\(comment) \(rule.id)")
            check(explanation, "\(comment) \(rule.id)")
        }
        // The overall track also has the languages' rewards.
        let expected = progress.xpBreakdown.first { $0.name == "achievements" }?.value ?? 0
        let isOther = engine.rules.xpRules.contains { $0.bucket == "achievements" }
        let isShared = language == nil && engine.rules.achievements.contains(where: \.isPerLanguage)
        if !isOther, !isShared { #expect(rewards == expected, comment) }
    }

    private func check(_ explanation: AchievementExplanation, _ comment: Comment) {
        let progress = explanation.standing.progress
        var tier = 0
        var unlockedAt: Int64?
        for change in explanation.changes {
            switch change.kind {
            case .unlocked(let tiers):
                #expect(tiers.lowerBound == tier + 1, comment)
                let value = change.reading?.value.value.number ?? .nan
                #expect(explanation.rule.thresholds[tiers.upperBound - 1] <= value, comment)
                #expect(change.reading?.isOpen == true, comment)
                (tier, unlockedAt) = (tiers.upperBound, change.event.time)
            case .granted(let tiers?): (tier, unlockedAt) = (tiers.upperBound, change.event.time)
            case .granted(nil): #expect(tier == progress.tiers, comment)
            case .revoked(let held):
                #expect(held == tier, comment)
                (tier, unlockedAt) = (0, nil)
            }
        }
        #expect(tier == progress.tier, comment)
        #expect(unlockedAt == progress.unlockedAt, comment)
        guard tier < progress.tiers, !explanation.standing.isRevoked else { return }
        let best = explanation.best?.value.value.number ?? 0
        #expect(min(1, max(0, best / explanation.rule.thresholds[tier])) == progress.progress, comment)
    }

    // MARK: Words

    private mutating func checkWords(_ subject: String, _ instant: Timestamp) throws {
        let records = try #require(try engine.words(of: subject, language: nil, at: instant))
        for record in records.prefix(8) {
            let comment: Comment = "\(place), \(subject) \(record.id) at \(instant)"
            let language = record.language ?? ""
            let found = try #require(
                try engine.explainWord(record.id, of: subject, language: language, at: instant),
                comment
            )
            let explanation = try #require(found.first, comment)
            let told = explanation.steps.filter { $0.event.void == nil }
            #expect(told.last?.after == explanation.state, comment)
            for (one, next) in zip(told, told.dropFirst()) { #expect(one.after == next.before, comment) }
            #expect(explanation.state?.mastery == record.mastery, comment)
            #expect(explanation.state?.nextReviewAt == record.nextReviewAt.milliseconds, comment)
            #expect(explanation.state?.intervalDays == record.intervalDays, comment)
            #expect(explanation.state?.reviews.description == "\(record.reviews)", comment)
            words += 1
        }
    }
}
