// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The compression of a file, detected from its first bytes.
enum FileKind {
    case sqlite, zip, text

    init(_ start: some Collection<UInt8>) {
        if start.starts(with: "SQLite format 3\0".utf8) {
            self = .sqlite
        } else if start.starts(with: [0x50, 0x4B, 0x03, 0x04]) || start.starts(with: [0x50, 0x4B, 0x05, 0x06]) {
            self = .zip
        } else {
            self = .text
        }
    }

    /// True for a workbook of Excel, LibreOffice or Numbers. Workbooks are zip files, except old workbooks of Excel.
    /// - Parameter bytes: the file, or its beginning.
    static func isWorkbook(_ bytes: some Collection<UInt8>) -> Bool {
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) { return true }
        guard FileKind(bytes) == .zip else { return false }
        // A zip file contains each member's name, uncompressed, before the member.
        let start = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
        return workbookParts.contains { start.utf8.contains($0.utf8) }
    }

    private static let workbookParts = [
        "xl/workbook", "xl/worksheets/", "xl/_rels/", "xl/theme/", "Index/Tables/",
        "application/vnd.oasis.opendocument.spreadsheet",
    ]
}

/// Finds the database in a file: the file itself, the decompressed file, or a member of a zip file.
enum SourceFile {
    /// The limits of a decompressed file: the size in bytes that is always allowed, the maximum ratio of decompressed
    /// to compressed size, and the maximum size. The ratio applies only to files larger than the first size.
    private static let (smallest, ratio, largest) = (Int64(64 << 20), Int64(200), Int64(16 << 30))

    /// Opens the database in a file.
    /// - Parameters:
    ///   - source: the decompressed file, positioned at its start.
    ///   - path: the path of the file; nil if the input is not a file.
    ///   - members: the names that the database may have in a zip file, in order of preference.
    ///   - seconds: the maximum time that SQLite may take to read the file.
    /// - Returns: the database; nil if the file contains none.
    static func database(
        _ source: any ByteSource,
        path: String?,
        members: [String],
        seconds: Double = FileBounds.seconds
    ) throws -> SourceDatabase? {
        let folder = try ScratchFolder()
        defer { folder.remove() }
        let start = try source.readPrefix(16)
        let isPacked = path.map { (try? FileSource(path: $0).readPrefix(16)) != start } ?? true
        let limit = allowance(source.total)
        switch FileKind(start) {
        case .text:
            guard !start.isEmpty else { throw AdapterError(message: "it is empty") }
            return nil
        case .sqlite:
            let copy =
                try isPacked
                ? folder.spool(source, startingWith: start, limit: limit, to: "copy")
                : LiveCopy.make(of: path!, in: folder)
            return try open(copy, source.name, seconds)
        case .zip:
            guard !members.isEmpty else { return nil }
            let file = try isPacked ? folder.spool(source, startingWith: start, limit: limit, to: "zip") : path!
            let archive = try ZipArchive(path: file, name: source.name)
            for name in members {
                guard let member = try archive.member(name) else { continue }
                let unpacked = UnpackingSource(member)
                return try open(folder.spool(unpacked, limit: limit, to: "member"), source.name, seconds, member: name)
            }
            return nil
        }
    }

    /// The maximum decompressed size for a compressed size, in bytes. Collections typically shrink to a tenth, rarely
    /// to a fiftieth. Decompression bombs shrink to a thousandth.
    private static func allowance(_ size: Int64?) -> Int64 {
        min(largest, smallest + (size.map { min($0, largest) } ?? largest / ratio) * ratio)
    }

    /// Opens a private copy. The copy's files may be removed after this call.
    private static func open(
        _ path: String,
        _ name: String,
        _ seconds: Double,
        member: String? = nil
    ) throws -> SourceDatabase {
        do {
            let database = try SourceDatabase(path: path, seconds: seconds)
            // The query also reads the log, so all files that SQLite needs are open after it.
            _ = try database.value("SELECT count(*) FROM sqlite_schema")
            return database
        } catch {
            throw InputError(
                code: .damaged,
                file: name,
                byte: 0,
                message: "\(member.map { "\($0) in it " } ?? "")cannot be read as a SQLite database: \(error.message)"
            )
        }
    }
}
