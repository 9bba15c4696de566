// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// Guesses a file's format, for a user who has named the wrong format.
package enum FormatGuess {
    /// A guess of the form "it looks like …: --format …"; nil if the file cannot be read, or if its format is unknown.
    /// - Parameter asked: the format that the user requested, and that the file does not have.
    package static func sentence(path: String?, asked: String) -> String? {
        guard let path, let source = try? FileSource(path: path) else { return nil }
        let unpacked = UnpackingSource(source)
        guard let start = try? unpacked.readPrefix(1 << 16) else { return nil }
        switch FileKind(start) {
        case .sqlite: return ofDatabase(path, asked)
        case .zip: return FileKind.isWorkbook(start) ? workbook : ofArchive(path, asked)
        case .text: return FileKind.isWorkbook(start) ? workbook : ofText(start, path, asked)
        }
    }

    /// The format that a file in memory has.
    package enum Found {
        case cloudEvents
        case kind(AdapterKind)
        /// No format reads the file. A mapping may be drafted for it.
        case unknown
    }

    /// Finds the format of a file in memory.
    /// - Throws: an error if no mapping can read such a file, or if the file must be unpacked first.
    package static func format(of bytes: [UInt8], name: String) throws -> Found {
        let kind: AdapterKind?
        switch FileKind(bytes) {
        case .zip: throw AdapterError(message: "\(name): it is a zip file; unpack it, and choose a file that was in it")
        case .sqlite: kind = Self.kind(ofDatabase: try tables(of: MemorySource(bytes, name: name), nil))
        case .text:
            let start = Array(bytes.prefix(TableDialect.sampleSize))
            if let columns = table(start) {
                kind = Self.kind(ofTable: columns)
            } else {
                let keys = topKeys(withoutListStart(start))
                if ["type", "subject", "time"].allSatisfy(keys.contains) { return .cloudEvents }
                kind = Self.kind(of: keys)
            }
        }
        return kind.map(Found.kind) ?? .unknown
    }

    /// Throws an error if a file in memory is a workbook.
    package static func refuseWorkbook(_ bytes: [UInt8], name: String) throws(AdapterError) {
        if FileKind.isWorkbook(bytes) { throw AdapterError(message: "\(name): \(workbook)") }
    }

    /// JSON text from its first object on.
    private static func withoutListStart(_ text: [UInt8]) -> [UInt8] {
        Array(text.drop { $0 <= 0x20 || $0 == UInt8(ascii: "[") || $0 >= 0xEF })
    }

    /// Throws an error if the input contains a database, an archive or records of another format instead of
    /// CloudEvents.
    package static func expectCloudEvents(_ batch: InputBatch) throws(AdapterError) {
        guard let record = batch.records.first else { return }
        let start = batch.bytes(of: record)
        switch FileKind(start) {
        case .sqlite: throw AdapterError(message: "it is a SQLite database")
        case .zip: throw AdapterError(message: "it is a zip file")
        case .text:
            let end = min(batch.records[batch.records.count - 1].range.upperBound, TableDialect.sampleSize)
            if table(batch.withBytes { Array($0[..<end]) }) != nil {
                throw AdapterError(message: "it is a table")
            }
            guard case .object(let members)? = JSONTree(validated: start) else { return }
            let keys = members.map { String(decoding: $0.key, as: UTF8.self) }
            // If the input contains events, even invalid ones, each gets its own message.
            guard !["type", "specversion", "subject"].contains(where: keys.contains) else { return }
            if kind(of: keys) != nil { throw AdapterError(message: "its records have no type, subject and time") }
        }
    }

    /// The message about a workbook, which no format reads.
    static let workbook = "it is a workbook; save its sheet as CSV in the spreadsheet program, and choose the CSV file"

    /// Advice on the format of a file; empty if the file has the requested format.
    private static func advice(_ kind: AdapterKind?, _ asked: String) -> String {
        guard let kind else { return "; no format reads it (`laurel formats`); a mapping of your own may" }
        return kind.name == asked ? "" : "; --format \(kind.name) reads it"
    }

    /// The first names of a list, as text.
    private static func shown(_ names: [String], limit: Int) -> String {
        names.prefix(limit).joined(separator: ", ") + (names.count > limit ? ", …" : "")
    }

    private static func ofDatabase(_ path: String, _ asked: String) -> String? {
        guard let source = try? FileSource(path: path), let tables = try? tables(of: UnpackingSource(source), path)
        else {
            return "it is a damaged SQLite database"
        }
        let kind = kind(ofDatabase: tables)
        // The file has the requested format. So it was refused for another reason.
        if kind?.name == asked { return nil }
        let what = tables.contains("Z_METADATA") ? "a Core Data store" : "a SQLite database"
        let own = tables.filter { !["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"].contains($0) }
        let holding = own.isEmpty ? "without tables" : "with the tables \(shown(own, limit: 8))"
        return "it looks like \(what) \(holding)\(advice(kind, asked))"
    }

    private static func ofArchive(_ path: String, _ asked: String) -> String? {
        guard let members = try? ZipArchive(path: path, name: path).members() else { return "it is a damaged zip file" }
        let kind = Adapters.all.first { !($0.mapping?.members ?? []).allSatisfy { !members.contains($0) } }
        let holding = members.isEmpty ? "without files" : "with \(shown(members, limit: 4))"
        return "it looks like a zip file \(holding)\(advice(kind, asked))"
    }

    private static func ofText(_ start: [UInt8], _ path: String, _ asked: String) -> String? {
        let text = withoutListStart(start)
        guard text.first == UInt8(ascii: "{") else {
            guard let columns = table(start) else { return nil }
            let kind = kind(ofTable: columns)
            if columns.contains("card_id") { return "it looks like a table of reviews\(advice(kind, asked))" }
            if kind?.name == asked { return nil }
            return "it looks like a table with the columns \(shown(columns, limit: 6))"
                + (kind.map { advice($0, asked) } ?? "; `laurel formats draft \(path)` writes a first mapping")
        }
        let keys = topKeys(text)
        if ["type", "subject", "time"].allSatisfy(keys.contains) {
            return "it looks like CloudEvents; leave out --format"
        }
        let kind = kind(of: keys)
        if kind?.name == asked { return nil }
        return "it looks like JSON with \(shown(keys, limit: 6))\(advice(kind, asked))"
    }

    /// The columns of a table; nil if the text is not a table. A table has several columns, and most of its rows have as
    /// many cells as the header.
    private static func table(_ start: [UInt8]) -> [String]? {
        // Text that begins like JSON is JSON, even if it has a mistake.
        guard let first = start.first(where: { $0 > 0x20 }), !"{[".utf8.contains(first),
            var reader = try? TableReader(MemorySource(start, name: ""), TableSettings()), reader.columns.count > 1
        else { return nil }
        var (rows, refused) = (0, 0)
        while rows < 50, let row = try? reader.next() {
            rows += 1
            if case .failure = row.outcome { refused += 1 }
        }
        return rows > 0 && 2 * refused <= rows ? reader.columns : nil
    }

    private static func tables(of source: any ByteSource, _ path: String?) throws -> [String] {
        try SourceFile.database(source, path: path, members: [])?.tables() ?? []
    }

    /// The format whose identifying tables a database has; nil if there is none.
    private static func kind(ofDatabase tables: [String]) -> AdapterKind? {
        Adapters.all.first { kind in
            guard let mapping = kind.mapping, mapping.reads == .sqlite else { return false }
            return mapping.marks.allSatisfy(tables.contains)
        }
    }

    /// The format whose identifying columns a table has; nil if there is none.
    private static func kind(ofTable columns: [String]) -> AdapterKind? {
        if columns.contains("card_id") { return Adapters.kind(named: "fsrs-csv") }
        let known = Set(columns.map { $0.lowercased() })
        return Adapters.all.first { kind in
            guard let mapping = kind.mapping, mapping.reads == .table, !mapping.marks.isEmpty else { return false }
            return mapping.marks.allSatisfy { known.contains($0.lowercased()) }
        }
    }

    /// The format whose identifying keys are in a JSON record; nil if there is none.
    private static func kind(of keys: [String]) -> AdapterKind? {
        Adapters.all.first { kind in
            // A format without identifying keys would match every file.
            guard let mapping = kind.mapping, !mapping.marks.isEmpty else { return false }
            switch mapping.reads {
            case .sqlite, .table: return false
            case .records: return mapping.marks.allSatisfy(keys.contains)
            case .document: return mapping.marks.contains(where: keys.contains)
            }
        }
            ?? Adapters.all.first { kind in
                // Many documents have one of these keys at the top, and their identifying keys deeper inside.
                kind.mapping?.reads == .document
                    && ["vocabulary", "progress", "sessions"].contains(where: keys.contains)
            }
    }

    /// The keys of the outermost object. The text may end before the object does.
    private static func topKeys(_ text: [UInt8]) -> [String] {
        var keys: [String] = []
        var depth = 0
        var position = 0
        while position < text.count {
            switch text[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return keys }
            case UInt8(ascii: "\""):
                let start = position + 1
                position = start
                while position < text.count, text[position] != UInt8(ascii: "\"") {
                    position += text[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard position < text.count else { return keys }
                let rest = text[(position + 1)...].prefix(8).drop { $0 <= 0x20 }
                if depth == 1, rest.first == UInt8(ascii: ":") {
                    keys.append(String(decoding: text[start..<position], as: UTF8.self))
                }
            default: break
            }
            position += 1
        }
        return keys
    }
}
