// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Stores by Core Data's conventions, made by `make_coredata.py`.
@Suite struct CoreDataTests {
    struct App: Sendable, CustomTestStringConvertible {
        var name: String
        var stored: [String: Int]
        var leftOut: [String: Int]
        var types: [String: Int]
        /// The events that a copy made some days later adds.
        var later: [String: Int]

        var testDescription: String { name }
    }

    private static let apps = [
        App(
            name: "immersion-rooms",
            stored: [
                "profiles": 1, "session starts": 4, "sessions": 3, "conversations": 2, "words met": 7, "schedules": 4,
                "streak days": 3,
            ],
            leftOut: [
                "conversations under way": 1, "sessions under way": 1, "scanned objects": 16,
                "days of a longest streak": 6, "levels that are not CEFR's": 1,
                "completed conversations without a row": 2, "learned words without a row": 36,
            ],
            types: [
                "learner.updated": 1, "session.started": 4, "session.ended": 3, "conversation.ended": 2,
                "word.encountered": 7, "word.imported": 4, "streak.repaired": 3,
            ],
            later: ["words met": 8, "schedules": 4, "streak days": 3]
        ),
        App(
            name: "vocabmaster",
            stored: ["words": 20, "completed words": 6],
            leftOut: ["completions of words that are gone": 1],
            types: ["word.added": 20, "word.learned": 6],
            later: ["completed words": 1]
        ),
        App(
            name: "flippin",
            stored: ["cards": 4],
            leftOut: ["tags that no card has": 1],
            types: ["word.added": 4],
            later: ["cards": 1]
        ),
    ]

    private func options(_ app: App) -> String {
        "--format coredata-\(app.name) --subject ana --timezone Europe/Madrid"
    }

    @Test(arguments: apps) func `every entity comes over, and the summary says what could not`(app: App) throws {
        let laurel = try Laurel()
        try laurel.makeCoreData(app.name, "a.sqlite")
        let report = try laurel.take("\(options(app)) a.sqlite")
        #expect(report.refused == 0 && report.conflicts == 0)
        #expect(report.storedByKind == app.stored)
        #expect(report.leftOutByKind == app.leftOut)
        #expect(try laurel.types() == app.types)
    }

    @Test(arguments: apps) func `twice and in halves it is the same as once`(app: App) throws {
        let laurel = try Laurel()
        for (part, file) in [("", "a.sqlite"), ("1", "first.sqlite"), ("2", "second.sqlite")] {
            try laurel.makeCoreData(app.name, file, part: part)
        }
        let once = try laurel.take("\(options(app)) a.sqlite", store: "once.db")
        let again = try laurel.take("\(options(app)) a.sqlite", store: "once.db")
        #expect(again.stored == 0 && again.duplicates == again.read && again.conflicts == 0)
        _ = try laurel.take("\(options(app)) second.sqlite", store: "halves.db")
        _ = try laurel.take("\(options(app)) first.sqlite", store: "halves.db")
        let rest = try laurel.take("\(options(app)) a.sqlite", store: "halves.db")
        #expect(try rest.conflicts == 0 && once.stored == laurel.events("halves.db").count)
        #expect(try laurel.fingerprint("halves.db") == laurel.fingerprint("once.db"))
    }

    @Test(arguments: apps) func `a newer copy adds only what is new`(app: App) throws {
        let laurel = try Laurel()
        try laurel.makeCoreData(app.name, "a.sqlite")
        _ = try laurel.take("\(options(app)) a.sqlite")
        try laurel.makeCoreData(app.name, "b.sqlite", part: "later")
        // The ids of VocabMaster's words are those of the device.
        let report = try laurel.take("\(options(app)) b.sqlite")
        #expect(report.conflicts == 0 && report.refused == 0)
        #expect(report.storedByKind == app.later)
    }

