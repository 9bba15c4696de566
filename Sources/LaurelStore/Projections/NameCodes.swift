// SPDX-License-Identifier: Apache-2.0

/// Codes of names that repeat in many rows, remembered until somebody else may have written.
struct NameCodes {
    private var codes: [NameTable: [[UInt8]: Int64]] = [:]

    /// 0 for nil, the overall track.
    mutating func languageCode(_ tag: String?, _ tables: any PartitionTables) throws -> Int64 {
        try tag.map { try codes(of: [$0], in: .languages, tables)[0] } ?? 0
    }

    mutating func codes(of names: [String], in table: NameTable, _ tables: any PartitionTables) throws -> [Int64] {
        // Bytes, for Swift takes texts for equal that are spelled differently in Unicode.
        let keys = names.map { Array($0.utf8) }
        let unknown = keys.filter { codes[table]?[$0] == nil }
        if !unknown.isEmpty {
            for (key, code) in zip(unknown, try tables.codes(of: unknown, in: table)) {
                codes[table, default: [:]][key] = code
            }
        }
        return keys.map { codes[table]![$0]! }
    }

    mutating func removeAll() { codes.removeAll() }
}
