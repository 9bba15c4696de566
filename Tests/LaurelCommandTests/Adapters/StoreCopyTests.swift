// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Copies of apps' stores at several times. Events that a newer copy lacks are retracted, whatever the order of the
/// copies.
@Suite struct StoreCopyTests {
    /// Runs a script that starts with a store of VocabMaster, and may `copy(NAME)` it at any time.
    private func vocabMaster(_ laurel: Laurel, _ script: String) throws {
        let start = """
            import shutil, sqlite3, sys
            sys.path.insert(0, '\(Laurel.fixtures)')
            from make_coredata import create, insert, at
            def device(file):
                db = create(file, {
                    'WordEntity': {key: 'VARCHAR' for key in ('id', 'word', 'definition', 'example', 'pronunciation',
                        'language', 'translationLanguage', 'categoryType')},
                    'CompletedWordEntity': {'wordId': 'VARCHAR', 'completedDate': 'TIMESTAMP'},
                    'SettingsEntity': {'currentLanguage': 'VARCHAR'}})
                insert(db, 'SettingsEntity', currentLanguage='en')
                return db
            def word(text, category='travel', language='en', id=None, on=None):
                insert(on or db, 'WordEntity', id=id or f'{text}-id', word=text, definition=f'what {text} means', example='',
                       pronunciation=None, language=language, translationLanguage='es', categoryType=category)
            def complete(id, day, on=None):
                insert(on or db, 'CompletedWordEntity', wordId=id, completedDate=at(day))
            def uncomplete(id): db.execute('DELETE FROM ZCOMPLETEDWORDENTITY WHERE ZWORDID = ?', (id,))
            def delete(*ids):
                for id in ids:
                    db.execute('DELETE FROM ZWORDENTITY WHERE ZID = ?', (id,))
                    uncomplete(id)
            def change(id, column, value, saves=1):
                db.execute(f'UPDATE ZWORDENTITY SET {column} = ?, Z_OPT = Z_OPT + ? WHERE ZID = ?', (value, saves, id))
            def copy(name):
                db.commit()
                shutil.copy('phone.sqlite', name)
            db = device('phone.sqlite')

            """
        try laurel.write(start + script, to: "app.py")
        let outcome = try laurel.shell("python3 app.py")
        try #require(outcome.status == 0, "\(outcome)")
    }

    private static let options = "--format coredata-vocabmaster --subject ana"
    private static let rules = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Rules/vocabmaster.yaml").standardizedFileURL.path

    private func take(_ laurel: Laurel, _ files: [String], store: String) throws {
        for file in files {
            let report = try laurel.take("--rules \(Self.rules) \(Self.options) \(file)", store: store)
            #expect(report.conflicts == 0 && report.refused == 0)
        }
    }

    private func metrics(_ laurel: Laurel, store: String = "laurel.db") throws -> [String: Double] {
        let progress = try laurel.json("laurel progress ana --store \(store) --at 2026-03-01T00:00:00Z --json")
        var numbers = try #require(progress["metrics"] as? [String: Double])
        numbers["known"] = progress["totalWordsKnown"] as? Double
        numbers["learned"] = progress["totalWordsLearned"] as? Double
        return numbers
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var script: String
        /// The expected number after the last copy.
        var words: Double
        var completed: Double
        var travel: [Double]
        var business: [Double]
    }

    /// Ten words: half of them about travel, four of these completed; the rest about business, two completed.
    private static let ten = """
        for n in range(10): word(f'word{n}', 'travel' if n < 5 else 'business')
        for n in range(6): complete(f'word{n + (1 if n > 3 else 0)}-id', n)
        copy('1.sqlite')

        """

