// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Choosing a format, and invalid files.
@Suite struct FormatTests {
    struct Guess: Sendable, CustomTestStringConvertible {
        var name: String
        var words: String
        var message: String
        var testDescription: String { name }
    }

    private static let anki = Laurel.fixtures + "/anki"
    private static let archive = "meta, collection.anki21b, collection.anki2, media"

    private static let guesses = [
        Guess(
            name: "CloudEvents, but an Anki package",
            words: "\(anki)/new.apkg",
            message: "\(anki)/new.apkg: is no input of format cloudevents: it is a zip file; "
                + "it looks like a zip file with \(archive); --format anki reads it"
        ),
        Guess(
            name: "CloudEvents, but a Core Data store",
            words: "words.sqlite",
            message:
                "words.sqlite: is no input of format cloudevents: it is a SQLite database; it looks like a Core Data "
                + "store with the tables ZCOMPLETEDWORDENTITY, ZSETTINGSENTITY, ZWORDENTITY; "
                + "--format coredata-vocabmaster reads it"
        ),
        Guess(
            name: "Anki, but a Core Data store",
            words: "--format anki --subject ana words.sqlite",
            message:
                "words.sqlite: is no input of format anki: it has no tables revlog, cards, notes, "
                + "col; it looks like a Core Data store with the tables ZCOMPLETEDWORDENTITY, "
                + "ZSETTINGSENTITY, ZWORDENTITY; --format coredata-vocabmaster reads it"
        ),
        Guess(
            name: "Core Data, but a package",
            words: "--format coredata-flippin --subject ana \(anki)/old.apkg",
            message:
                "\(anki)/old.apkg: is no input of format coredata-flippin: it is not a SQLite database; it looks like "
                + "a zip file with meta, collection.anki21, collection.anki2, media; --format anki reads it"
        ),
        Guess(
            name: "CloudEvents, but Firebase's",
            words: "firebase.ndjson",
            message: "firebase.ndjson: is no input of format cloudevents: its records have no type, subject "
                + "and time; it looks like JSON with event_name, "
                + "event_timestamp, user_id; --format firebase reads it"
        ),
        Guess(
            name: "Firebase, but CloudEvents",
            words: "--format firebase events.ndjson",
            message:
                "events.ndjson: is no input of format firebase: it has no record with event_name and event_timestamp; "
                + "it looks like CloudEvents; leave out --format"
        ),
        Guess(
            name: "packets, but a review log",
            words: "--format fsrs-csv --subject ana firebase.ndjson",
            message: "firebase.ndjson: is no input of format fsrs-csv: the header has no column card_id"
        ),
        Guess(
            name: "nothing said, and reviews",
            words: "reviews.csv",
            message: "reviews.csv: is no input of format cloudevents: it is a table; "
                + "it looks like a table of reviews; --format fsrs-csv reads it"
        ),
        Guess(
            name: "an export that is cut off",
            words: "--format bab-export cut.json",
            message: "cut.json: is no input of format bab-export: it is no JSON document: "
                + "not valid JSON: the text ends in the middle of a value in its line 3 at column 15"
        ),
        Guess(
            name: "an export, but reviews",
            words: "--format bab-export reviews.csv",
            message: "reviews.csv: is no input of format bab-export: it is no JSON document: not valid JSON: "
                + "a record is an object, it starts with {, unlike what stands at column 1; "
                + "it looks like a table of reviews; --format fsrs-csv reads it"
        ),
    ]

