// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct ReportTests {
    private let laurel: Laurel

    init() throws {
        let events = ["2026-02-02", "2026-02-04", "2026-02-10"].enumerated().map { index, day in
            """
            {"id":"\(index)","source":"app","subject":"ana","type":"line.spoken","time":"\(day)T10:00:00Z","language":"es"}
            """
        }
        laurel = try Laurel(events: events.joined(separator: "\n"))
    }

    @Test func listsTheReports() throws {
        let outcome = try laurel.run("report", "--list", "--json")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\"name\":\"mastery\"") && outcome.output.contains("\"name\":\"weekly-xp\""))
    }

    @Test(arguments: [("this", "2026-W06"), ("last", "2026-W05")])
    func aWeekGoesByTheLearnersClock(name: String, week: String) throws {
        // By the rules' clock, UTC, it is Monday already.
        let event =
            #"{"id":"1","source":"app","subject":"west","type":"line.spoken","time":"2026-02-08T10:00:00-10:00","language":"es"}"#
        let laurel = try Laurel(events: event)
        let at = ["--at", "2026-02-09T05:00:00Z"]
        let page = try laurel.run(["report", "weekly-xp", "--learner", "west", "--week", name, "--out", "."] + at)
        #expect(page.messages == ["wrote ./weekly-xp-\(week)-west.html"])
    }

    @Test func writesToStandardOutputOrIntoAFolder() throws {
        let text = try laurel.run("report", "weekly-xp", "--learner", "ana", "--week", "2026-W06")
        #expect(text.status == 0 && text.output.hasPrefix("# The week in XP: ana\n"))
        let page = try laurel.run("report", "weekly-xp", "--learner", "ana", "--week", "2026-W06", "--out", "a/b")
        #expect(page.messages == ["wrote a/b/weekly-xp-2026-W06-ana.html"])
        #expect(try laurel.read("a/b/weekly-xp-2026-W06-ana.html").hasPrefix("<!doctype html>"))
    }

    @Test(arguments: [([], "600"), (["--mode", "640"], "640")])
    func `a report is its owner's unless asked`(options: [String], mode: String) throws {
        let one = ["report", "weekly-xp", "--learner", "ana", "--week", "2026-W06", "--out", "one"]
        #expect(try laurel.run(one + options).status == 0)
        #expect(
            try laurel.run(["report", "weekly-xp", "--week", "2026-W06", "--each", "--out", "each"] + options).status
                == 0
        )
        let modes = try laurel.shell("umask 022; stat -c %a one/* each/* | sort -u").output
        #expect(modes == "\(mode)\n")
    }

    @Test func oneForEachAndAnIndex() throws {
        let first = try laurel.run("report", "weekly-xp", "--week", "2026-W06", "--each", "--out", "one")
        #expect(first.messages == ["wrote 1 report and an index to one"])
        _ = try laurel.run("report", "weekly-xp", "--week", "2026-W06", "--each", "--out", "two")
        #expect(laurel.exists("one/index.html"))
        #expect(try laurel.read("one/ana.html") == laurel.read("two/ana.html"))
    }

    @Test(
        "Wrong requests are status 2 and say what would be right",
        arguments: [
            (["weekly"], "there is no report “weekly”; did you mean weekly-xp?"),
            ([], "report: NAME is missing; `laurel report --list` lists them"),
            (["weekly-xp", "--learner", "anna"], "there is no learner “anna” in the store; did you mean ana?"),
            (
                ["weekly-xp", "--week", "2026-6"],
                "--week: “2026-6” names no week: give a date in it, 2026-W06, this or last"
            ),
            (["weekly-xp", "--format", "pdf"], "--format: “pdf” is not one of html, md, csv, json"),
            (["weekly-xp", "--format", "csv"], "csv is one file per table; name a folder for them with --out"),
            (["weekly-xp", "--each"], "--each writes many files; name a folder for them with --out"),
            (["weekly-xp", "--learner", "ana", "--cohort", "c"], "--learner and --cohort exclude each other"),
            (["weekly-xp", "--cohort", "c"], "there is no cohort “c” as of 2026-02-20T00:00:00Z"),
            (["weekly-xp", "--language", "fr"], "there are no events in “fr” as of 2026-02-20T00:00:00Z"),
        ]
    )
    func wrongRequests(arguments: [String], message: String) throws {
        let command = (["laurel", "report"] + arguments + ["--at", "2026-02-20T00:00:00Z"]).joined(separator: " ")
        let outcome = try laurel.shell(command)
        #expect(outcome.status == 2)
        #expect(outcome.messages.first == message)
        #expect(outcome.output == "")
    }

    @Test func checkPointsAtTheMistake() throws {
        try laurel.write(
            """
            version: 1
            title: Mine
            learner:
              sections:
                - exhibits:
                    - {show: table, query: SELECT xpp FROM progress}
            """,
            to: "mine.yaml"
        )
        let outcome = try laurel.run("report", "check", "mine.yaml")
        #expect(outcome.status == 1)
        let place = "        - {show: table, query: SELECT xpp FROM progress}"
        #expect(
            outcome.output == """
                mine.yaml:6:39: error: SQL: no such column: xpp; did you mean `xp`?
                  6 | \(place)
                    |                                       ^~~
                    |                                       xp

                """
        )
        #expect(outcome.messages == ["1 file, 1 error, 0 warnings"])
        #expect(try laurel.run("report", "mine.yaml", "--learner", "ana").status == 2)
    }
}