    private static let changes = [
        Change(
            testDescription: "a completion is undone",
            script: "uncomplete('word2-id'); copy('2.sqlite'); word('more'); copy('3.sqlite')",
            words: 11,
            completed: 5,
            travel: [6, 3],
            business: [5, 2]
        ),
        Change(
            testDescription: "the latest completion is undone",
            script: "uncomplete('word6-id'); copy('2.sqlite'); copy('3.sqlite')",
            words: 10,
            completed: 5,
            travel: [5, 4],
            business: [5, 1]
        ),
        Change(
            testDescription: "a completion is undone and made again",
            script: "uncomplete('word2-id'); copy('2.sqlite'); complete('word2-id', 20); copy('3.sqlite')",
            words: 10,
            completed: 6,
            travel: [5, 4],
            business: [5, 2]
        ),
        Change(
            testDescription: "words are deleted",
            script: "delete('word0-id', 'word4-id'); copy('2.sqlite'); delete('word9-id'); copy('3.sqlite')",
            words: 7,
            completed: 5,
            travel: [3, 3],
            business: [4, 2]
        ),
        Change(
            testDescription: "a deleted word is added again",
            script: "delete('word0-id'); copy('2.sqlite'); word('word0', id='again'); copy('3.sqlite')",
            words: 10,
            completed: 5,
            travel: [5, 3],
            business: [5, 2]
        ),
        Change(
            testDescription: "a spelling is corrected, twice",
            script:
                "change('word0-id', 'ZWORD', 'wort0'); copy('2.sqlite'); change('word0-id', 'ZWORD', 'Word0'); copy('3.sqlite')",
            words: 10,
            completed: 6,
            travel: [5, 4],
            business: [5, 2]
        ),
        Change(
            testDescription: "a spelling is corrected, and back again",
            script:
                "change('word0-id', 'ZWORD', 'wort0'); copy('2.sqlite'); change('word0-id', 'ZWORD', 'word0'); copy('3.sqlite')",
            words: 10,
            completed: 6,
            travel: [5, 4],
            business: [5, 2]
        ),
        Change(
            testDescription: "a spelling is corrected by who does not count saves",
            script: "change('word0-id', 'ZWORD', 'wort0', saves=0); copy('2.sqlite'); copy('3.sqlite')",
            words: 10,
            completed: 6,
            travel: [5, 4],
            business: [5, 2]
        ),
        Change(
            testDescription: "the latest completion is undone in a file whose keys nobody counts",
            script: "db.execute('UPDATE Z_PRIMARYKEY SET Z_MAX = 0'); copy('1.sqlite'); "
                + "uncomplete('word6-id'); copy('2.sqlite'); uncomplete('word0-id'); copy('3.sqlite')",
            words: 10,
            completed: 4,
            travel: [5, 3],
            business: [5, 1]
        ),
        Change(
            testDescription: "all data is reset, and other words come",
            script: "delete(*[f'word{n}-id' for n in range(10)])\n"
                + "for n in range(3): word(f'new{n}')\ncopy('2.sqlite'); complete('new0-id', 10); copy('3.sqlite')",
            words: 3,
            completed: 1,
            travel: [3, 1],
            business: [0, 0]
        ),
        Change(
            testDescription: "a word is moved",
            script:
                "change('word0-id', 'ZCATEGORYTYPE', 'business'); copy('2.sqlite'); complete('word9-id', 9); copy('3.sqlite')",
            words: 10,
            completed: 7,
            travel: [4, 3],
            business: [6, 4]
        ),
    ]

    private static let orders = [
        ["1", "2", "3"], ["3", "2", "1"], ["2", "3", "1"], ["1", "3"], ["3", "1"], ["3", "3", "1", "2", "1"],
    ]

    @Test(arguments: changes) func `the newest copy counts, whenever it comes`(change: Change) throws {
        let laurel = try Laurel()
        try vocabMaster(laurel, Self.ten + change.script)
        for order in Self.orders {
            let store = "\(order.joined()).db"
            try take(laurel, order.map { "\($0).sqlite" }, store: store)
            let numbers = try metrics(laurel, store: store)
            #expect((numbers["words"], numbers["completed"]) == (change.words, change.completed), "\(order)")
            #expect((numbers["known"], numbers["learned"]) == (change.words, change.completed), "\(order)")
            #expect(numbers["completed_percent"] == 100 * change.completed / change.words)
            #expect([numbers["travel_words"], numbers["travel_completed"]] == change.travel)
            #expect([numbers["business_words"], numbers["business_completed"]] == change.business)
        }
        // Every order of the three copies gives the same result.
        let fingerprints = try ["123", "321", "231", "33121"].map { try laurel.fingerprint("\($0).db") }
        #expect(Set(fingerprints).count == 1)
        let whole = try laurel.shell(
            "laurel ingest --store at-once.db --rules \(Self.rules) --now 2030-01-01T00:00:00Z \(Self.options) 3.sqlite 1.sqlite 2.sqlite"
        )
        #expect(whole.status == 0)
        #expect(try laurel.fingerprint("at-once.db") == fingerprints[0])
    }

    @Test func `nothing is known any more when a copy is empty`() throws {
        let laurel = try Laurel()
        try vocabMaster(laurel, Self.ten + "delete(*[f'word{n}-id' for n in range(10)]); copy('2.sqlite')")
        for order in [["1", "2"], ["1", "2", "1"]] {
            let store = "\(order.joined()).db"
            try take(laurel, order.map { "\($0).sqlite" }, store: store)
            let numbers = try metrics(laurel, store: store)
            #expect((numbers["known"], numbers["completed"]) == (0, 0), "\(order)")
        }
    }

    @Test func `a word without language goes by the setting of the newest copy`() throws {
        let laurel = try Laurel()
        try vocabMaster(
            laurel,
            """
            word('chat', language=None); copy('1.sqlite')
            db.execute("UPDATE ZSETTINGSENTITY SET ZCURRENTLANGUAGE = 'fr', Z_OPT = Z_OPT + 1"); copy('2.sqlite')
            """
        )
        for order in [["1", "2"], ["2", "1"]] {
            let store = "\(order.joined()).db"
            try take(laurel, order.map { "\($0).sqlite" }, store: store)
            let words = try laurel.shell("laurel words ana --store \(store) --json").output
            #expect(words.contains(#""language":"fr""#) && !words.contains(#""language":"en""#), "\(order): \(words)")
        }
    }

