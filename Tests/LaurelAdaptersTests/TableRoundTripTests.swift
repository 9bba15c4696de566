// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import SeededRandom
import Testing

@testable import LaurelAdapters

/// Tables that Python's module `csv` writes.
@Suite struct TableRoundTripTests {
    private static let pieces = [
        "a", "ñ", "語", "😀", " ", ",", ";", "\t", "\"", "\"\"", "\n", "\r\n", "'", "|", "1,5", "=",
    ]

    /// Random rows. No row is empty, because a table's reader skips empty rows.
    private func rows(_ random: inout SeededGenerator) -> [[String]] {
        let columns = Int.random(in: 2...5, using: &random)
        return (0..<Int.random(in: 1...30, using: &random)).map { row in
            (0..<columns).map { column in
                let text = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    Self.pieces.randomElement(using: &random)!
                }
                return column == 0 ? "\(row)" : text.joined()
            }
        }
    }

    /// Python writes each table with each separator and quoting, in UTF-8 and UTF-16.
    private static let script = """
        import csv, io, json, sys
        for table in json.load(sys.stdin):
            for separator in ',;\\t|':
                for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC):
                    for encoding in ('utf-8', 'utf-8-sig', 'utf-16'):
                        text = io.StringIO(newline='')
                        csv.writer(text, delimiter=separator, quoting=quoting).writerows(table)
                        print(text.getvalue().encode(encoding).hex())
        """

    @Test(arguments: [1, 2, 3] as [UInt64]) func `are read as Python reads them`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let tables = (0..<20).map { _ in rows(&random) }
        let lines = try python(Self.script, input: JSONEncoder().encode(tables)).split(separator: "\n")
        try #require(lines.count == tables.count * 4 * 3 * 3)
        for (index, line) in lines.enumerated() {
            let table = tables[index / 36]
            var settings = TableSettings()
            settings.columns = table[0].indices.map { "c\($0)" }
            settings.separator = Array(",;\t|".utf8)[index / 9 % 4]
            #expect(try read(bytes(of: line), settings) == table, "seed \(seed), table \(index)")
        }
    }

    private func read(_ bytes: [UInt8], _ settings: TableSettings) throws -> [[String]] {
        var reader = try TableReader(MemorySource(bytes, name: "table"), settings)
        var rows: [[String]] = []
        while let row = try reader.next() {
            let members = try #require(JSONValue(validated: try row.outcome.get()))
            guard case .object(let cells) = members else { continue }
            rows.append(
                settings.columns.map { name in
                    if case .string(let text)? = cells[name] { text } else { "" }
                }
            )
        }
        return rows
    }

    private func bytes(of line: Substring) -> [UInt8] {
        let digits = Array(line.utf8).map { $0 < 58 ? $0 - 48 : $0 - 87 }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private func python(_ script: String, input: Data) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-tables-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "tables.json")
        try input.write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: bytes, as: UTF8.self)
    }
}
