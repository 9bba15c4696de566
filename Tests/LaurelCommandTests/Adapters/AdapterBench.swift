// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Imports of apps' files.
extension Laurel {
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures").path

    /// Creates a Core Data store with `make_coredata.py`.
    func makeCoreData(_ app: String, _ file: String, part: String = "") throws {
        let outcome = try shell("python3 \(Laurel.fixtures)/make_coredata.py \(app) \(file) \(part)")
        try #require(outcome.status == 0, "\(outcome)")
    }

    /// The output of an ingest with `--json`.
    struct Report: Decodable, Equatable {
        struct Kind: Decodable, Equatable {
            var what: String
            var read, stored, duplicates, conflicts, refused: Int
        }

        struct LeftOut: Decodable, Equatable {
            var what: String
            var count: Int
        }

        var read, stored, duplicates, conflicts, refused: Int
        var kinds: [Kind]?
        var leftOut: [LeftOut]?

        /// The stored events by kind: `["words": 3]`.
        var storedByKind: [String: Int] {
            Dictionary(uniqueKeysWithValues: (kinds ?? []).filter { $0.stored > 0 }.map { ($0.what, $0.stored) })
        }

        var leftOutByKind: [String: Int] {
            Dictionary(uniqueKeysWithValues: (leftOut ?? []).map { ($0.what, $0.count) })
        }
    }

    /// Ingests at a time long after all events of the fixtures.
    func take(_ words: String, store: String = "laurel.db") throws -> Report {
        let outcome = try shell("laurel ingest --store \(store) --now 2030-01-01T00:00:00Z --json \(words)")
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    }

    func fingerprint(_ store: String = "laurel.db") throws -> String {
        try shell("laurel replay --check --store \(store) >&2 && laurel fingerprint --store \(store)").output
    }

    /// All events, as JSON.
    func events(_ store: String = "laurel.db") throws -> [[String: Any]] {
        try shell("laurel export --store \(store)").output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    /// The number of events of each type.
    func types(_ store: String = "laurel.db") throws -> [String: Int] {
        Dictionary(grouping: try events(store)) { $0["type"] as? String ?? "" }.mapValues(\.count)
    }

    func json(_ command: String) throws -> [String: Any] {
        let outcome = try shell(command)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any],
            "\(outcome)"
        )
    }
}

extension [String: Any] {
    func data(_ field: String) -> Any? { (self["data"] as? [String: Any])?[field] }
    func text(_ field: String) -> String? { data(field) as? String }
}