    @Test func `what one device deletes stays on the other, and their undone completions are their own`() throws {
        let laurel = try Laurel()
        try vocabMaster(
            laurel,
            """
            pad = device('pad.sqlite')
            for n in range(3):
                word(f'word{n}')
                word(f'word{n}', id=f'pad-{n}', on=pad)
            complete('word0-id', 1); complete('word1-id', 2); complete('pad-1', 2, on=pad); pad.commit()
            copy('1.sqlite')
            delete('word2-id'); uncomplete('word0-id'); uncomplete('word1-id')
            copy('2.sqlite')
            """
        )
        let orders = [["pad", "1", "2"], ["1", "2", "pad"], ["2", "pad", "1"], ["1", "pad", "2"]]
        var fingerprints: Set<String> = []
        for order in orders {
            let store = "\(order.joined()).db"
            try take(laurel, order.map { "\($0).sqlite" }, store: store)
            let numbers = try metrics(laurel, store: store)
            #expect((numbers["words"], numbers["completed"]) == (3, 1), "\(order)")
            fingerprints.insert(try laurel.fingerprint(store))
        }
        #expect(fingerprints.count == 1)
    }

    @Test func `rows that differ in language, category or letters are different words`() throws {
        let laurel = try Laurel()
        try vocabMaster(
            laurel,
            """
            word('chat', 'travel', 'en', 'a'); word('chat', 'travel', 'fr', 'b'); word('chat', 'daily', 'en', 'c')
            word('Luggage ', 'travel', 'en', 'd'); word('luggage', 'travel', 'en', 'e'); word('chat', 'daily', 'en', 'twice')
            complete('b', 1); complete('e', 2)
            copy('1.sqlite')
            """
        )
        try take(laurel, ["1.sqlite"], store: "laurel.db")
        let numbers = try metrics(laurel)
        #expect((numbers["words"], numbers["completed"], numbers["completed_percent"]) == (5, 2, 40))
        #expect((numbers["travel_words"], numbers["travel_completed"], numbers["daily_words"]) == (4, 2, 1))
        let spanish = try laurel.json("laurel progress ana --language fr --at 2026-03-01T00:00:00Z --json")
        #expect((spanish["metrics"] as? [String: Double])?["completed_percent"] == 100)
        let listed = try laurel.shell("laurel words ana --language en --at 2026-03-01T00:00:00Z --json").output
        #expect(
            listed.matches(of: /"word":"(.*?)","text":"(.*?)"/).map { "\($0.1)|\($0.2)" }.sorted() == [
                "en/daily/chat|chat", "en/travel/Luggage |Luggage ", "en/travel/chat|chat", "en/travel/luggage|luggage",
            ]
        )
    }

    @Test func `what an earlier program stored of the same words under other ids gives way`() throws {
        let laurel = try Laurel()
        func event(_ id: String, _ type: String, _ time: String, _ more: String = "") -> String {
            #"{"id":"\#(id)","source":"vocabmaster","type":"\#(type)","subject":"ana","language":"en","time":"\#(time)","data":{"word":"luggage"\#(more)}}"#
        }
        let before = [
            event("word-en-luggage-000001-0123456789ab", "word.added", "2001-01-01T00:00:00Z", #","text":"luggage""#),
            event("learned-en-luggage-1770022800000", "word.learned", "2026-02-02T09:00:00Z"),
        ]
        try laurel.write(before.joined(separator: "\n"), to: "before.ndjson")
        try vocabMaster(laurel, "word('luggage'); complete('luggage-id', 1); copy('1.sqlite')")
        for (store, files) in [("late.db", ["before", "1"]), ("early.db", ["1", "before", "1"])] {
            for file in files {
                let options = file == "before" ? "before.ndjson" : "\(Self.options) 1.sqlite"
                _ = try laurel.take("--rules \(Self.rules) \(options)", store: store)
            }
            let numbers = try metrics(laurel, store: store)
            #expect((numbers["words"], numbers["completed"], numbers["known"]) == (1, 1, 1), "\(store)")
        }
        #expect(try laurel.fingerprint("late.db") == laurel.fingerprint("early.db"))
    }

    @Test func `nothing of a learner's copies is left when the learner is erased`() throws {
        let laurel = try Laurel()
        try vocabMaster(laurel, "word('secret'); copy('1.sqlite')")
        try take(laurel, ["1.sqlite"], store: "laurel.db")
        let count =
            "sqlite3 laurel.db 'SELECT count(*) FROM copies' 2>/dev/null || python3 -c \"import sqlite3; print(sqlite3.connect('laurel.db').execute('SELECT count(*) FROM copies').fetchone()[0])\""
        #expect(try laurel.shell(count).output == "1\n")
        #expect(try laurel.shell("laurel erase ana --yes").status == 0)
        #expect(try laurel.shell(count).output == "0\n")
        #expect(try laurel.shell("grep -c secret laurel.db laurel.db-wal").output.contains(":0") == true)
    }
}
