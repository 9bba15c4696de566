// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `Fixtures/laurel-0.1.ndjson.zst` contains the 985 events of three learners of a store of version 0.1.0, and
/// `Fixtures/laurel-0.1.yaml.zst` its rules. `Fixtures/laurel-0.1.json.zst` contains that version's answers about them,
/// by the words of the command.
@Suite struct UpgradeTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("new.db")
        for name in ["laurel-0.1.ndjson", "laurel-0.1.yaml", "laurel-0.1.json"] {
            let fixture = "/\(#filePath.split(separator: "/").dropLast(2).joined(separator: "/"))/Fixtures/\(name).zst"
            try #require(system("zstd -dq '\(fixture)' -o '\(folder.file(name))'") == 0)
        }
    }

    @Test func `events and rules of version 0.1 give the answers that it gave`() throws {
        let (rules, events) = (folder.file("laurel-0.1.yaml"), folder.file("laurel-0.1.ndjson"))
        let now = "2026-04-05T20:00:00Z"
        let stored = try laurel("ingest", "--now", now, "--json", "--store", store, "--rules", rules, events)
        #expect(stored.output.contains(#""stored":985,"duplicates":0"#), "\(stored)")
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

    /// Two members may differ: 0.1 left practice outside sessions out of the minutes, and the time of XP is only given
    /// where progress is folded. New members are no difference.
    private static let others = ["totalMinutesPlayed", "reachedAt"]
    /// Members that have been renamed since.
    private static let renamed = ["userId": "learner"]

    private func differences(_ old: Any, _ new: Any, at path: String) -> [String] {
        switch (old, new) {
        case (let old as [String: Any], let new as [String: Any]):
            return old.filter { !Self.others.contains($0.key) }.flatMap { name, value in
                let found = new[name] ?? Self.renamed[name].flatMap { new[$0] }
                return found.map { differences(value, $0, at: "\(path)/\(name)") } ?? ["\(path)/\(name) is missing"]
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
