// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Collections made with Anki's own package. `make_anki.py` makes them, and describes their content.
@Suite struct AnkiTests {
    struct Facts: Decodable {
        var notes, reviews, byHand, milliseconds, streakOnLastDay, longestStreak: Int
        var grades: [String: Int]
        var ids: [Int]
        var days: [String]
    }

    private static let rules = """
        version: 1
        name: anki
        calendar: {default_timezone: UTC, day_starts_at: "04:00"}
        metrics: {reviews: {count: review.graded}}
        streak: {when: day.reviews >= 1}

        """
    private static let options = "--format anki --subject ana --language es --timezone Europe/Madrid"
    private static let committed = Laurel.fixtures + "/anki"

    /// The committed fixtures and, if Anki is installed (`make test-tools`), newly made ones.
    private static let folders: [String] = {
        let root = URL(filePath: Laurel.fixtures).deletingLastPathComponent().deletingLastPathComponent()
        let python = root.appending(path: ".build/test-tools/bin/python").path
        guard FileManager.default.isExecutableFile(atPath: python) else { return [committed] }
        let fresh = FileManager.default.temporaryDirectory.appending(path: "laurel-anki-\(UUID().uuidString)").path
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = [Laurel.fixtures + "/make_anki.py", fresh]
        try? process.run()
        process.waitUntilExit()
        return [committed, fresh]
    }()

    private func facts(_ folder: String) throws -> Facts {
        try JSONDecoder().decode(Facts.self, from: try Data(contentsOf: URL(filePath: folder + "/facts.json")))
    }

