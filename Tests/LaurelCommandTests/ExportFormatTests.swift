// SPDX-License-Identifier: Apache-2.0

import SeededRandom
import Testing

/// `laurel export --format`.
@Suite struct ExportFormatTests {
    private let laurel: Laurel

    init() throws { laurel = try Laurel(events: Laurel.events) }

    @Test func writesATableForEachType() throws {
        let outcome = try laurel.run("export", "--format", "csv", "--out", "tables")
        #expect(outcome.status == 0 && outcome.messages == ["9 events written into tables"], "\(outcome)")
        #expect(
            try laurel.read("tables/line.spoken.csv") == """
                id,source,subject,time,offsetMinutes,language,session,timezone,line,text,translation,role,accuracy,\
                errors,words,durationMs,data,extensions\r
                3,app,anna,2026-02-04T18:00:30.000Z,,es,s1,,c1,"Un café, por favor","A coffee, please",,0.95,1,,2500,,\r
                6,app,anna,2026-02-05T18:00:00.000Z,,es,,,,,,,,,,1500,,\r

                """
        )
        #expect(
            try laurel.read("tables/learner.updated.csv").hasSuffix(
                "1,app,さくら,2026-02-04T00:00:00.000Z,540,,,,桜,,,b\u{1B}[31m,,,,\r\n"
            )
        )
        #expect(try laurel.shell("stat -c %a tables/line.spoken.csv").output == "600\n")
    }

    /// The review log of a learner's language is read again by the format `fsrs-csv`: the words are the same.
    @Test func aReviewLogMakesTheSameWordsAgain() throws {
        let reviews = (1...60).map { number in
            let (day, grade) = (10 + number / 4, ["again", "hard", "good", "easy"][number * 7 % 4])
            return #"{"id":"r\#(number)","source":"app","type":"review.graded","subject":"bo","language":"es","#
                + #""time":"2026-01-\#(day)T10:00:\#(10 + number % 40).5Z","#
                + #""data":{"word":"-w, \"\#(number % 5)\"","grade":"\#(grade)","durationMs":\#(number * 100)}}"#
        }
        let rules = "version: 1\nmastery: {scheduler: fsrs}\n"
        let laurel = try Laurel(events: reviews.joined(separator: "\n"), rules: rules)
        let log = ["export", "--format", "fsrs-revlog", "--learner", "bo", "--language", "es", "--out", "log.csv"]
        #expect(try laurel.run(log).messages == ["60 reviews written to log.csv"])
        try laurel.run(
            ["ingest", "--store", "second.db", "--rules", "rules.yaml", "--format", "fsrs-csv", "--subject", "bo"]
                + ["--language", "es", "log.csv"]
        )
        let words = ["words", "bo", "--json", "--at", "2026-03-01T00:00:00Z"]
        let first = try laurel.run(words)
        #expect(first.output.contains(#""reviews":12"#), "\(first)")
        #expect(try laurel.run(words + ["--store", "second.db"]) == first)
    }

    /// Programs of other projects read the files: see Tests/Others/exports.py.
    @Test func writesParquetForEachType() throws {
        let outcome = try laurel.run("export", "--format", "parquet", "--out", "tables", "--learner", "anna")
        #expect(outcome.status == 0 && outcome.messages == ["8 events written into tables"], "\(outcome)")
        let marks = try laurel.shell("for f in tables/*; do head -c 4 $f; tail -c 4 $f; echo; done | sort | uniq -c")
        let files = try laurel.shell("ls tables; stat -c %a tables/* | sort -u").output.split(separator: "\n")
        #expect(marks.output.split(separator: " ").last == "PAR1PAR1\n", "\(marks)")
        #expect(files.contains("line.spoken.parquet") && files.contains("xp.declared.parquet") && files.last == "600")
    }

    @Test(arguments: ["csv", "parquet"]) func aFullDiskLeavesTheFilesOfBefore(format: String) throws {
        var random = SeededGenerator(seed: 91)
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        // Random texts, which a format cannot compress much: some 90 KB.
        let lines = (0..<120).map { number in
            let text = String((0..<1000).map { _ in letters.randomElement(using: &random)! })
            return #"{"id":"m\#(number)","source":"app","type":"line.spoken","subject":"bo","#
                + #""time":"2026-02-05T18:00:00Z","data":{"text":"\#(text)"}}"#
        }
        try laurel.run("ingest", "--now", "2026-03-01T00:00:00Z", input: lines.joined(separator: "\n"))
        let export = "laurel export --format \(format) --out tables"
        let outcome = try laurel.shell(
            "\(export) --learner anna; cp -r tables before; ulimit -f 40; \(export); echo $?;"
                + " diff -r tables before && echo same"
        )
        #expect(outcome.output == "3\nsame\n", "\(outcome)")
        #expect(outcome.errors.contains("\(format).part cannot be written: File too large"), "\(outcome)")
    }

    @Test func helpNamesThePseudonyms() throws {
        let help = try laurel.run("export", "--help").output
        for names in ["category, character, cohort,", "the fields corrected, original, reason, text, translation."] {
            #expect(help.contains(names), "\(help)")
        }
    }

    @Test func replacesNamesByPseudonyms() throws {
        try laurel.write(String(repeating: "s", count: 32), to: "secret")
        let outcome = try laurel.run("export", "--pseudonyms", "secret", "--keep", "line.spoken:text")
        #expect(outcome.status == 0 && outcome.output.split(separator: "\n").count == 9, "\(outcome)")
        #expect(outcome.output.contains(#""text":"Un café, por favor","accuracy":0.95,"errors":1,"durationMs":2500}"#))
        for name in ["anna", "Anna", "さくら", "cafe", "A coffee", "s1"] {
            #expect(!outcome.output.contains(name), "\(outcome)")
        }
        #expect(outcome.errors.isEmpty, "nothing is left out: \(outcome)")
        let quest = #"{"id":"q","source":"app","type":"quest.finished","subject":"bo","time":"2026-02-05T18:00:00Z"}"#
        try laurel.run("ingest", "--now", "2026-03-01T00:00:00Z", input: quest)
        let tables = try laurel.run("export", "--pseudonyms", "secret", "--format", "csv", "--out", "tables")
        let reason = "because the catalogue does not have their types; --keep TYPE keeps them"
        #expect(tables.messages == ["1 event left out, \(reason)", "9 events written into tables"], "\(tables)")
        let learners = try laurel.shell("tail -n +2 tables/word.added.csv | cut -d , -f 3").output.dropLast(1)
        #expect(learners.count == 32 && outcome.output.contains(#""subject":"\#(learners)""#), "\(learners)")
    }

    @Test(arguments: [
        ("--format tsv", "--format: “tsv” is not a format of an export; use ndjson, csv, parquet, fsrs-revlog"),
        ("--format csv", "--format csv writes a file for each event type; name a folder with --out"),
        ("--format csv --out t --learner nobody", "there is no learner “nobody” in the store"),
        ("--format fsrs-revlog --learner nobody", "there is no learner “nobody” in the store"),
        ("--language es", "--language needs --format fsrs-revlog"),
        ("--salvage --format fsrs-revlog", "--salvage exports events as they were sent; leave --format and"),
        ("--salvage --pseudonyms rules.yaml", "--salvage exports events as they were sent; leave --format and"),
        ("--pseudonyms none", "cannot open none"),
        ("--pseudonyms .empty", "the secret has 0 bytes; it must have at least 32 random bytes"),
        ("--pseudonyms /dev/zero", "--pseudonyms: “/dev/zero” is longer than 65536 bytes"),
        ("--pseudonyms rules.yaml --keep a:b,X", "“X” names neither an event type nor a field"),
        ("--keep line.spoken", "--keep needs --pseudonyms"),
        ("--format csv --out laurel.db", "the folder laurel.db cannot be made"),
    ])
    func refuses(arguments: String, message: String) throws {
        let outcome = try laurel.shell("touch .empty; laurel export \(arguments)")
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.messages.first?.hasPrefix(message) == true, "\(outcome)")
    }
}
