// SPDX-License-Identifier: Apache-2.0

import Testing

/// An invalid request: status 2, the mistake, and its correction.
@Suite struct UsageErrorTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        var arguments: String
        var messages: [String]
        var testDescription: String { arguments }
    }

    static let mistakes = [
        Mistake(arguments: "", messages: ["no command given", "see `laurel --help`"]),
        Mistake(
            arguments: "progres anna",
            messages: ["there is no command “progres”; did you mean progress?", "see `laurel --help`"]
        ),
        Mistake(
            arguments: "quarantine lst",
            messages: [
                "quarantine: unknown command “lst”; use list, export, drop; did you mean list?",
                "see `laurel quarantine --help`",
            ]
        ),
        Mistake(
            arguments: "rules",
            messages: [
                "rules: choose one of check, test, diff, apply, withdraw, history, show", "see `laurel rules --help`",
            ]
        ),
        Mistake(
            arguments: "progress anna --langauge es",
            messages: ["progress has no option --langauge; did you mean --language?", "see `laurel progress --help`"]
        ),
        Mistake(
            arguments: "progress -l es anna",
            messages: ["progress has no option -l", "see `laurel progress --help`"]
        ),
        Mistake(
            arguments: "--verson",
            messages: ["there is no option --verson; did you mean --version?", "see `laurel --help`"]
        ),
        Mistake(arguments: "progress", messages: ["progress: LEARNER is missing", "see `laurel progress --help`"]),
        Mistake(
            arguments: "progress anna bert",
            messages: ["progress: unexpected argument “bert”", "see `laurel progress --help`"]
        ),
        Mistake(
            arguments: "progress ''",
            messages: ["progress: an argument is empty", "see `laurel progress --help`"]
        ),
        Mistake(
            arguments: "words anna --limit",
            messages: ["--limit N: the value is missing", "see `laurel words --help`"]
        ),
        Mistake(
            arguments: "words anna --limit --due",
            messages: ["--limit N: the value is missing", "see `laurel words --help`"]
        ),
        Mistake(
            arguments: "words anna --limit -1",
            messages: ["--limit: “-1” is not a whole number from 0 on", "see `laurel words --help`"]
        ),
        Mistake(arguments: "words anna --due=yes", messages: ["--due takes no value", "see `laurel words --help`"]),
        Mistake(
            arguments: "words anna --limit 3 --limit=4",
            messages: ["--limit is given twice", "see `laurel words --help`"]
        ),
        Mistake(
            arguments: "progress anna --at yesterday",
            messages: [
                "--at: “yesterday” is refused: not an RFC 3339 time, such as 2026-02-05T18:00:00+01:00",
                "see `laurel progress --help`",
            ]
        ),
        Mistake(
            arguments: "progress anna --all --language es",
            messages: ["--all and --language exclude each other", "see `laurel progress --help`"]
        ),
        Mistake(
            arguments: "quarantine drop",
            messages: [
                "quarantine drop: name the lines by their ids, or all of them with --all",
                "see `laurel quarantine drop --help`",
            ]
        ),
        Mistake(
            arguments: "simulate --learners 1 --days 1",
            messages: ["--seed S is missing", "see `laurel simulate --help`"]
        ),
        Mistake(
            arguments: "simulate --learners 10000001 --days 1 --seed 1",
            messages: [
                "--learners: “10000001” is not a whole number from 0 to 10000000", "see `laurel simulate --help`",
            ]
        ),
        Mistake(
            arguments: "simulate --learners 1 --days 1 --seed 1 --start 2026-02-30",
            messages: [
                "--start: “2026-02-30” is no date from 1970-01-01 to 9999-12-31, such as 2026-01-05",
                "see `laurel simulate --help`",
            ]
        ),
        Mistake(arguments: "progress anna", messages: ["there is no store at laurel.db"]),
        Mistake(arguments: "replay", messages: ["there is no store at laurel.db"]),
        Mistake(arguments: "erase anna --yes", messages: ["there is no store at laurel.db"]),
        Mistake(arguments: "ingest none.ndjson", messages: ["cannot open none.ndjson: No such file or directory"]),
        Mistake(arguments: "ingest .", messages: ["cannot open .: Is a directory"]),
        Mistake(
            arguments: "ingest --format fsrs-cvs x",
            messages: [
                "there is no format fsrs-cvs (did you mean fsrs-csv?); formats: cloudevents, analytics, anki, bab-export, "
                    + "bab-packets, coredata-bab-language, coredata-flippin, "
                    + "coredata-immersion-rooms, coredata-vocabmaster, firebase, fsrs-csv, swiftdata-bab-language, "
                    + "word-list"
            ]
        ),
        Mistake(arguments: "rules check none.yaml", messages: ["none.yaml: No such file or directory"]),
        Mistake(
            arguments: "learners --store 'postgres://localhost/laurel?schema=My'",
            messages: [
                "schema=My is no name of a schema: small letters, digits and underscores, at most 63 of them, "
                    + "the first no digit, and not pg_ at the beginning"
            ]
        ),
    ]

    @Test(arguments: mistakes) func saysWhatIsWrong(_ mistake: Mistake) throws {
        let laurel = try Laurel()
        let outcome = try laurel.shell("laurel \(mistake.arguments)")
        #expect(outcome.status == 2)
        #expect(outcome.messages == mistake.messages)
        #expect(outcome.output == "")
        #expect(!laurel.exists("laurel.db"), "a wrong request makes no store")
    }

    @Test func optionsStandAnywhereAndAfterTwoDashesAreNone() throws {
        let laurel = try Laurel(events: Laurel.events)
        let json = try laurel.run("progress", "anna", "--json", "--at", "2026-02-06T00:00:00Z")
        #expect(json.status == 0)
        #expect(try laurel.run("--at=2026-02-06T00:00:00Z", "--json", "progress", "--", "anna") == json)
        let outcome = try laurel.run("progress", "--", "--json")
        #expect(outcome.messages.first == "there is no learner “--json” in the store")
    }
}
