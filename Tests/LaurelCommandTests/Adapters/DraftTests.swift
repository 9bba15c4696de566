// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Drafts of mappings.
@Suite struct DraftTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var content: String
        /// Lines of the draft.
        var expected: [String]
        /// The expected events, as types with counts.
        var events: [String: Int]
        var encoding = String.Encoding.utf8
    }

    static let samples = [
        Sample(
            testDescription: "a word list from Excel in German",
            content: "Wort;Übersetzung;Thema\r\nder Hund;the dog;Tiere\r\ndie Tür;the door;Haus\r\n",
            expected: [
                "reads: csv", "  separator: \";\"",
                "  encoding: windows-1252  # Are accented letters right in the sample?",
                "    type: word.added  # docs/events.md lists the types.", "      text: $.Wort",
                "      translation: '$.\"Übersetzung\"'", "# Columns that the mapping does not use: Thema",
            ],
            events: ["word.added": 2],
            encoding: .windowsCP1252
        ),
        Sample(
            testDescription: "marks of a class, with a time of the wall clock and decimal commas",
            content:
                "Student;Date;Word;Score;Minutes\nana;05.02.2026 18:00;casa;0,9;1,5\nbo;06.02.2026 09:30;perro;0,4;2\n",
            expected: [
                "    time: 'local_time($.Date, ''%d.%m.%Y %H:%M'', :timezone)'  # Give the zone as --timezone.",
                "    subject: trim($.Student)  # The learner's id, as your app spells it.",
                "      grade: 'iif(decimal($.Score, '','') >= 0.6, ''good'', ''again'')'  # From which score on is it good?",
                "      durationMs: 'CAST(round(decimal($.Minutes, '','') * 60000) AS INTEGER)'"
                    + "  # Milliseconds. Is the unit right?",
            ],
            events: ["review.graded": 2]
        ),
        Sample(
            testDescription: "days and months that may be exchanged",
            content: "word,added\nsol,03/04/2026\nmar,05/06/2026\n",
            expected: [
                "    time: 'local_time($.added, ''%d/%m/%Y'', :timezone)'  # Is the day before the month?"
            ],
            events: ["word.added": 2]
        ),
        Sample(
            testDescription: "no header, with tabs",
            content: "casa\thouse\t2026-02-05\nsol\tsun\t2026-02-06\n",
            expected: [
                "  columns: [column1, column2, column3]  # The first row is data, so give names here.",
                "      translation: $.column2",
            ],
            events: ["word.added": 2]
        ),
        Sample(
            testDescription: "minutes of practice",
            content: "user_id,started_at,duration_ms\nana,2026-02-05T18:00:00Z,60000\nbo,2026-02-06T18:00:00Z,90000\n",
            expected: ["    type: session.ended  # docs/events.md lists the types."],
            events: ["session.ended": 2]
        ),
        Sample(
            testDescription: "JSON records with numbers of reviews",
            content: #"{"id":1,"card":"sol","at":1770310800,"right":true}"# + "\n"
                + #"{"id":2,"card":"mar","at":1770310900,"right":false,"more":[1]}"# + "\n",
            expected: [
                "reads: json-records", "    id: 'key(''row'', $.id)'", "    time: unix_time($.at)",
                "needs: [subject]  # No column names the learner. Give --subject.",
            ],
            events: ["review.graded": 2]
        ),
        Sample(
            testDescription: "columns with signs of YAML, rows without a word or a time",
            content: "\"It's: a word\",when #\nsol,2026-02-05\n,2026-02-05\nmar,\n",
            expected: ["      text: '$.\"It''s: a word\"'"],
            events: ["word.added": 2]
        ),
    ]

    @Test(arguments: samples) func `a draft passes its check and reads its sample`(sample: Sample) throws {
        let laurel = try Laurel()
        try #require(sample.content.data(using: sample.encoding)).write(
            to: laurel.folder.appending(path: "sample.csv")
        )
        let draft = try laurel.shell("laurel formats draft sample.csv | tee draft.yaml")
        #expect(draft.status == 0, "\(draft)")
        let lines = draft.output.split(separator: "\n").map(String.init)
        for line in sample.expected { #expect(lines.contains(line), "\(line) is not in\n\(draft.output)") }
        let options = "--subject ana --language es --timezone Europe/Madrid"
        let check = try laurel.shell("laurel formats check draft.yaml --sample sample.csv \(options)")
        #expect(check.status == 0, "\(check)")
        let once = try laurel.take("--mapping draft.yaml \(options) sample.csv")
        let count = sample.events.values.reduce(0, +)
        #expect(once.stored == count && once.refused == 0 && once.conflicts == 0)
        #expect(try laurel.types() == sample.events)
        let twice = try laurel.take("--mapping draft.yaml \(options) sample.csv")
        #expect(twice.stored == 0 && twice.duplicates == count)
    }

    @Test(
        arguments: [
            ("an empty file", "", "it is empty; a line with the columns is missing"),
            ("only a header", "word,translation\n", "it has no rows from which a mapping can be drafted"),
            ("JSON that is no record", "[1,2]\n", "it has no JSON objects with texts or numbers"),
        ]
    )
    func `a file that shows nothing is refused`(name: String, content: String, message: String) throws {
        let laurel = try Laurel()
        try laurel.write(content, to: "sample.csv")
        let outcome = try laurel.shell("laurel formats draft sample.csv")
        #expect(outcome.status == 2 && outcome.output == "" && outcome.errors.contains(message), "\(outcome)")
    }

    @Test func `a word list is read in any encoding, and again without effect`() throws {
        let laurel = try Laurel()
        let list = "Word;Translation;Part of speech;Tags;Added\r\nniño;child;noun;family,a1;2026-02-05\r\n ;x;;;\r\n"
        try #require(list.data(using: .windowsCP1252)).write(to: laurel.folder.appending(path: "windows.csv"))
        try #require(list.data(using: .utf16)).write(to: laurel.folder.appending(path: "unicode.csv"))
        let options = "--format word-list --subject ana --language es --timezone Europe/Madrid"
        let once = try laurel.take("\(options) windows.csv")
        #expect(once.stored == 1 && once.leftOutByKind == ["rows without a word": 1])
        #expect(try laurel.take("\(options) unicode.csv").duplicates == 1)
        let event = try #require(try laurel.events().first)
        #expect(event["time"] as? String == "2026-02-05T12:00:00.000+01:00")
        #expect(event.text("word") == "niño" && event.text("partOfSpeech") == "noun")
        #expect(event.data("tags") as? [String] == ["family", "a1"])
        try laurel.write("word,translation\nniño,boy\nsol,sun\n", to: "edited.csv")
        let edited = try laurel.take("\(options) edited.csv")
        #expect(edited.stored == 1 && edited.conflicts == 1)
        let missing = try laurel.shell("laurel ingest \(options) <(printf 'wort,x\\nsol,sun\\n')")
        #expect(missing.errors.contains("it has no column word (did you mean wort?)"), "\(missing)")
    }

    @Test func `a table without a mapping gets one sentence`() throws {
        let laurel = try Laurel()
        try laurel.write("Term;Meaning\nsol;sun\nmar;sea\n", to: "words.csv")
        let outcome = try laurel.shell("laurel ingest words.csv")
        #expect(outcome.status == 2)
        #expect(
            outcome.messages == [
                "words.csv: is no input of format cloudevents: it is a table; it looks like a table with the columns "
                    + "Term, Meaning; `laurel formats draft words.csv` writes a first mapping"
            ]
        )
        #expect(try laurel.shell("laurel quarantine").output.contains("words.csv") == false)
    }
}
