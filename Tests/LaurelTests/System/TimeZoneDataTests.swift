// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import Testing

/// Machines with other time zone data than those with which a store's days were computed.
@Suite struct TimeZoneDataTests {
    private let folder: TemporaryFolder
    private let store: String
    private let input: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("laurel.db")
        let lines = simulated(learners: 4, days: 20, seed: 9) + ["broken"]
        input = try folder.write(lines.joined(separator: "\n"), to: "events")
        let zones = "for v in 2024a 2025z files; do mkdir $v && cp -r /usr/share/zoneinfo/[A-Z]* $v; done"
        let versions = "for v in 2024a 2025z; do echo '# version '$v > $v/tzdata.zi; done; mkdir none"
        try #require(system("cd '\(folder.path)' && \(zones) && \(versions)") == 0)
    }

    private func run(_ zones: String, _ words: String...) throws -> Program.Outcome {
        try Program(
            laurel: words + ["--store", store],
            environment: ["TZDIR=" + folder.file(zones)]
        ).wait()
    }

    private func remark(_ stored: String, _ here: String) -> String {
        "laurel: the store's progress was computed with time zones \(stored), and here are \(here): days may differ;"
            + " `laurel replay` computes it anew with those that are here\n"
    }

    @Test(arguments: ["2025z", "none"]) func `other data are told of until a replay`(other: String) throws {
        try #require(try run("2024a", "ingest", "--now", "2031-01-01T00:00:00Z", input).status == 1)
        #expect(try run("2024a", "learners").errors == "laurel: 4 learners\n")
        for command in [["learners"], ["fingerprint"], ["ingest", "--now", "2031-01-01T00:00:00Z", "/dev/null"]] {
            let outcome = try Program(
                laurel: command + ["--store", store],
                environment: ["TZDIR=" + folder.file(other)]
            ).wait()
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains(remark("2024a", other)), "\(command): \(outcome.errors)")
        }
        let checked = try run(other, "replay", "--check")
        #expect(checked.status == 1 && checked.output.contains("computed with time zones 2024a"), "\(checked)")
        #expect(try run(other, "replay").status == 0)
        #expect(try run(other, "learners").errors == "laurel: 4 learners\n")
        #expect(try run(other, "replay", "--check").status == 0)
        #expect(try run("2024a", "learners").errors.contains(remark(other, "2024a")))
    }

    /// If rules differ only in a name, no learner is folded again for them.
    @Test(arguments: ["award: 7", "award: 5"]) func `rules that are applied fold with the data that are here`(
        award: String
    )
        throws
    {
        func rules(_ name: String, _ award: String) throws -> String {
            let text = "version: 1\nname: \(name)\nxp: [{id: lines, on: line.spoken, \(award)}]\n"
            return try folder.write(text, to: name)
        }
        let old = try rules("old", "award: 5")
        let made = try run("2024a", "ingest", "--now", "2031-01-01T00:00:00Z", "--rules", old, input)
        try #require(made.status == 1, "\(made.errors)")
        let applied = try run("2025z", "rules", "apply", rules("new", award), "--yes")
        #expect(applied.status == 0, "\(applied.errors)")
        #expect(try run("2025z", "learners").errors == "laurel: 4 learners\n")
        #expect(try run("2025z", "replay", "--check").status == 0)
        #expect(try run("2024a", "learners").errors.contains(remark("2025z", "2024a")))
    }

    @Test func `without a name the files themselves tell`() throws {
        try #require(try run("files", "ingest", "--now", "2031-01-01T00:00:00Z", input).status == 1)
        #expect(try run("files", "learners").errors == "laurel: 4 learners\n")
        try #require(system("cp '\(folder.file("files"))/UTC' '\(folder.file("files"))/Europe/Berlin'") == 0)
        let errors = try run("files", "learners").errors
        #expect(errors.contains("computed with time zones sha256:"), "\(errors)")
    }

    @Test func `what needs no days needs no zones`() throws {
        let rules = try folder.write(
            """
            version: 1
            name: berlin
            calendar: {default_timezone: Europe/Berlin}

            """,
            to: "rules.yaml"
        )
        let made = try run("2024a", "ingest", "--now", "2031-01-01T00:00:00Z", "--rules", rules, input)
        try #require(made.status == 1, "\(made.errors)")
        #expect(try run("none", "learners").status != 0 || run("none", "progress", "learner-0001").status != 0)
        let exported = try run("2024a", "export").output
        #expect(try run("none", "export").output == exported)
        #expect(try run("none", "verify").status == 0)
        #expect(try run("none", "quarantine", "export").output == "broken\n")
        #expect(try run("none", "erase", "learner-0001", "--yes").status == 0)
        #expect(try run("none", "quarantine", "drop", "--all").status == 0)
        #expect(try run("none", "verify").status == 0)
    }
}