    private func laurel() throws -> Laurel {
        let laurel = try Laurel()
        try laurel.makeCoreData("vocabmaster", "words.sqlite")
        try laurel.write(#"{"event_name":"x","event_timestamp":"1","user_id":"ana"}"# + "\n", to: "firebase.ndjson")
        try laurel.write("card_id,review_time,review_rating\nc,0,3\n", to: "reviews.csv")
        try laurel.write(Laurel.events, to: "events.ndjson")
        try laurel.write("{\n\"profile\": {\"id\": 1},\n\"vocabulary\":[", to: "cut.json")
        return laurel
    }

    @Test(arguments: guesses) func `a wrong guess stores nothing and says what would fit`(guess: Guess) throws {
        let outcome = try laurel().shell("laurel ingest --json \(guess.words)")
        #expect(outcome.status == 2)
        #expect(outcome.output.hasPrefix(#"{"read":0,"stored":0,"#))
        #expect(outcome.messages.last?.hasPrefix(guess.message) == true, "\(outcome)")
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// A command that prints the file.
        var made: String
        var status: Int32
        /// The expected message.
        var message: String
    }

    /// Makes a zip file with one member.
    private static func zip(_ member: String, _ content: String, then: String = "pass") -> String {
        "python3 -c \"import zipfile,io,sys; b=io.BytesIO(); z=zipfile.ZipFile(b,'w'); z.writestr('\(member)',\(content)); "
            + "z.close(); d=bytearray(b.getvalue()); \(then); sys.stdout.buffer.write(d)\""
    }

    private static let none = "it is not a SQLite database, nor a zip file with collection.anki21b or "
    private static let damages = [
        Damage(testDescription: "empty", made: "true", status: 2, message: "is no input of format anki: it is empty"),
        Damage(
            testDescription: "text",
            made: "echo hello",
            status: 2,
            message: "is no input of format anki: \(none)collection.anki21 or collection.anki2"
        ),
        Damage(
            testDescription: "truncated zip",
            made: "head -c 3000 \(anki)/new.apkg",
            status: 1,
            message: "cannot be read as a zip file: it is cut off, or damaged at its end"
        ),
        Damage(
            testDescription: "truncated database",
            made: "zcat \(anki)/later.anki2.gz | head -c 60000",
            status: 1,
            message: "cannot be read as a SQLite database: database disk image is malformed"
        ),
        Damage(
            testDescription: "no database",
            made: "printf 'SQLite format 3\\0 and nothing of it'",
            status: 1,
            message: "cannot be read as a SQLite database: file is not a database"
        ),
        Damage(
            testDescription: "a database without tables",
            made: "python3 -c \"import sqlite3; d=sqlite3.connect('x'); d.execute('PRAGMA user_version=1')\" && cat x",
            status: 2,
            message: "is no input of format anki: it has no tables revlog, cards, notes, col; "
                + "it looks like a SQLite database without tables; no format reads it"
        ),
        Damage(
            testDescription: "a new collection that is none",
            made: zip("collection.anki21b", "b'x' * 100"),
            status: 1,
            message: "collection.anki21b in it cannot be read as a SQLite database: file is not a database"
        ),
        Damage(
            testDescription: "an encrypted zip file",
            made: zip("collection.anki2", "'x'", then: "d[6] |= 1; d[d.find(b'PK\\x01\\x02') + 8] |= 1"),
            status: 1,
            message: "collection.anki2 in it cannot be read: it is encrypted"
        ),
        Damage(
            testDescription: "an empty collection",
            made: zip("collection.anki2", "''"),
            status: 2,
            message: "is no input of format anki: it has no tables revlog, cards, notes, col; "
                + "it looks like a zip file with collection.anki2"
        ),
        Damage(
            testDescription: "a zip file of something else",
            made: zip("../collection.anki2", "'x'"),
            status: 2,
            message: "is no input of format anki: \(none)collection.anki21 or collection.anki2; "
                + "it looks like a zip file with ../collection.anki2; no format reads it"
        ),
    ]

    @Test(arguments: damages) func `damaged files are refused with a reason`(damage: Damage) throws {
        let laurel = try Laurel()
        let outcome = try laurel.shell(
            "(\(damage.made)) > a.apkg; mkdir tmp; "
                + "TMPDIR=$PWD/tmp laurel ingest --format anki --subject ana a.apkg; code=$?; ls -A tmp; exit $code"
        )
        #expect(outcome.status == damage.status, "\(outcome)")
        #expect(outcome.messages.count == 1)
        #expect(outcome.messages.last?.hasPrefix("a.apkg: \(damage.message)") == true, "\(outcome)")
        #expect(outcome.output.hasPrefix("read 0, stored 0"))
        #expect(!outcome.output.contains("laurel-"), "something is left in the temporary folder")
    }

    @Test func `what is no JSON is of no kind`() throws {
        let laurel = try Laurel()
        try laurel.write("hello\n", to: "capture.ndjson")
        let outcome = try laurel.shell("laurel ingest --format bab-packets capture.ndjson")
        #expect(outcome.status == 1)
        #expect(
            outcome.messages == [
                "capture.ndjson:1: not valid JSON: a record is an object, it starts with {, unlike what stands at column 1",
                "1 line in quarantine: see `laurel quarantine list`",
            ]
        )
    }

