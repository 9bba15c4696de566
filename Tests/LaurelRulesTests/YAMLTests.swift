// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules
@testable import LaurelYAML

@Suite("YAML and JSON")
struct YAMLTests {
    private func failure(_ yaml: String) -> String? {
        do throws(YAMLError) {
            let mistakes = try YAMLReader.read(Array(yaml.utf8)).mistakes
            return mistakes.first.map { "\($0.offset): \($0.message)" }
        } catch {
            return "\(error.offset): \(error.message)"
        }
    }

    @Test("`no` is Norwegian")
    func norwegian() throws {
        let rules = try load("version: 1\nname: no\nachievements: [{id: yes, name: on, value: 1, at_least: 1}]")
        #expect(rules.name == "no")
        #expect(rules.achievements[0].id == "yes")
        #expect(rules.achievements[0].name == "on")
    }

    @Test("A JSON file is a rules file")
    func json() throws {
        let rules = try load(#"{"version":1,"name":"a\/b \uD83D\uDE00","# + "\t\"metrics\":{},\r\n\"xp\":[]}")
        #expect(rules.name == "a/b 😀")
    }

    @Test("A flow mapping that is not JSON is YAML")
    func flow() throws {
        #expect(try load("{version: 1, name: x}").name == "x")
    }

    @Test("A byte order mark, CRLF and CR are no content")
    func lineEndings() throws {
        #expect(try load("\u{FEFF}version: 1\r\nname: x\r\n").name == "x")
        #expect(complaints("version: 1\r\nnome: x\r\n").first?.hasPrefix("rules.yaml:2:1:") == true)
    }

    @Test("Anchors are unfolded")
    func anchors() throws {
        let rules = try load("version: 1\nmetrics: {a: &x {count: line.spoken}, b: *x}")
        #expect(rules.metrics.map(\.name) == ["a", "b"])
        #expect(rules.metrics[1].types.names == ["line.spoken"])
    }

    @Test(
        "What cannot be read",
        arguments: [
            Row("empty", "", "0: the file is empty"),
            Row("two documents", "a: 1\n---\nb: 2\n", "5: a file is one document: no second `---`"),
            Row("duplicate key", "a: 1\nb: 2\na: 3\n", "10: duplicate key `a`"),
            Row("duplicate key in JSON", #"{"a":1,"a":2}"#, "7: duplicate key `a`"),
            Row("unknown anchor", "a: *x\n", "3: unknown anchor `*x`: `&x` must stand before it"),
            Row("an anchor inside itself", "a: &x [*x]\n", "7: unknown anchor `*x`: `&x` must stand before it"),
            Row("a list as key", "[1]: 2\n", "0: a key must be a single value, not a mapping or a list"),
            Row("a tag", "a: !event.helped\n", "3: `!event.helped` is read as a YAML tag: put the value in quotes"),
            Row("open quote", "a: \"x\n", "3: the text that begins here is not closed: a \" is missing"),
            Row(
                "open quote that a later one closes",
                "a: \"x\nb: \"y\n",
                "3: the text that begins here goes on to line 2: is its closing quote missing?"
            ),
            Row(
                "or at the beginning",
                "a: || x\n",
                "4: while scanning a block scalar, did not find expected comment or line break"
                    + ": a value that begins with `|` needs quotes"
            ),
            Row("JSON cut off", #"{"a": [1, 2"#, "11: expected `,` or `]`"),
            Row("JSON: half a surrogate pair", #"{"a": "\uD83D"}"#, "7: not an escape that JSON knows"),
            Row("JSON: a leading zero", #"{"a": 01, "b": "\uD83D\uDE00"}"#, surrogates),
        ]
    )
    func unreadable(_ row: Row<String, String>) {
        #expect(failure(row.input) == row.expected)
    }

    static let surrogates = "18: while parsing a quoted scalar, found invalid Unicode character escape code"

    @Test("Invalid UTF-8 is said to be where it is")
    func encoding() {
        #expect(throws: RulesError.self) {
            try RuleSet(yaml: Array("a: ".utf8) + [0xFF, 0x0A], file: "x") { _ in true }
        }
    }

    @Test("Depth, aliases and size are bounded")
    func bounds() {
        #expect(failure(String(repeating: "[", count: 100))?.hasSuffix("nested too deeply: at most 64 levels") == true)
        #expect(
            failure("{\"a\":" + String(repeating: "[", count: 100))?.hasSuffix("nested too deeply: at most 64 levels")
                == true
        )
        var bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        for (name, before) in zip("bcdefgh", "abcdefg") {
            bomb += "\(name): &\(name) [\(Array(repeating: "*\(before)", count: 10).joined(separator: ", "))]\n"
        }
        #expect(failure(bomb)?.hasSuffix("too large: at most 100000 values, aliases unfolded") == true)
        #expect(failure(String(repeating: "#", count: 1 << 20 + 1)) == "0: the file is larger than 1 MiB")
    }
}