    @Test func `the streak, the study time and the schedules go on from the app's`() throws {
        // There were sessions on the 1st, 2nd and 5th. For the 3rd and 4th the app records only a streak.
        let rules = "version: 1\nmetrics: {sessions: {count: session.ended}}\nstreak: {when: day.sessions >= 1}\n"
        let laurel = try Laurel(rules: rules)
        try laurel.makeCoreData("immersion-rooms", "a.sqlite")
        _ = try laurel.take("--rules rules.yaml \(options(Self.apps[0])) a.sqlite")
        let progress = try laurel.json("laurel progress ana --language es --at 2026-02-05T22:00:00+01:00 --json")
        #expect(progress["currentStreak"] as? Int == 5)
        // 90 minutes in sessions, and two conversations of 15 minutes outside them.
        #expect(progress["totalMinutesPlayed"] as? Int == 120)
        #expect(progress["totalWordsKnown"] as? Int == 4 && progress["totalWordsLearned"] as? Int == 1)
        #expect(progress["displayName"] as? String == "Ana")
        let words = try laurel.shell("laurel words ana --at 2026-02-05T22:00:00+01:00 --json")
        let met = words.output.matches(of: #/"text":"([^"]*)".*"encounters":([0-9]+)/#).map { "\($0.1) \($0.2)" }
        #expect(met.sorted() == ["mesa 3", "puerta 1", "silla 1", "ventana 2"])
    }

    @Test func `several users are learners of their own`() throws {
        let laurel = try Laurel()
        try laurel.makeCoreData("immersion-rooms", "a.sqlite")
        let more = "INSERT INTO ZUSERENTITY (Z_ENT, Z_OPT, ZID, ZCREATEDDATE) VALUES (3, 1, randomblob(16), 0)"
        _ = try laurel.shell(
            "python3 -c \"import sqlite3; d=sqlite3.connect('a.sqlite'); d.execute('\(more)'); d.commit()\""
        )
        let refused = try laurel.shell("laurel ingest --format coredata-immersion-rooms --subject ana a.sqlite")
        #expect(refused.status == 2)
        #expect(refused.messages.last?.contains("holds 2 users; leave out --subject") == true)
        #expect(try laurel.take("--format coredata-immersion-rooms a.sqlite").refused == 0)
        #expect(try laurel.shell("laurel learners --json").output.contains("649307C1-54D3-5ACF-BC75-7B0E039D2021"))
    }

    @Test func `two devices' words are one, and the first completion counts`() throws {
        let laurel = try Laurel()
        for device in ["phone", "pad"] { try laurel.makeCoreData("vocabmaster", "\(device).sqlite") }
        for device in ["phone", "pad"] {
            _ = try laurel.take("\(options(Self.apps[1])) --source \(device) \(device).sqlite")
        }
        let progress = try laurel.json("laurel progress ana --language en --at 2026-03-01T00:00:00Z --json")
        #expect(progress["totalWordsKnown"] as? Int == 19 && progress["totalWordsLearned"] as? Int == 5)
    }

    @Test(arguments: ["WAL", "DELETE"])
    func `a store that its app has open and locked is read, and nothing is left beside it`(mode: String) throws {
        let laurel = try Laurel()
        try laurel.makeCoreData("vocabmaster", "a.sqlite")
        let script = """
            import sqlite3, subprocess, sys, os
            db = sqlite3.connect('a.sqlite', isolation_level=None)
            db.execute('PRAGMA journal_mode = \(mode)')
            db.execute('PRAGMA locking_mode = EXCLUSIVE')
            db.execute("INSERT INTO ZCOMPLETEDWORDENTITY VALUES (90, 1, 1, 'a.sqlite-word-15', 800000000)")
            db.execute('BEGIN IMMEDIATE')
            db.execute("INSERT INTO ZCOMPLETEDWORDENTITY VALUES (91, 1, 1, 'a.sqlite-word-16', 800000000)")
            def state():
                return {n: open(n, 'rb').read() for n in os.listdir('.') if n.startswith('a.sqlite')}
            before = state()
            words = 'laurel ingest --now 2030-01-01T00:00:00Z --json --format coredata-vocabmaster --subject ana a.sqlite'
            print(subprocess.run(words.split(), capture_output=True, text=True).stdout)
            assert state() == before, 'something was written'
            """
        try laurel.write(script, to: "app.py")
        let outcome = try laurel.shell("mkdir tmp && TMPDIR=$PWD/tmp python3 app.py && ls -A tmp")
        #expect(outcome.status == 0, "\(outcome)")
        // The log's committed transactions are read, too; an unfinished one is not.
        let report = try JSONDecoder().decode(Laurel.Report.self, from: Data(outcome.output.utf8))
        #expect(report.storedByKind["completed words"] == 7)
    }
}
