// SPDX-License-Identifier: Apache-2.0

internal import LaurelProgress

/// A cache of codes for names that repeat in many rows. The cache is valid until another process may have written.
struct NameCodes {
    private var languages: [SpelledName: Int64] = [:]
    private var achievements: [SpelledName: Int64] = [:]

    /// The code of a language; 0 for nil, the overall track.
    mutating func languageCode(_ tag: String?, _ tables: any PartitionTables) throws -> Int64 {
        guard let tag else { return 0 }
        return try languages[SpelledName(name: tag)] ?? codes(of: [tag], in: .languages, tables)[0]
    }

    mutating func codes(of names: [String], in table: NameTable, _ tables: any PartitionTables) throws -> [Int64] {
        switch table {
        case .languages: try NameCodes.codes(of: names, in: table, tables, &languages)
        case .achievements: try NameCodes.codes(of: names, in: table, tables, &achievements)
        }
    }

    private static func codes(
        of names: [String],
        in table: NameTable,
        _ tables: any PartitionTables,
        _ known: inout [SpelledName: Int64]
    ) throws -> [Int64] {
        let names = names.map(SpelledName.init)
        let found = names.map { known[$0] }
        let unknown = zip(names, found).filter { $0.1 == nil }.map(\.0)
        guard !unknown.isEmpty else { return found.map { $0! } }
        for (name, code) in zip(unknown, try tables.codes(of: unknown.map { Array($0.name.utf8) }, in: table)) {
            known[name] = code
        }
        return names.map { known[$0]! }
    }

    mutating func removeAll() {
        languages.removeAll()
        achievements.removeAll()
    }
}

/// A name that equals only names with the same bytes. Swift's strings with different Unicode spellings may be equal.
private struct SpelledName: Hashable {
    var name: String

    static func == (one: SpelledName, other: SpelledName) -> Bool { one.name.hasSameBytes(as: other.name) }

    func hash(into hasher: inout Hasher) {
        var name = name
        name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
