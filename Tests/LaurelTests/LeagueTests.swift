// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import StoreTesting
import Testing

@testable import Laurel

/// Weekly leagues in stores of every kind. The week of the tests is 9 to 15 February 2026.
@Suite struct LeagueTests {
    private static func rules(late: String = "final", prize: Int = 50) -> String {
        """
        version: 1
        metrics: {lines: {count: line.spoken}}
        xp:
          - {id: line, on: line.spoken, award: 10}
          - {id: gold, on: league.finished, when: league.weekly.tier == "silver", award: \(prize)}
        leagues:
          weekly: {tiers: [bronze, silver], size: 3, promote: 1, demote: 1, settle_after: 14h, late: \(late)}
        """
    }

    private static func event(
        _ id: String,
        _ type: String,
        _ learner: String,
        _ time: String,
        _ data: String = "{}"
    ) -> String {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"\#(learner)","time":"2026-02-\#(time)","data":\#(data)}"#
    }

    private static func spoken(_ learner: String, _ times: String...) -> [String] {
        times.map { event("\(learner)-\($0)", "line.spoken", learner, $0) }
    }

    /// In order of their ranks: ana, ben, cy.
    private static let lines =
        spoken("ana", "09T08:00:00Z", "10T08:00:00Z", "11T08:00:00Z") + spoken("ben", "09T09:00:00Z", "12T08:00:00Z")
        + spoken("cy", "09T10:00:00Z", "13T08:00:00Z") + spoken("old", "01T08:00:00Z")
        + [event("n", "learner.updated", "ben", "08T09:00:00Z", #"{"displayName":"Ben"}"#)]
    /// The first run is in the week before its end. The week ends on the 16th at 12:00 UTC, and 14 hours later it can be
    /// settled.
    private static let (first, before, after) = (
        date("12T00:00:00Z"), date("17T01:59:59Z"), date("17T02:00:00Z")
    )

    private static func date(_ time: String) -> Date { try! Timestamp("2026-02-\(time)").date }

    /// The lines with results, by learner.
    private func results(_ bench: Bench) throws -> [String] {
        var output: [UInt8] = []
        _ = try bench.engine.export { output += $0 }
        return String(decoding: output, as: UTF8.self).split(separator: "\n").filter { $0.contains("league.finished") }
            .map(String.init).sorted()
    }

    private func summary(_ line: String) throws -> String {
        let event = try #require(JSONValue(validated: Array(line.utf8)))
        let data = event["data"]
        return "\(event["subject"].text), \(data["rank"].json) of \(data["of"].json): \(data["xp"].json), "
            + "\(data["outcome"].text) to \(data["next"].text)"
    }

    @Test(arguments: Backend.allCases) func `are settled once`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules())
        try bench.ingest(Self.lines)
        #expect(try bench.engine.settleLeagues(now: Self.first) == [])
        #expect(try bench.engine.settleLeagues(now: Self.before) == [])
        let preview = try bench.engine.settleLeagues(isDryRun: true, now: Self.after)
        #expect(preview.map(\.week) == ["2026-W07"] && preview.map(\.results) == [3])
        #expect(try results(bench) == [])
        #expect(try bench.engine.settleLeagues(now: Self.after) == preview)
        #expect(try bench.engine.settleLeagues(now: Self.after) == [])
        let found = try results(bench)
        #expect(found.allSatisfy { $0.contains(#""id":"weekly/2026-W07""#) && $0.contains("2026-02-17T02:00:00") })
        #expect(
            try found.map(summary) == [
                "ana, 1 of 3: 30, promoted to silver", "ben, 2 of 3: 20, stayed to bronze",
                "cy, 3 of 3: 20, stayed to bronze",
            ]
        )
        // The tier can be read from step 1 of the event that gives it.
        #expect(try bench.engine.learner("ana").progress(at: Self.after)?.totalXP == 80)
        let fingerprint = try bench.engine.fingerprint()
        #expect(try bench.engine.replay().fingerprint == fingerprint)
        #expect(try bench.engine.check().differences.isEmpty)
    }

    @Test(arguments: Backend.allCases) func `show a learner's room`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules())
        try bench.ingest(Self.lines)
        let at = Self.date("13T12:00:00Z")
        let standing = try #require(try bench.engine.learner("ben").league(at: at))
        #expect(standing.league == "weekly" && standing.week == "2026-W07" && standing.tier == "bronze")
        #expect(standing.competes && standing.xp == 20 && standing.room == 1 && standing.rank == 2)
        #expect(standing.members.map(\.learner) == ["ana", "ben", "cy"])
        #expect(standing.members.map(\.displayName) == [nil, "Ben", nil])
        #expect(standing.members.map(\.xp) == [30, 20, 20])
        #expect(standing.members.map(\.outcome) == ["promoted", "stayed", "stayed"])
        #expect(standing.promotedThrough == 1 && standing.demotedFrom == nil)
        #expect(standing.endsAt == Self.date("16T00:00:00Z") && standing.secondsLeft == 60 * 3600)
        #expect(standing.latest == nil)
        let idle = try #require(try bench.engine.learner("old").league("weekly", at: at))
        #expect(idle.room == nil && idle.rank == nil && idle.members == [] && idle.xp == 0)
        #expect(try bench.engine.learner("ben").league("monthly", at: at) == nil)
        let table = try #require(try bench.engine.league("weekly", at: at))
        #expect(table.tiers.map(\.tier) == ["bronze", "silver"] && table.tiers[0].rooms[0].members == standing.members)
        #expect(!table.isSettled && table.settlesAt == Self.after)
        _ = try bench.engine.settleLeagues(now: Self.first)
        _ = try bench.engine.settleLeagues(now: Self.after)
        #expect(try bench.engine.learner("ana").league(at: Self.after)?.tier == "silver")
        #expect(try bench.engine.learner("ana").league(at: Self.after)?.latest?.outcome == "promoted")
        #expect(
            try bench.engine.league("weekly", day: LocalDay(parsing: "2026-02-10".utf8), at: Self.after)?
                .isSettled == true
        )
    }

    /// XP that does not count, and learners who do not compete.
    @Test(arguments: Backend.allCases) func `leave out adjustments and who opted out`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules())
        let out = #"{"leagues":false}"#
        try bench.ingest(
            Self.lines + [
                Self.event("a", "xp.adjusted", "cy", "14T08:00:00Z", #"{"amount":500}"#),
                Self.event("b", "xp.adjusted", "only", "14T08:00:00Z", #"{"amount":500}"#),
                Self.event("o", "learner.updated", "ana", "15T08:00:00Z", out),
            ]
        )
        _ = try bench.engine.settleLeagues(now: Self.first)
        _ = try bench.engine.settleLeagues(now: Self.after)
        let found = try results(bench)
        #expect(found.count == 2 && found[0].contains(#""subject":"ben""#) && found[0].contains(#""rank":1"#))
        #expect(found[1].contains(#""subject":"cy""#) && found[1].contains(#""xp":20"#))
    }

    /// A ranking that took long is used again, also for a learner who opted out since.
    @Test func `give no rank from before the opting out`() throws {
        let bench = try Bench(.memory, rules: Self.rules())
        let (engine, now) = (bench.engine, Date())
        func ingest(_ id: String, _ type: String, _ data: String) throws {
            let time = now.ISO8601Format()
            try bench.ingest([
                #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"ana","time":"\#(time)","data":\#(data)}"#
            ])
        }
        try ingest("1", "line.spoken", "{}")
        let at = Timestamp(now, in: nil)
        let week = try #require(engine.plan.leagueWeek("weekly", containing: engine.localDay(of: at)))
        _ = try engine.leagueRankings.ranking(of: week) {
            Thread.sleep(forTimeInterval: 0.5)
            return try engine.readLeagues(until: at.milliseconds) { reader in
                try LeagueRanking(week, try reader.entrants(of: week), isSettled: false, reader)
            }
        }
        #expect(try engine.learner("ana").league(at: now)?.rank == 1)
        try ingest("2", "learner.updated", #"{"leagues":false}"#)
        let standing = try #require(try engine.learner("ana").league(at: now))
        #expect(!standing.competes && standing.room == nil && standing.rank == nil && standing.xp == 10)
    }

    /// Learners of a higher tier who do not practise are demoted, and stay if they opted out.
    @Test(arguments: Backend.allCases) func `demote who does not compete`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules(prize: 0))
        try bench.ingest(Self.lines + Self.spoken("dan", "20T08:00:00Z"))
        _ = try bench.engine.settleLeagues(now: Self.first)
        _ = try bench.engine.settleLeagues(now: Self.after)
        let settlements = try bench.engine.settleLeagues(now: Self.date("25T00:00:00Z"))
        #expect(settlements.map(\.week) == ["2026-W08"])
        let found = try results(bench).filter { $0.contains("2026-W08") }
        #expect(found.count == 2 && found[0].contains(#""subject":"ana""#) && !found[0].contains("room"))
        #expect(found[0].contains(#""outcome":"demoted""#) && found[0].contains(#""next":"bronze""#))
        #expect(found[1].contains(#""subject":"dan""#) && found[1].contains(#""outcome":"promoted""#))
    }

    /// Under `promote-only`, a late phone improves its owner's result, and takes nothing from others.
    @Test(arguments: Backend.allCases, ["final", "promote-only"])
    func `improve results for late events`(backend: Backend, late: String) throws {
        let bench = try Bench(backend, rules: Self.rules(late: late))
        try bench.ingest(Self.lines)
        _ = try bench.engine.settleLeagues(now: Self.first)
        _ = try bench.engine.settleLeagues(now: Self.after)
        try bench.ingest(Self.spoken("cy", "14T08:00:00Z", "14T09:00:00Z", "14T10:00:00Z"))
        let again = try bench.engine.settleLeagues(now: Self.after)
        guard late == "promote-only" else { return #expect(again == []) }
        #expect(again.map(\.isAmendment) == [true] && again.map(\.results) == [1])
        let found = try results(bench)
        #expect(found.count == 4)
        let better = try #require(found.first { $0.contains("weekly/2026-W07/2") })
        #expect(better.contains(#""subject":"cy""#) && better.contains(#""rank":1"#))
        #expect(better.contains(#""outcome":"promoted""#) && better.contains(#""xp":50"#))
        #expect(try bench.engine.settleLeagues(now: Self.after) == [])
        #expect(try bench.engine.learner("ana").league(at: Self.after)?.tier == "silver")
        #expect(try bench.engine.check().differences.isEmpty)
    }

    /// A retracted result is void, and is not given again.
    @Test(arguments: Backend.allCases) func `do not repeat a retracted result`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules(late: "promote-only"))
        try bench.ingest(Self.lines)
        _ = try bench.engine.settleLeagues(now: Self.first)
        _ = try bench.engine.settleLeagues(now: Self.after)
        let target = #"{"source":"laurel/league","id":"weekly/2026-W07"}"#
        try bench.ingest([Self.event("r", "event.retracted", "ana", "18T08:00:00Z", target)])
        #expect(try bench.engine.learner("ana").league(at: Self.date("18T09:00:00Z"))?.tier == "bronze")
        #expect(try bench.engine.settleLeagues(now: Self.date("18T09:00:00Z")) == [])
    }

    /// A store that is filled by an export has the same results, and settles no week again.
    @Test(arguments: Backend.allCases) func `survive an export`(backend: Backend) throws {
        let bench = try Bench(backend, rules: Self.rules())
        try bench.ingest(Self.lines)
        _ = try bench.engine.settleLeagues(now: Self.first)
        _ = try bench.engine.settleLeagues(now: Self.after)
        var output: [UInt8] = []
        _ = try bench.engine.export { output += $0 }
        let other = try Bench(backend, rules: Self.rules())
        try other.ingest(String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init))
        #expect(try other.engine.fingerprint() == bench.engine.fingerprint())
        #expect(try other.engine.settleLeagues(now: Self.after) == [])
        #expect(try results(other) == results(bench))
    }
}
