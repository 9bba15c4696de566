// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import SeededRandom
import Testing

/// Names longer than the limit of a database's index (2,704 bytes). A store in a database gives the same results as one
/// in a file.
@Suite(.enabled(if: DatabaseServer.shared != nil)) struct LongNameTests {
    @Test func `are refused, kept and looked for as in a file`() throws {
        let seed = UInt64.random(in: 0...999)
        var random = SeededGenerator(seed: seed)
        // The text has so many different letters that a database cannot compress it.
        let long = String((0..<3000).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement(using: &random)! })
        let laurel = try Laurel()
        try laurel.write(lines(long).joined(separator: "\n"), to: "long.ndjson")
        try laurel.write(
            Laurel.rules.replacing("id: talker", with: "id: \(String(long.prefix(128)))"),
            to: "long.yaml"
        )
        let location = try #require(DatabaseServer.shared).newDatabase()
        for store in ["file.db", location] {
            #expect(try laurel.run("store", "create", store).status == 0)
        }
        let commands: [[String]] = [
            ["ingest", "--json", "--rules", "long.yaml", "--now", "2026-03-01T00:00:00Z", "long.ndjson"],
            ["ingest", "--json", "--now", "2026-03-01T00:00:00Z", "long.ndjson"],
            ["quarantine", "export"], ["export"], ["learners", "--json"], ["fingerprint"],
            ["progress", long, "--json"], ["explain", long], ["progress", "ana", "--language", long],
            ["leaderboard", "--cohort", long, "--json"], ["achievements", "ana", "--json"],
            ["words", "ana", "--language", "es", "--json"],
            ["keys", "add", "--scope", "read", "--learner", long], ["erase", long, "--yes"], ["quarantine", "export"],
            ["replay", "--check"], ["verify"],
        ]
        for words in commands {
            let (file, database) = (
                try laurel.run(words + ["--store", "file.db"]), try laurel.run(words + ["--store", location])
            )
            #expect(file.status == database.status, "\(words[0]), seed \(seed): \(file) \(database)")
            // Keys are random, replays have durations, and stores have names.
            guard !["keys", "replay", "verify"].contains(words[0]) else { continue }
            // Exports of a database go through its partitions one after another.
            let isInOrder = !words.contains("export")
            let outputs = [file.output, database.output].map { output in
                let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
                return isInOrder ? lines : lines.sorted()
            }
            #expect(outputs[0] == outputs[1], "\(words[0]), seed \(seed)")
        }
    }

    private func lines(_ long: String) -> [String] {
        func line(_ changes: [String: String]) -> String {
            var event = [
                "id": "1", "source": "app", "type": "line.spoken", "subject": "ana", "language": "es", "session": "s",
                "time": "2026-02-04T17:00:00Z",
            ]
            event.merge(changes) { $1 }
            return "{" + event.sorted { $0.key < $1.key }.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
        }
        let attributes = ["id", "source", "subject", "language", "session", "timezone"]
        // The longest id, of characters that a database's texts cannot contain.
        let longest = String(repeating: "\\u0000", count: 256)
        return attributes.map { line([$0: long]) }
            + [
                line(["type": "x.\(long)"]), line(["subject": longest, "id": "zero"]),
                #"{"id":"2","source":"app","type":"learner.updated","subject":"ana","time":"2026-02-04T17:00:00Z","data":{"cohort":"LONG","displayName":"LONG","nativeLanguage":"LONG"}}"#,
                #"{"id":"3","source":"app","type":"word.added","subject":"ana","language":"es","time":"2026-02-04T17:01:00Z","data":{"word":"LONG","text":"LONG","category":"LONG","tags":["LONG"]}}"#,
                #"{"id":"4","source":"app","type":"session.started","subject":"ana","language":"es","session":"s2","time":"2026-02-04T17:02:00Z","data":{"scenario":"LONG","LONG":"LONG"}}"#,
            ].map { $0.replacing("LONG", with: long) }
    }
}
