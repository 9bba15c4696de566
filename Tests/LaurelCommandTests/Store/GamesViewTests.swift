// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import Testing

/// The views `goals` and `balances`, read by `sqlite3` and `psql`.
@Suite struct GamesViewTests {
    private static let rules = """
        version: 1
        metrics: {lines: {count: line.spoken}}
        goals:
          - {id: two, every: day, value: day.lines, target: 2, gives: {gems: 5}}
          - {id: three, every: week, value: week.lines, target: 3}
          - {id: p1, every: day, pool: quests, value: day.lines, target: 9}
          - {id: p2, every: day, pool: quests, value: day.lines, target: 9}
          - {id: p3, every: day, pool: quests, value: day.lines, target: 9}
        pools: {quests: {draw: 1}}
        currencies:
          gems: {}
          hearts: {start: 5, hold: 5, refill: {every: 4h, by: 1}, awards: [{id: slip, on: error.detected, award: -1}]}
        """

    private static func event(_ id: Int, _ type: String, _ learner: String, _ time: String) -> String {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"\#(learner)","time":"2026-02-\#(time):00Z"}"#
    }

    private static let events = [
        event(1, "line.spoken", "ana", "05T10:00"), event(2, "line.spoken", "ana", "05T11:00"),
        event(3, "error.detected", "ana", "05T12:00"), event(4, "line.spoken", "ben", "06T10:00"),
    ]

    /// A store, and the command that runs a query in it.
    private struct Place {
        let store: String
        let laurel = try! Laurel()
        let shell: (String) -> String
        /// The prefix of the names of views.
        var schema = ""

        func rows(_ query: String) throws -> [String] {
            let outcome = try laurel.shell(shell(query))
            #expect(outcome.status == 0, "\(outcome)")
            return outcome.output.split(separator: "\n").map(String.init)
        }

        func run(_ words: String...) throws {
            let outcome = try laurel.run(words + ["--store", store])
            #expect(outcome.status == 0, "\(words): \(outcome)")
        }

        func goals() throws -> [String] {
            try rows(
                """
                SELECT learner, goal, every, g.window, CAST(value AS INTEGER), CAST(target AS INTEGER), times,
                    CASE WHEN completed_at IS NULL THEN 'open' ELSE 'done' END
                FROM \(schema)goals g ORDER BY learner, goal
                """
            )
        }

        func balances() throws -> [String] {
            try rows(
                """
                SELECT learner, currency, balance, coalesce(hold, 0), coalesce(refill_every_ms, 0), coalesce(refill_by, 0),
                    CASE WHEN refill_anchor IS NULL THEN 'still' ELSE 'refills' END
                FROM \(schema)balances ORDER BY learner, currency
                """
            )
        }
    }

    private func check(_ place: Place) throws {
        try place.laurel.write(Self.events.joined(separator: "\n"), to: "events.ndjson")
        try place.laurel.write(Self.rules, to: "games.yaml")
        try place.laurel.write("version: 1\n", to: "plain.yaml")
        try place.run("ingest", "--now", "2026-03-01T00:00:00Z", "events.ndjson")
        try place.run("rules", "apply", "--yes", "games.yaml")
        let (goals, balances) = (try place.goals(), try place.balances())
        #expect(
            goals.filter { !$0.contains("|p") } == [
                "ana|three|week|2026-W06|2|3|0|open", "ana|two|day|2026-02-05|2|2|1|done",
                "ben|three|week|2026-W06|1|3|0|open", "ben|two|day|2026-02-06|1|2|0|open",
            ]
        )
        #expect(goals.count { $0.hasPrefix("ana|p") } == 1 && goals.count { $0.hasPrefix("ben|p") } == 1, "\(goals)")
        #expect(
            balances == [
                "ana|gems|5|0|0|0|still", "ana|hearts|4|5|14400000|1|refills", "ben|gems|0|0|0|0|still",
                "ben|hearts|5|5|14400000|1|still",
            ]
        )
        try place.run("replay", "--check")
        // An event later in the same week moves the windows, and completes the goal of the week.
        try place.laurel.write(Self.event(5, "line.spoken", "ana", "07T10:00"), to: "more.ndjson")
        try place.run("ingest", "--now", "2026-03-01T00:00:00Z", "more.ndjson")
        let moved = try place.goals().filter { $0.hasPrefix("ana|t") }
        #expect(moved == ["ana|three|week|2026-W06|3|3|1|done", "ana|two|day|2026-02-07|1|2|1|open"])
        try place.run("replay", "--check")
        let all = (try place.goals(), try place.balances())
        try place.run("replay")
        #expect(try place.goals() == all.0 && place.balances() == all.1)
        try place.run("rules", "apply", "--yes", "plain.yaml")
        #expect(try place.goals() == [] && place.balances() == [])
        try place.run("rules", "apply", "--yes", "games.yaml")
        #expect(try place.goals() == all.0 && place.balances() == all.1)
        try place.run("erase", "ana", "--yes")
        #expect(try place.goals() == all.0.filter { $0.hasPrefix("ben") })
        #expect(try place.balances() == all.1.filter { $0.hasPrefix("ben") })
    }

    @Test func `of a file`() throws {
        let place = Place(store: "games.db", shell: { "sqlite3 games.db \"\($0)\"" })
        try check(place)
        // A changed row is found, and computed again.
        let balances = try place.balances()
        _ = try place.rows("UPDATE progress_rows SET games = NULL; VACUUM")
        #expect(try place.balances() == [])
        #expect(try place.laurel.run("replay", "--check", "--store", "games.db").status == 1)
        try place.run("replay")
        #expect(try place.balances() == balances)
    }

    @Test(.enabled(if: DatabaseServer.binaries != nil, "there is no PostgreSQL on this machine"))
    func `of a database`() throws {
        let server = try #require(DatabaseServer.shared)
        let location = try server.newDatabase()
        let (binaries, database) = (try #require(DatabaseServer.binaries), DatabaseServer.database(of: location))
        let psql = "\(binaries)/psql -XAtq -h \(server.folder) -U \(server.user) -d \(database)"
        let schema = try #require(location.split(separator: "schema=").last)
        let place = Place(store: location, shell: { "\(psql) -c \"\($0)\"" }, schema: "\(schema).")
        #expect(try place.laurel.run("store", "create", location).status == 0)
        try check(place)
    }
}
