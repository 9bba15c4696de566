// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import Testing

/// Leaderboards compared with the progress of each learner.
@Suite struct LeaderboardTests {
    /// Awards so coarse that many learners have the same XP.
    private static let rules = """
        version: 1
        metrics: {lines: {count: line.spoken}}
        xp: [{id: line, on: line.spoken, award: 10}]
        achievements:
          - {id: talker, value: total.lines, at_least: 3, xp: 20}
          - {id: speaker, value: total.lines, at_least: 2, scope: language, xp: 10}
        """

    /// Monday 2026-02-02, and the two following weeks.
    private static let weeks = ["2026-02-02", "2026-02-09", "2026-02-16"]

    @Test(arguments: Backend.allCases, [UInt64(1), 2]) func `as each one's progress says`(
        backend: Backend,
        seed: UInt64
    ) throws {
        let crowd = Crowd(seed: seed)
        let bench = try Bench(backend, rules: LeaderboardTests.rules)
        // The first third comes last, and so is late for all learners.
        try bench.ingest(crowd.lines.dropFirst(crowd.lines.count / 3))
        try bench.ingest(crowd.lines.prefix(crowd.lines.count / 3))
        var comparison = BoardComparison(bench: bench, crowd: crowd)
        for week in LeaderboardTests.weeks + [nil] {
            for language in [nil, "es", "ja"] {
                try comparison.check(week, language)
            }
        }
        #expect(comparison.ties > 100, "seed \(seed)")
    }

    @Test(arguments: [UInt64(4), 5]) func `as of an instant before the latest events`(seed: UInt64) throws {
        let crowd = Crowd(seed: seed)
        let bench = try Bench(.sqliteTiny, rules: LeaderboardTests.rules)
        try bench.ingest(crowd.lines)
        for at in ["2026-02-08T11:00:00Z", "2026-02-10T23:59:59Z", "2026-02-13T02:30:00Z", "2026-02-22T23:00:00Z"] {
            let instant = try Timestamp(at)
            // A store that never had the later events.
            let then = try Bench(.memory, rules: LeaderboardTests.rules)
            try then.ingest(crowd.lines.filter { try! JSONLine($0).instant.milliseconds <= instant.milliseconds })
            for week in LeaderboardTests.weeks + [nil] {
                var request = LeaderboardRequest(week: week.map(Crowd.day), instant: instant)
                for cohort in [nil, "a"] {
                    request.cohort = cohort
                    let board = try #require(try bench.engine.leaderboard(request))
                    let expected = try #require(try then.engine.leaderboard(request))
                    // Tables alone give the instants only for equal XP.
                    let rows = zip(board.rows, expected.rows).map { row, other in
                        var row = row
                        if other.reachedAt == nil { row.reachedAt = nil }
                        return row
                    }
                    #expect(rows.map(\.described) == expected.rows.map(\.described), "seed \(seed) \(at)")
                    #expect(board.participants == expected.participants)
                }
            }
        }
    }

    @Test func `under other rules`() throws {
        let crowd = Crowd(seed: 6)
        let bench = try Bench(.sqlite, rules: LeaderboardTests.rules)
        try bench.ingest(crowd.lines)
        let other = "version: 1\nxp: [{id: line, on: line.spoken, award: local.hour}]\n"
        try bench.use(rules: other)
        let fresh = try Bench(.memory, rules: other)
        try fresh.ingest(crowd.lines)
        for week in LeaderboardTests.weeks + [nil] {
            let request = LeaderboardRequest(week: week.map(Crowd.day), instant: Crowd.end)
            let board = try #require(try bench.engine.leaderboard(request))
            let expected = try #require(try fresh.engine.leaderboard(request))
            #expect(board.rows.map(\.ranked) == expected.rows.map(\.ranked))
            #expect(board.rows.count > 10)
        }
    }

    @Test func `parts of a board are parts of the whole`() throws {
        let crowd = Crowd(seed: 7)
        let bench = try Bench(.sqliteTiny, rules: LeaderboardTests.rules)
        try bench.ingest(crowd.lines)
        var request = LeaderboardRequest(week: Crowd.day(LeaderboardTests.weeks[1]), instant: Crowd.end)
        let all = try #require(try bench.engine.leaderboard(request)).rows
        try #require(all.count > 20)
        for limit in 0...all.count + 1 {
            request.part = .top(limit)
            let top = try #require(try bench.engine.leaderboard(request))
            #expect(top.rows == Array(all.prefix(limit)))
            #expect(top.participants == all.count)
        }
        for (place, row) in all.enumerated() {
            for count in [1, 2, 5, 11, all.count, all.count + 5] {
                request.part = .around(learner: row.learner, count: count)
                let rows = try #require(try bench.engine.leaderboard(request)).rows
                let length = min(count, all.count)
                let first = min(max(0, place - (length - 1) / 2), all.count - length)
                #expect(rows == Array(all[first..<first + length]), "\(count) around \(row.learner)")
            }
        }
    }