    @Test func `a zip bomb is given up`() throws {
        let laurel = try Laurel()
        let script = """
            import zipfile
            archive = zipfile.ZipFile('bomb.apkg', 'w', zipfile.ZIP_DEFLATED)
            with archive.open('collection.anki2', 'w') as member:
                member.write(b'SQLite format 3\\0')
                for _ in range(400):
                    member.write(bytes(1 << 20))
            """
        try laurel.write(script, to: "bomb.py")
        let outcome = try laurel.shell(
            "python3 bomb.py && mkdir tmp && "
                + "TMPDIR=$PWD/tmp laurel ingest --format anki --subject ana bomb.apkg; ls -A tmp"
        )
        #expect(outcome.errors.contains("bomb.apkg: unpacks to more than "))
        #expect(!outcome.output.contains("laurel-"))
    }

    @Test func `a database comes through a pipe, and packed`() throws {
        let laurel = try laurel()
        let options = "--format coredata-vocabmaster --subject ana"
        let piped = try laurel.shell("cat words.sqlite | laurel ingest --store a.db --json \(options)")
        #expect(piped.output.contains(#""stored":26,"#))
        let packed = try laurel.shell(
            "gzip -k words.sqlite && laurel ingest --store a.db --json \(options) words.sqlite.gz"
        )
        #expect(packed.output.contains(#""stored":0,"duplicates":26,"#))
    }

    @Test func `formats lists them, with an example that parses`() throws {
        let laurel = try Laurel()
        let list = try laurel.shell("laurel formats").output
        for name in [
            "anki", "bab-packets", "bab-export", "coredata-flippin", "coredata-immersion-rooms",
            "coredata-vocabmaster", "firebase", "fsrs-csv", "word-list",
        ] {
            let example = try #require(list.split(separator: "\n").first { $0.contains("--format \(name) ") })
            // The file is missing, but the rest of the command is valid.
            let outcome = try laurel.shell(String(example))
            #expect(outcome.status == 2 && outcome.errors.contains("cannot open"), "\(outcome)")
        }
        #expect(try laurel.shell("laurel formats show anki").output.contains("reads: sqlite"))
        #expect(try laurel.shell("laurel formats show fsrs-csv").status == 2)
    }

    @Test func `a shipped mapping given as a file does what the format does`() throws {
        let laurel = try laurel()
        _ = try laurel.take("--format coredata-vocabmaster --subject ana words.sqlite", store: "format.db")
        _ = try laurel.shell("laurel formats show coredata-vocabmaster > mine.yaml")
        _ = try laurel.take("--mapping mine.yaml --subject ana words.sqlite", store: "mapping.db")
        #expect(try laurel.fingerprint("format.db") == laurel.fingerprint("mapping.db"))
    }

    @Test func `a mapping with mistakes stores nothing`() throws {
        let laurel = try laurel()
        try laurel.write(
            "version: 1\nname: x\nreads: sqlite\nevents:\n  - {what: a, type: line.spoken, sql: SELECT 1 FORM x y}\n",
            to: "bad.yaml"
        )
        let outcome = try laurel.shell("laurel ingest --mapping bad.yaml words.sqlite")
        #expect(outcome.status == 2 && outcome.output == "" && !laurel.exists("laurel.db"))
        #expect(outcome.messages.first == #"bad.yaml:5:53: error: SQL: near "x": syntax error"#)
    }
}
