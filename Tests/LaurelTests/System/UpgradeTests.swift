// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `Fixtures/laurel-0.1.db.zst` was written by version 0.1.0: 985 events of three learners and one refused line, in a store of
/// format 4. `Fixtures/laurel-0.1.json.zst` is what that version answered about them, by the words of the command.
///
/// That version, asked for a store that this one has written to, says: “s.db has store format 8, this program knows up to
/// 4: use a newer one”, and leaves with status 3.
@Suite struct UpgradeTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("laurel-0.1.db")
        for name in ["laurel-0.1.db", "laurel-0.1.json"] {
            let fixture = "/\(#filePath.split(separator: "/").dropLast(2).joined(separator: "/"))/Fixtures/\(name).zst"
            try #require(system("zstd -dq '\(fixture)' -o '\(folder.file(name))'") == 0)
        }
    }

    @Test func `a store of version 0.1 answers as it did, before the first write and after`() throws {
        let before = try contents(store)
        try compareAnswers()
        #expect(try contents(store) == before)
        let events = try folder.write(laurel("export", "--store", store).output, to: "events")
        let again = try laurel("ingest", "--now", "2026-04-05T20:00:00Z", "--json", "--store", store, events)
        #expect(again.output.contains(#""stored":0,"duplicates":985"#), "\(again)")
        #expect(try contents(store)[60..<64].elementsEqual([0, 0, 0, 8]))
        try compareAnswers()
        #expect(try laurel("verify", "--store", store).status == 0)
        #expect(try laurel("replay", "--check", "--store", store).status == 0)
        #expect(try laurel("quarantine", "export", "--store", store).output == "broken\n")
    }

    private func compareAnswers() throws {
        let known = try JSONSerialization.jsonObject(with: Data(contents(folder.file("laurel-0.1.json"))))
        let answers = try #require((known as? [String: Any])?["answers"] as? [String: Any])
        #expect(answers.count == 11)
        for (words, old) in answers {
            let outcome = try Program(
                laurel: words.split(separator: " ").map(String.init) + ["--json", "--store", store]
            ).wait()
            let new = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
            let differences = differences(old, new, at: "")
            #expect(differences.isEmpty, "\(words): \(differences.prefix(5))")
        }
    }

    /// Two members may differ: 0.1 left practice outside sessions out of the minutes; and when XP was reached is only told
    /// where progress is folded. New members are no difference.
    private static let others = ["totalMinutesPlayed", "reachedAt"]

    private func differences(_ old: Any, _ new: Any, at path: String) -> [String] {
        switch (old, new) {
        case (let old as [String: Any], let new as [String: Any]):
            return old.filter { !Self.others.contains($0.key) }.flatMap { name, value in
                new[name].map { differences(value, $0, at: "\(path)/\(name)") } ?? ["\(path)/\(name) is missing"]
            }
        case (let old as [Any], let new as [Any]) where old.count == new.count:
            return zip(old, new).enumerated().flatMap { differences($1.0, $1.1, at: "\(path)/\($0)") }
        case (let old as NSObject, let new as NSObject):
            return old == new ? [] : ["\(path): \(old), now \(new)"]
        default:
            return ["\(path): \(old), now \(new)"]
        }
    }
}