    private static let python = URL(filePath: Laurel.fixtures).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".build/test-tools/bin/python").path

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: python), "Anki's package is not installed"),
        arguments: [1, 2, 3]
    )
    func `with days of the calendar a word's memory is what Anki says`(seed: Int) throws {
        let laurel = try Laurel()
        let made = try laurel.shell("TZ=Europe/Madrid \(Self.python) \(Laurel.fixtures)/make_anki_memory.py . \(seed)")
        try #require(made.status == 0, "\(made)")
        let memory = try JSONDecoder().decode([String: [Double]].self, from: Data(laurel.read("memory.json").utf8))
        for (days, isSame) in [("calendar", true), ("hours", false)] {
            try laurel.write(
                """
                version: 1
                calendar: {day_starts_at: "04:00"}
                mastery: {scheduler: fsrs, days: \(days)}

                """,
                to: "\(days).yaml"
            )
            _ = try laurel.take("--rules \(days).yaml \(Self.options) collection.anki2", store: "\(days).db")
            let output = try laurel.shell("laurel words ana --store \(days).db --json").output
            let words = try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
            #expect(words.count == memory.count)
            let differing = try words.count { word in
                let known = try #require(memory[word["word"] as? String ?? ""])
                let told = [word["stability"] as? Double ?? 0, word["difficulty"] as? Double ?? 0]
                // Anki computes in single precision.
                return zip(told, known).contains { abs($0 - $1) > 0.001 * $1 }
            }
            #expect(isSame == (differing == 0), "seed \(seed), \(days): \(differing)")
        }
    }

    @Test(arguments: folders, ["new.apkg", "old.apkg", "new.colpkg", "old.colpkg"])
    func `every export has the reviews of Anki's log`(folder: String, file: String) throws {
        let facts = try facts(folder)
        let laurel = try Laurel(rules: Self.rules)
        let report = try laurel.take("--rules rules.yaml \(Self.options) \(folder)/\(file)")
        #expect(report.refused == 0 && report.conflicts == 0 && report.stored == report.read)
        #expect(report.storedByKind["reviews"] == facts.reviews)
        #expect(report.storedByKind["notes"] == facts.notes)
        #expect(report.leftOutByKind == ["changes by hand": facts.byHand])
        let reviews = try laurel.events().filter { $0["type"] as? String == "review.graded" }
        let grades = Dictionary(grouping: reviews) { $0.text("grade") ?? "" }.mapValues(\.count)
        let names = ["1": "again", "2": "hard", "3": "good", "4": "easy"]
        #expect(grades == Dictionary(uniqueKeysWithValues: facts.grades.map { (names[$0]!, $1) }))
        #expect(reviews.reduce(0) { $0 + ($1.data("durationMs") as? Int ?? 0) } == facts.milliseconds)
        #expect(reviews.map { $0["id"] as? String } == facts.ids.map { "review-\($0)" })
    }

    @Test(arguments: folders)
    func `the streak is that of counting days from four in the morning`(folder: String) throws {
        let facts = try facts(folder)
        let laurel = try Laurel(rules: Self.rules)
        _ = try laurel.take("--rules rules.yaml \(Self.options) \(folder)/new.colpkg")
        let day = try #require(facts.days.last)
        let progress = try laurel.json("laurel progress ana --at \(day)T23:59:00+01:00 --json")
        #expect(progress["currentStreak"] as? Int == facts.streakOnLastDay)
        #expect(progress["longestStreak"] as? Int == facts.longestStreak)
        #expect(progress["lastActivityDate"] as? String == day)
        let words = try laurel.json("laurel progress ana --language es --at \(day)T23:59:00+01:00 --json")
        #expect(words["totalWordsKnown"] as? Int == facts.notes)
    }

    @Test(arguments: folders)
    func `what was fed before is known, and half a collection first gives the same`(folder: String) throws {
        let laurel = try Laurel(rules: Self.rules)
        let once = try laurel.take("\(Self.options) \(folder)/new.apkg", store: "once.db")
        let again = try laurel.take("\(Self.options) \(folder)/old.colpkg", store: "once.db")
        #expect(again.stored == 0 && again.duplicates == once.stored && again.conflicts == 0)
        let half = try laurel.take("\(Self.options) \(folder)/half.apkg", store: "halves.db")
        #expect(0 < half.stored && half.stored < once.stored)
        let rest = try laurel.take("\(Self.options) \(folder)/old.apkg", store: "halves.db")
        #expect(rest.stored == once.stored - half.stored && rest.duplicates == half.stored && rest.conflicts == 0)
        #expect(try laurel.fingerprint("halves.db") == laurel.fingerprint("once.db"))
    }

    @Test(arguments: folders)
    func `a later copy adds what changed`(folder: String) throws {
        let laurel = try Laurel(rules: Self.rules)
        _ = try laurel.take("\(Self.options) \(folder)/new.apkg")
        let later = try laurel.take("\(Self.options) \(folder)/later.anki2.gz")
        #expect(later.conflicts == 0 && later.refused == 0)
        #expect(
            later.storedByKind == [
                "changed notes": 1, "deleted cards": 1, "deleted notes": 1, "schedules without reviews": 1,
            ]
        )
        let known = try laurel.json("laurel progress ana --language es --at 2029-12-31T00:00:00Z --json")
        #expect(known["totalWordsKnown"] as? Int == (try facts(folder)).notes - 1)
        let events = try laurel.events()
        let changed = try #require(events.first { $0["type"] as? String == "word.updated" })
        #expect(changed.text("text") == "hablar" && changed.text("translation") == "to speak")
        let schedule = try #require(events.first { $0["type"] as? String == "word.imported" })
        #expect((schedule.data("totalReviews") as? Int ?? 0) > 0 && schedule.data("intervalDays") != nil)
    }

    @Test(arguments: folders)
    func `an older copy after a newer one comes to the same as before it`(folder: String) throws {
        let laurel = try Laurel(rules: Self.rules)
        for (index, order) in [["new.apkg", "later.anki2.gz"], ["later.anki2.gz", "new.apkg"]].enumerated() {
            for file in order { _ = try laurel.take("\(Self.options) \(folder)/\(file)", store: "\(index).db") }
        }
        #expect(try laurel.fingerprint("0.db") == laurel.fingerprint("1.db"))
        let at = "--language es --at 2029-12-31T00:00:00Z --json"
        let known = try laurel.json("laurel progress ana --store 1.db \(at)")
        #expect(known["totalWordsKnown"] as? Int == (try facts(folder)).notes - 1)
    }

    /// Notes with and without HTML, changed and unchanged, and the texts that versions before libxml2 read from them.
    @Test func `texts that are read otherwise than before take the place of what was stored`() throws {
        let laurel = try Laurel(rules: Self.rules)
        try laurel.write(Self.collection, to: "collection.py")
        try laurel.write(Self.readBefore, to: "before.ndjson")
        _ = try laurel.shell("python3 collection.py && laurel ingest --now 2030-01-01T00:00:00Z before.ndjson")
        let options = "--format anki --subject ana --language ja --timezone UTC cards.anki2"
        let report = try laurel.take(options)
        #expect(report.conflicts == 0 && report.refused == 0)
        #expect(report.storedByKind == ["notes": 3, "changed notes": 2])
        #expect(try laurel.take(options).duplicates == report.read)
        _ = try laurel.take(options, store: "fresh.db")
        for store in ["laurel.db", "fresh.db"] {
            let words = try laurel.shell(
                "laurel words ana --store \(store) --at 2030-01-01T00:00:00Z --json | jq -r '.[] | .text + \" = \" + .translation' | sort"
            )
            let texts = ["café = coffee & cake", "perro = dog", "une minute\u{2009}! = one minute", "食べる = to eat ♥"]
            #expect(words.output.split(separator: "\n").map(String.init) == texts)
        }
        let at = "--at 2026-02-02T02:45:00Z --json | jq -r '.[].text' | sort | tail -1"
        #expect(try laurel.shell("laurel words ana \(at)").output == "食べる\n")
    }

    private static let collection = #"""
        import sqlite3
        db = sqlite3.connect("cards.anki2")
        db.executescript("""
        CREATE TABLE col (crt, mod, decks);
        CREATE TABLE notes (id INTEGER PRIMARY KEY, mod, tags, flds);
        CREATE TABLE cards (id INTEGER PRIMARY KEY, nid, did, ord, mod, type, due, ivl, factor, reps, lapses, odue, odid);
        CREATE TABLE revlog (id INTEGER PRIMARY KEY, cid, ease, ivl, lastIvl, factor, time, type);
        INSERT INTO col VALUES (1769900000, 1770010000, '{}');
        """)
        db.executemany("INSERT INTO notes VALUES (?, ?, '', ?)", [
            (1770000000000, 1770000000, "<ruby>食<rt>た</rt></ruby>べる\x1fto eat &hearts;"),
            (1770000001000, 1770003600, "<b>café</b>\x1fcoffee &amp; cake"),
            (1770000002000, 1770000002, "perro\x1fdog"),
            (1770000003000, 1770007200, "une minute&thinsp;!\x1fone minute"),
        ])
        db.commit()
        """#

    private static let readBefore = #"""
        {"specversion":"1.0","id":"note-1770000000000~0f895a0d3a5de019c1c38a4008708eb","source":"anki","type":"word.added","subject":"ana","time":"2026-02-02T02:40:00.000Z","language":"ja","timezone":"UTC","data":{"word":"1770000000000","text":"食たべる","translation":"to eat &hearts;"}}
        {"specversion":"1.0","id":"note-1770000001000~1ff576325dcc1019c1c38a7e846bde8","source":"anki","type":"word.added","subject":"ana","time":"2026-02-02T02:40:01.000Z","language":"ja","timezone":"UTC","data":{"word":"1770000001000","text":"café","translation":"coffee & cake"}}
        {"specversion":"1.0","id":"note-1770000002000~0fad08cfa34ce019c1c38abd03ac83e","source":"anki","type":"word.added","subject":"ana","time":"2026-02-02T02:40:02.000Z","language":"ja","timezone":"UTC","data":{"word":"1770000002000","text":"perro","translation":"dog"}}
        {"specversion":"1.0","id":"note-1770000003000~10bf95d358798019c1c38afb81973c2","source":"anki","type":"word.added","subject":"ana","time":"2026-02-02T02:40:03.000Z","language":"ja","timezone":"UTC","data":{"word":"1770000003000","text":"une minute&thinsp;!","translation":"one minute"}}
        {"specversion":"1.0","id":"note-1770000001000-1770003600-829d3229b8fa","source":"anki","type":"word.updated","subject":"ana","time":"2026-02-02T03:40:00.000Z","language":"ja","timezone":"UTC","data":{"word":"1770000001000","text":"café","translation":"coffee & cake"}}
        {"specversion":"1.0","id":"note-1770000003000-1770007200-1a0bafb9476c","source":"anki","type":"word.updated","subject":"ana","time":"2026-02-02T04:40:00.000Z","language":"ja","timezone":"UTC","data":{"word":"1770000003000","text":"une minute&thinsp;!","translation":"one minute"}}
        """#

    @Test func `notes come without HTML and media, with deck and tags`() throws {
        let laurel = try Laurel(rules: Self.rules)
        _ = try laurel.take("\(Self.options) \(Self.committed)/old.apkg")
        let words = try laurel.events().filter { $0["type"] as? String == "word.added" }
        #expect(
            words.map { "\($0.text("text")!) = \($0.text("translation") ?? "")" } == [
                "hablar = to speak to talk", "café = coffee & milk", "mañana = tomorrow", "la niña = the girl",
                "perro = dog", "¿qué? = what?", "a < b = less than", "zapato = shoe", "Yo tengo un gato = ",
            ]
        )
        #expect(words[0].text("category") == "Spanish::Verbs" && words[1].text("category") == "Spanish")
        #expect(words[0].data("tags") as? [String] == ["a1", "verb"] && words[2].data("tags") == nil)
    }
}