    @Test(arguments: Backend.allCases) func `without learners who are left out`(backend: Backend) throws {
        func flag(_ id: String, _ time: String, _ data: String) -> String {
            line(id, "learner.updated", at: time, by: "shy", data: data)
        }
        let spoken = ["shy", "bo", "cy"].flatMap { subject in
            [line("1", at: "2026-02-05T08:00:00Z", by: subject, session: "s")]
        }
        let steps: [(name: String, lines: [String], isListed: Bool)] = [
            ("at first", spoken, true),
            ("left out", [flag("out", "2026-02-05T09:00:00Z", #"{"leaderboard":false}"#)], false),
            (
                "another property", [flag("name", "2026-02-05T09:30:00Z", #"{"displayName":"S","leaderboard":null}"#)],
                false
            ),
            ("back", [flag("in", "2026-02-06T09:00:00Z", #"{"leaderboard":true}"#)], true),
            ("an earlier no", [flag("late", "2026-02-05T10:00:00Z", #"{"leaderboard":false}"#)], true),
            (
                "the yes retracted",
                [line("r", "event.retracted", by: "shy", data: #"{"source":"app","id":"in"}"#)], false
            ),
        ]
        let bench = try Bench(backend, rules: LeaderboardTests.rules)
        func check(_ name: String, _ isListed: Bool, at instant: String = "2026-02-08T00:00:00Z") throws {
            let expected = isListed ? ["bo", "cy", "shy"] : ["bo", "cy"]
            for week in [Crowd.day(LeaderboardTests.weeks[0]), nil] {
                var request = LeaderboardRequest(week: week, instant: try Timestamp(instant))
                let board = try #require(try bench.engine.leaderboard(request))
                #expect(board.rows.map(\.learner) == expected && board.participants == expected.count, "\(name)")
                request.part = .around(learner: "shy", count: 3)
                #expect(try bench.engine.leaderboard(request)?.rows.isEmpty == !isListed, "\(name)")
            }
            let session = try bench.engine.leaderboard(ofSession: "s", at: try Timestamp(instant).date)
            #expect(session?.rows.map(\.learner) == expected, "\(name)")
        }
        for step in steps {
            try bench.ingest(step.lines)
            try check(step.name, step.isListed)
        }
        try check("before it was said", true, at: "2026-02-05T08:30:00Z")
        try check("when it was said", false, at: "2026-02-05T09:10:00Z")
        try bench.use(rules: "version: 1\nxp: [{id: line, on: line.spoken, award: 3}]\n")
        try check("under other rules", false)
    }

    @Test func `nobody, and nobody known`() throws {
        let bench = try Bench(.sqlite, rules: LeaderboardTests.rules)
        var request = LeaderboardRequest(week: nil, instant: Crowd.end)
        let empty = try #require(try bench.engine.leaderboard(request))
        #expect(empty.participants == 0 && empty.rows.isEmpty)
        try bench.ingest([line("1"), line("2", "learner.updated", by: "idle")])
        request.part = .around(learner: "idle", count: 5)
        let idle = try #require(try bench.engine.leaderboard(request))
        #expect(idle.participants == 1 && idle.rows.isEmpty)
        request.part = .around(learner: "nobody", count: 5)
        #expect(try bench.engine.leaderboard(request) == nil)
        request.part = .top(nil)
        request.language = "tlh"
        #expect(try bench.engine.leaderboard(request)?.participants == 0)
    }

    @Test func `equal XP stands in the order in which it was reached`() throws {
        let bench = try Bench(.sqlite, rules: "version: 1\nxp: [{id: line, on: line.spoken, award: 10}]\n")
        func adjusted(_ id: String, _ time: String, _ subject: String, _ amount: Int) -> String {
            line(id, "xp.adjusted", at: time, by: subject, data: #"{"amount":\#(amount)}"#)
        }
        try bench.ingest([
            // Reached 20 first, but fell below it and returned.
            line("1", at: "2026-02-05T08:00:00Z", by: "back"), line("2", at: "2026-02-05T08:01:00Z", by: "back"),
            adjusted("3", "2026-02-05T08:02:00Z", "back", 5), adjusted("4", "2026-02-05T12:00:00Z", "back", -5),
            line("1", at: "2026-02-05T09:00:00Z", by: "first"), line("2", at: "2026-02-05T09:01:00Z", by: "first"),
            // An event without XP changes nothing.
            line("3", "line.skipped", at: "2026-02-06T10:00:00Z", by: "first"),
            line("1", at: "2026-02-05T10:00:00Z", by: "Zoe"), line("2", at: "2026-02-05T10:01:00Z", by: "Zoe"),
            line("1", at: "2026-02-05T10:00:00Z", by: "ana"), line("2", at: "2026-02-05T10:01:00Z", by: "ana"),
            line("1", at: "2026-02-05T07:00:00Z", by: "less"),
            adjusted("1", "2026-02-05T07:00:00Z", "debt", -30),
        ])
        let request = LeaderboardRequest(week: Crowd.day("2026-02-05"), instant: Crowd.end)
        let board = try #require(try bench.engine.leaderboard(request))
        #expect(
            board.rows.map(\.ranked) == [
                "1 first 20", "1 Zoe 20", "1 ana 20", "1 back 20", "5 less 10", "6 debt -30",
            ]
        )
    }

    @Test func `corrections of later reach back`() throws {
        let bench = try Bench(.sqlite, rules: LeaderboardTests.rules)
        try bench.ingest([
            line("1", by: "ana"), line("1", by: "bo"), line("2", at: "2026-02-05T11:00:00Z", by: "bo"),
            line("3", "event.retracted", at: "2026-02-14T10:00:00Z", by: "bo", data: #"{"source":"app","id":"2"}"#),
        ])
        var request = LeaderboardRequest(week: Crowd.day("2026-02-05"), instant: Crowd.end)
        #expect(try bench.engine.leaderboard(request)?.rows.map(\.ranked) == ["1 ana 10", "1 bo 10"])
        request.instant = try Timestamp("2026-02-08T23:59:59.999Z")
        #expect(try bench.engine.leaderboard(request)?.rows.map(\.ranked) == ["1 bo 20", "2 ana 10"])
    }

    @Test(.enabled(if: Oracle.isWanted, "LAUREL_SKIP_ORACLE is set"), arguments: UInt64(621)...624)
    func `of random rules and events`(seed: UInt64) throws {
        let stream = try Oracle.generate(seed: seed, events: 400, "--conflicts", "--invalid")
        let now = try Timestamp("2027-01-01T00:00:00Z")
        let bench = try Bench(.sqliteTiny, rules: String(decoding: try contents(stream.rules), as: UTF8.self))
        try bench.ingest(contents(stream.events), now: now.milliseconds)
        var subjects: [String] = []
        try bench.engine.forEachOverview { subjects.append(String(decoding: $0.learner.subject, as: UTF8.self)) }
        // The XP of each day, from explanations.
        var byWeek: [LocalDay: [String: Double]] = [:]
        var totals: [String: Double] = [:]
        for subject in subjects where try bench.engine.isOnLeaderboards(subject, at: now.date) {
            let explanation = try #require(try bench.engine.learner(subject, at: now).explainXP(at: now.date))
            // Flagged XP is left out.
            for event in explanation.events where event.event.flag?.isCleared ?? true {
                byWeek[bench.engine.weekStart(event.event.day), default: [:]][subject, default: 0] += Double(event.xp)
            }
            let numbers = try bench.engine.progress(of: subject, language: nil, at: now)?.numbers
            totals[subject, default: 0] += numbers.map { $0.xp - $0.flaggedXP } ?? 0
        }
        let weeks: [(LocalDay?, [String: Double])] = byWeek.map { ($0.key, $0.value) } + [(nil, totals)]
        for (week, expected) in weeks {
            let board = try #require(try bench.engine.leaderboard(LeaderboardRequest(week: week, instant: now)))
            // Ids that differ only in their Unicode normal form are one key.
            let found = Dictionary(board.rows.map { ($0.learner, Double($0.xp)) }, uniquingKeysWith: +)
            #expect(found == expected.filter { $0.value != 0 }, "seed \(seed), \(week?.description ?? "all time")")
        }
    }
}

extension Leaderboard.Row {
    fileprivate var ranked: String { "\(rank) \(learner) \(xp)" }
    fileprivate var described: String {
        "\(ranked) \(displayName ?? "") \(cohort ?? "") \(reachedAt?.milliseconds ?? 0)"
    }
}

/// Learners in many zones with little XP each, so that many have the same.
private struct Crowd {
    var lines: [String] = []
    /// The difference of each learner's clock from UTC.
    var offsets: [String: String] = [:]
    /// The instants of each learner's events, as written, ascending.
    var times: [String: [Timestamp]] = [:]
    var cohorts: [String: String] = [:]

    static let end = try! Timestamp("2026-03-01T00:00:00Z")

    static func day(_ text: String) -> LocalDay { LocalDay(parsing: text.utf8)! }

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for number in 0..<45 {
            let subject = "l\(number)"
            offsets[subject] = ["+00:00", "+13:00", "-11:00", "+05:30"].randomElement(using: &random)!
            cohorts[subject] = ["a", "b", nil].randomElement(using: &random)!
            if let cohort = cohorts[subject] {
                add(subject, "learner.updated", "2026-02-01T10:00:00", "", #"{"cohort":"\#(cohort)"}"#)
            }
            for _ in 0..<Int.random(in: 0...8, using: &random) { addEvent(subject, &random) }
        }
        for subject in times.keys { times[subject]?.sort { $0.milliseconds < $1.milliseconds } }
        lines.shuffle(using: &random)
    }

    private mutating func addEvent(_ subject: String, _ random: inout SeededGenerator) {
        let day = Int.random(in: 2...22, using: &random)
        let hour = Int.random(in: 0...23, using: &random)
        let minute = 10 + lines.count % 50
        let time = "2026-02-\(day < 10 ? "0" : "")\(day)T\(hour < 10 ? "0" : "")\(hour):\(minute):00"
        let language = [nil, "es", "es", "ja"].randomElement(using: &random)!.map { #""language":"\#($0)","# } ?? ""
        if Int.random(in: 0..<10, using: &random) == 0 {
            add(subject, "xp.adjusted", time, language, #"{"amount":\#(Int.random(in: -2...2, using: &random) * 10)}"#)
        } else {
            add(subject, "line.spoken", time, language, "{}")
        }
    }

    private mutating func add(_ subject: String, _ type: String, _ time: String, _ language: String, _ data: String) {
        let written = time + (offsets[subject] ?? "Z")
        times[subject, default: []].append(try! Timestamp(written))
        lines.append(
            #"{"id":"\#(lines.count)","source":"app","type":"\#(type)","subject":"\#(subject)",\#(language)"#
                + #""time":"\#(written)","data":\#(data)}"#
        )
    }
}

/// Computes a board from the progress of one learner after another.
private struct BoardComparison {
    let bench: Bench
    let crowd: Crowd
    private(set) var ties = 0

    init(bench: Bench, crowd: Crowd) {
        self.bench = bench
        self.crowd = crowd
    }

    private struct Entry {
        var subject: String
        var xp: Double
        var reachedAt: Int64
    }

    mutating func check(_ week: String?, _ language: String?) throws {
        let entries = try crowd.times.keys.map { try entry($0, week, language) }.filter { $0.xp != 0 }
        for cohort in [nil, "a", "b"] {
            try compare(entries.filter { cohort == nil || crowd.cohorts[$0.subject] == cohort }, week, language, cohort)
        }
    }

    private mutating func compare(
        _ entries: [Entry],
        _ week: String?,
        _ language: String?,
        _ cohort: String?
    ) throws {
        var request = LeaderboardRequest(week: week.map(Crowd.day), instant: Crowd.end)
        request.language = language
        request.cohort = cohort
        let board = try #require(try bench.engine.leaderboard(request))
        var entries = entries
        entries.sort { one, other in
            if one.xp != other.xp { return one.xp > other.xp }
            if one.reachedAt != other.reachedAt { return one.reachedAt < other.reachedAt }
            return one.subject.utf8.lexicographicallyPrecedes(other.subject.utf8)
        }
        let expected = entries.map { entry in
            "\(entries.count { $0.xp > entry.xp } + 1) \(entry.subject) \(Int(entry.xp))"
        }
        let comment: Comment = "\(week ?? "all time") \(language ?? "*") \(cohort ?? "everyone")"
        #expect(board.rows.map(\.ranked) == expected, comment)
        #expect(board.participants == entries.count, comment)
        ties += zip(entries, entries.dropFirst()).count { $0.xp == $1.xp }
    }

    /// The XP at the end of the week by the learner's clock, and the earliest event from which on it was that much.
    private func entry(_ subject: String, _ week: String?, _ language: String?) throws -> Entry {
        let offset = crowd.offsets[subject] ?? "Z"
        let end = try week.map { week in
            let sunday = LocalDay(number: Crowd.day(week).number + 6)
            return try Timestamp("\(sunday)T23:59:59.999\(offset)")
        }
        func xp(at instant: Timestamp) throws -> Double {
            let progress = try bench.engine.progress(of: subject, language: language, at: instant)
            return (week == nil ? progress?.numbers.xp : progress?.weeklyXP) ?? 0
        }
        let final = try xp(at: end ?? Crowd.end)
        var reachedAt: Int64 = 0
        for time in (crowd.times[subject] ?? []).reversed() {
            if let end, let week {
                guard time.milliseconds <= end.milliseconds else { continue }
                guard try time.milliseconds >= Timestamp("\(week)T00:00:00\(offset)").milliseconds else { break }
            }
            guard try xp(at: time) == final else { break }
            reachedAt = time.milliseconds
        }
        return Entry(subject: subject, xp: final, reachedAt: reachedAt)
    }
}
