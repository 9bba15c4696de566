// SPDX-License-Identifier: Apache-2.0

import Testing

/// The output of mistakes in rules. Scripts read the first line of each, people the rest.
@Suite struct RulesDiagnosticsTests {
    struct Excerpt: Sendable, CustomTestStringConvertible {
        let name: String
        /// The file's second line.
        let line: String
        let shown: String
        var testDescription: String { name }
    }

    private static let excerpts = [
        Excerpt(
            name: "a key",
            line: "nmae: x",
            shown: """
                rules.yaml:2:1: error: unknown key `nmae` in a rules file; did you mean `name`?
                  2 | nmae: x
                    | ^~~~
                    | name
                """
        ),
        Excerpt(
            name: "wide letters and emoji",
            line: "levels: {xp_for: \"'日本語 👨‍👩‍👧' == m\"}",
            shown: """
                rules.yaml:2:34: error: unknown name `m`; did you mean `n`?
                  2 | levels: {xp_for: "'日本語 👨‍👩‍👧' == m"}
                    |                                  ^
                    |                                  n
                """
        ),
        Excerpt(
            name: "a tab",
            line: "name:\t[a]",
            shown: """
                rules.yaml:2:7: error: `name` must be text, not a list
                  2 | name:   [a]
                    |         ^
                """
        ),
        Excerpt(
            name: "right-to-left writing",
            line: "levels: {xp_for: \"'שלום' == xp\"}",
            shown: """
                rules.yaml:2:29: error: unknown name `xp`; names you can use here: n
                  2 | levels: {xp_for: "'שלום' == xp"}
                    |                             ^~
                """
        ),
        Excerpt(
            name: "control characters",
            line: "name: x # \u{202E}\nnmae: y # \u{1B}[31m",
            shown: """
                rules.yaml:3:11: error: control characters are not allowed
                  3 | nmae: y # \\u{1B}[31m
                    |           ^
                """
        ),
        Excerpt(
            name: "a mark in a very long line",
            line:
                "levels: {xp_for: \"\(String(repeating: "1 + ", count: 400))xp\(String(repeating: " + 1", count: 400))\"}",
            shown: """
                rules.yaml:2:1619: error: unknown name `xp`; names you can use here: n
                  2 | …+ 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + xp + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1…
                    |                                        ^~
                """
        ),
    ]

    @Test(arguments: excerpts)
    func theLineIsShownWithACaret(_ excerpt: Excerpt) throws {
        let laurel = try Laurel(rules: "version: 1\n\(excerpt.line)\n")
        let outcome = try laurel.run("rules", "check", "rules.yaml")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains(excerpt.shown + "\n"), "\(outcome.output)")
    }

    @Test func jsonHoldsWhatAnEditorNeeds() throws {
        let laurel = try Laurel(rules: "version: 1\nnmae: x\n")
        let outcome = try laurel.run("rules", "check", "--json", "rules.yaml")
        #expect(
            outcome.output
                == #"{"diagnostics":[{"severity":"error","file":"rules.yaml","line":2,"column":1,"endColumn":5,"#
                + #""message":"unknown key `nmae` in a rules file; did you mean `name`?","suggestion":"name"}],"#
                + #""tests":0,"failedTests":0}"# + "\n"
        )
    }

    @Test func otherCommandsShowThemToo() throws {
        let laurel = try Laurel(rules: "version: 1\nnmae: x\n")
        let outcome = try laurel.run("ingest", "--rules", "rules.yaml")
        #expect(outcome.status == 2 && outcome.output == "")
        #expect(
            outcome.errors == """
                rules.yaml:2:1: error: unknown key `nmae` in a rules file; did you mean `name`?
                  2 | nmae: x
                    | ^~~~
                    | name
                laurel: these rules cannot be used

                """
        )
    }

    @Test func colourIsForTerminalsOnly() throws {
        let laurel = try Laurel(rules: "version: 1\nnmae: x\n")
        let command = "laurel rules check rules.yaml"
        let coloured = try laurel.shell("script -qec '\(command)' /dev/null", environment: ["TERM": "xterm"])
        #expect(coloured.output.contains("\u{1B}[31merror:\u{1B}[0m"))
        let plain = try laurel.shell("NO_COLOR=1 script -qec '\(command)' /dev/null", environment: ["TERM": "xterm"])
        #expect(!plain.output.contains("\u{1B}["))
    }

    @Test func aFolderStandsForItsYAMLFiles() throws {
        let laurel = try Laurel(rules: "version: 1\n")
        try laurel.write("{}", to: "schema.json")
        try laurel.write("version: 1\nnmae: x\n", to: "b.yaml")
        let outcome = try laurel.run("rules", "check", ".")
        #expect(outcome.status == 1)
        #expect(outcome.output.hasPrefix("./b.yaml:2:1: error: "))
        #expect(outcome.output.hasSuffix("./rules.yaml: ok, 0 tests passed\n"))
        #expect(outcome.messages == ["2 files, 1 error, 0 warnings, 0 tests, 0 failed"])
        let empty = try laurel.shell("mkdir empty && laurel rules check empty")
        #expect(empty.status == 2)
        #expect(empty.messages == ["empty: there is no *.yaml file in this folder"])
    }
}
