// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Files that the command creates, and names that it refuses.
@Suite struct FileTests {
    private let laurel: Laurel

    init() throws { laurel = try Laurel(events: Laurel.events) }

    private func mode(_ file: String) throws -> String {
        try laurel.shell("stat -c %a \(file)").output.trimmingCharacters(in: .newlines)
    }

    @Test func storesAndExportsAreTheirOwnersAlone() throws {
        try laurel.run("export", "--out", "all.ndjson")
        try laurel.run("ingest", "--store", "own.db", "all.ndjson")
        #expect(try mode("own.db own.db-lock") == "600\n600")
        try laurel.run("quarantine", "export", "--out", "refused.ndjson")
        #expect(try mode("all.ndjson refused.ndjson") == "600\n600")
        try laurel.run("ingest", "--mode", "640", "--store", "school.db", "all.ndjson")
        try laurel.run("export", "--mode", "0644", "--out", "open.ndjson")
        #expect(try mode("school.db open.ndjson") == "640\n644")
        let reports = try laurel.shell("umask 022; laurel report weekly-xp --out reports; stat -c %a reports/*")
        #expect(reports.output.hasSuffix("600\n"), "\(reports)")
        try laurel.run("copy", "school.db", "second.db")
        try laurel.run("copy", "--mode", "600", "school.db", "third.db")
        #expect(try mode("second.db third.db") == "640\n600", "a copy keeps the mode")
        let wrong = try laurel.run("export", "--mode", "u+r", "--out", "x.ndjson")
        #expect(wrong.status == 2)
        #expect(wrong.messages.first == "--mode: “u+r” is no permissions; three digits from 0 to 7, such as 640")
    }

    /// Other names for the store, and the messages about them.
    @Test(arguments: [
        ("''", 2, "the store's name is empty; name a file"), ("pipe", 3, "pipe is a pipe, not a store"),
        ("second.db", 2, "second.db has 2 names (hard links)"), ("none/laurel.db", 2, "there is no folder for"),
    ])
    func namesThatAreRefused(name: String, status: Int32, message: String) throws {
        _ = try laurel.shell("mkfifo pipe; cp laurel.db third.db; ln third.db second.db")
        for command in ["ingest events.ndjson", "learners", "verify", "erase anna --yes"] {
            let outcome = try laurel.shell("timeout 20 laurel \(command) --store \(name)")
            #expect(
                outcome.messages.first?.contains(message) == true || command != "ingest events.ndjson",
                "\(outcome)"
            )
            #expect(outcome.status == status || name.hasPrefix("none"), "\(command): \(outcome)")
        }
    }

    @Test func aStoreUnderTwoNamesWasDestroyedAndIsRefusedNow() throws {
        _ = try laurel.shell("ln laurel.db second.db")
        #expect(try laurel.run("ingest", "--store", "second.db", "events.ndjson").status == 2)
        _ = try laurel.shell("rm second.db; ln -s laurel.db second.db")
        #expect(
            try laurel.run("ingest", "--now", "2026-03-01T00:00:00Z", "--store", "second.db", "events.ndjson").status
                == 0
        )
        #expect(try laurel.run("verify").status == 0)
        #expect(!laurel.exists("second.db-lock"))
    }

    @Test func aFileSizeLimitIsAnError() throws {
        let outcome = try laurel.shell(
            "laurel simulate --learners 20 --days 60 --seed 1 > many.ndjson; ulimit -f 100;"
                + " laurel ingest --now 2031-01-01T00:00:00Z many.ndjson"
        )
        #expect(outcome.status == 3, "\(outcome)")
        #expect(outcome.messages.contains { $0.contains("larger than this process may write") }, "\(outcome)")
        #expect(try laurel.run("verify").status == 0)
        let new = try laurel.shell("ulimit -f 20; laurel ingest --store new.db events.ndjson")
        #expect(new.status == 3 && new.messages.contains { $0.contains("may write") }, "\(new)")
        #expect(!laurel.exists("new.db"))
    }

    @Test func erasureTellsOfLinesThatNobodyCouldRead() throws {
        try laurel.run("ingest", input: "{broken, about anna\n")
        let outcome = try laurel.run("erase", "anna", "--yes")
        #expect(outcome.output == "“anna” is erased\n")
        #expect(
            outcome.messages == [
                "1 line in quarantine cannot be read and may still name them; `laurel quarantine export` shows what they say,"
                    + " `laurel quarantine drop` removes them"
            ]
        )
    }
}
