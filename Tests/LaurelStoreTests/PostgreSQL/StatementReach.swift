// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import LaurelStore

/// The partitions whose rows a statement can touch, as its text says.
enum StatementReach: Equatable {
    /// The statement names only tables that every server has.
    case sharedTables
    /// A parameter is the partition of all rows.
    case onePartition
    case severalPartitions

    init(_ sql: String) {
        let tables = PostgreSQLSchema.tablesByPartition.joined(separator: "|")
        let words = "(?!(?:WHERE|SET|ON|USING|JOIN|CROSS|LEFT|ORDER|GROUP|LIMIT|UNION|EXCEPT|RETURNING|FOR)\\b)"
        let mentions = sql.matches("\\b(FROM|JOIN|INTO|UPDATE|USING)\\s+(?:\(tables))\\b(?:\\s+\(words)(\\w+))?")
        guard !mentions.isEmpty else {
            self = .sharedTables
            return
        }
        let pinned = Self.pinnedAliases(sql, mentions.map { $0[2] }.filter { !$0.isEmpty })
        let bare = mentions.count { $0[1] != "INTO" && $0[2].isEmpty }
        let isPinned =
            mentions.allSatisfy { $0[2].isEmpty || pinned.contains($0[2]) }
            && sql.matches("(?<![.\\w])bucket = \\$\\d").count >= bare
        let insertsPinned = mentions.filter { $0[1] == "INTO" }.isEmpty || Self.insertedPartition(sql, pinned)
        self = isPinned && insertsPinned ? .onePartition : .severalPartitions
    }

    /// The aliases whose partition is a parameter, or equals the partition of such an alias.
    private static func pinnedAliases(_ sql: String, _ aliases: [String]) -> Set<String> {
        var pinned = Set(sql.matches("(\\w+)\\.bucket = \\$\\d").map { $0[1] })
        if sql.contains("USING (bucket)"), !pinned.isEmpty { pinned.formUnion(aliases) }
        let equal = sql.matches("(\\w+)\\.bucket = (\\w+)\\.bucket")
        for _ in equal {
            for pair in equal where pinned.contains(pair[1]) || pinned.contains(pair[2]) {
                pinned.formUnion([pair[1], pair[2]])
            }
        }
        return pinned
    }

    /// True if the partition of inserted rows is a parameter, or the partition of a pinned alias.
    private static func insertedPartition(_ sql: String, _ pinned: Set<String>) -> Bool {
        guard let insert = sql.matches("INTO \\w+\\(([^)]*)\\)\\s+(?:VALUES \\(|SELECT )(.*)").first else {
            return false
        }
        let place = insert[1].components(separatedBy: ", ").firstIndex(of: "bucket")
        let values = insert[2].components(separatedBy: ", ")
        guard let place, place < values.count else { return false }
        let value = values[place]
        return value.hasPrefix("$") || pinned.contains { value == "\($0).bucket" }
    }
}

extension String {
    /// The matches of a regular expression. Each has the whole match and the groups; a group that is absent is empty.
    fileprivate func matches(_ pattern: String) -> [[String]] {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return [] }
        return expression.matches(in: self, range: NSRange(startIndex..., in: self)).map { match in
            (0..<match.numberOfRanges).map { Range(match.range(at: $0), in: self).map { String(self[$0]) } ?? "" }
        }
    }
}
