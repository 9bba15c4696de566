// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import StoreTesting
import Testing

/// Leagues compared with those of the second implementation, in random worlds: learners who travel, have equal XP, opt
/// out and come late, with retractions, later rules, and settlements between the events.
@Suite(.enabled(if: Oracle.isWanted, "LAUREL_SKIP_ORACLE is set"))
struct LeagueOracleTests {
    private static let now = try! Timestamp("2027-01-01T00:00:00Z")

    @Test func `random worlds, for half a minute`() throws {
        if let seeds = Oracle.seeds {
            for seed in seeds { try compare(seed) }
        } else {
            try Oracle.forHalfAMinute(from: 1, compare)
        }
    }

    private func compare(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        try Oracle.python(["\(Oracle.folder)/random_leagues.py", "--seed", "\(seed)", "--out", folder.path])
        let stream = try Oracle.Stream(folder: folder)
        let rules = String(decoding: try contents(stream.rules), as: UTF8.self)
        let bench = try Bench(seed % 4 == 1 ? .sqliteTiny : .sqlite, rules: rules)
        for version in stream.later {
            try bench.apply(String(decoding: contents(version.rules), as: UTF8.self), from: version.day)
        }
        let stages = try #require(JSONValue(validated: try contents(folder.file("stages.json"))))
        for stage in stages.elements { try play(stage, folder, bench) }
        let found = try results(bench.engine)
        let answer = try expected(folder, weeks: Set(found.map { $0["data"]["week"].text }))
        var comparison = Comparison(place: "seed \(seed)")
        comparison.compare(.array(found), .array(answer["results"].elements.map(Self.normal)), "results")
        for standings in answer["standings"].elements {
            for standing in standings.elements { try compare(standing, bench.engine, &comparison) }
        }
        #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(12).joined(separator: "\n"))")
        _ = try bench.soundFingerprint()
    }

    private func play(_ stage: JSONValue, _ folder: TemporaryFolder, _ bench: Bench) throws {
        if stage["settle"] != .null {
            try bench.engine.settleLeagues(now: Timestamp(stage["settle"].text).date)
        } else {
            let lines = String(decoding: try contents(folder.file(stage["ingest"].text)), as: UTF8.self)
            try bench.ingest(lines.split(separator: "\n").map(String.init), now: Self.now.milliseconds)
        }
    }

    /// The `league.finished` events, by learner and id.
    private func results(_ engine: ProgressEngine) throws -> [JSONValue] {
        var output: [UInt8] = []
        _ = try engine.export { output += $0 }
        let events = try output.split(separator: UInt8(ascii: "\n")).map {
            try #require(JSONValue(validated: Array($0)))
        }
        func precedes(_ one: JSONValue, _ other: JSONValue) -> Bool {
            let (first, second) = (one["subject"].text, other["subject"].text)
            guard first.utf8.elementsEqual(second.utf8) else {
                return first.utf8.lexicographicallyPrecedes(second.utf8)
            }
            return one["id"].text.utf8.lexicographicallyPrecedes(other["id"].text.utf8)
        }
        return events.filter { $0["type"].text == "league.finished" }.sorted(by: precedes).map(Self.normal)
    }

    /// An event without the members that the oracle leaves out, and with the usual spelling of its time.
    private static func normal(_ event: JSONValue) -> JSONValue {
        guard case .object(var members) = event else { return event }
        for name in ["specversion", "source", "type"] { members[name] = nil }
        if let time = try? Timestamp(event["time"].text) {
            members["time"] = .string("\(Timestamp(milliseconds: time.milliseconds, offset: time.offset))")
        }
        return .object(members)
    }

    private func expected(_ folder: TemporaryFolder, weeks: Set<String>) throws -> JSONValue {
        let output = try Oracle.python(
            ["\(Oracle.folder)/oracle.py", "--leagues", folder.path, "--now", Self.now.description]
                + weeks.sorted().flatMap { ["--week", $0] }
        )
        return try #require(JSONValue(validated: Array(output.utf8)))
    }

    /// Compares the rooms of a week.
    private func compare(_ standing: JSONValue, _ engine: ProgressEngine, _ comparison: inout Comparison) throws {
        let week = standing["week"].text
        let day = LocalDay(parsing: week.utf8) ?? LocalDay(startOfISOWeek: week.utf8)
        guard let table = try engine.league(standing["league"].text, day: day, at: Self.now.date), table.isSettled
        else {
            return
        }
        let found = table.tiers.map {
            $0.rooms.map { room in room.members.map { "\($0.rank) \($0.learner ?? "") \($0.xp)" } }
        }
        let expected = standing["tiers"].elements.map { tier in
            tier["rooms"].elements.map { room in
                room["members"].elements.map { "\($0["rank"].json) \($0["learner"].text) \($0["xp"].json)" }
            }
        }
        if found != expected { comparison.differences.append("\(week): \(found) instead of \(expected)") }
    }
}
