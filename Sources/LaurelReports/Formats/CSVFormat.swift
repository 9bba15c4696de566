// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Writes one file per table (RFC 4180). The first line contains the columns' names. Values are the same in every
/// locale.
enum CSVFormat {
    /// - Parameter base: the beginning of the files' names.
    static func files(_ document: Document, base: String) -> [(name: String, content: String)] {
        var document = document
        return files(&document, base: base) { _ in true }
    }

    /// Files with the whole tables, for tables that a page shows only in part. References to the files are added to the
    /// document.
    static func tableFiles(_ document: inout Document, base: String) -> [(name: String, content: String)] {
        files(&document, base: base) { $0.show == .table && $0.table.rows.count > HTMLTable.mostRows }
    }

    private static func files(
        _ document: inout Document,
        base: String,
        _ isWanted: (Exhibit) -> Bool
    ) -> [(name: String, content: String)] {
        var files: [(String, String)] = []
        var number = 0
        for section in document.sections.indices {
            for index in document.sections[section].exhibits.indices {
                let exhibit = document.sections[section].exhibits[index]
                guard !exhibit.table.columns.isEmpty else { continue }
                number += 1
                guard isWanted(exhibit) else { continue }
                let title = FileName.slug(exhibit.name ?? exhibit.show.rawValue)
                let name = "\(base)-\(number < 10 ? "0" : "")\(number)-\(title).csv"
                document.sections[section].exhibits[index].tableFile = name
                files.append((name, text(exhibit.table)))
            }
        }
        return files
    }

    static func text(_ table: DataTable) -> String {
        let head = CSVRecord(texts: table.columns.map(\.name))
        let rows = table.rows.map { CSVRecord($0.map(cell)) }
        return ([head] + rows).map { "\($0)\r\n" }.joined()
    }

    private static func cell(_ cell: Cell) -> CSVRecord.Cell {
        switch cell {
        case .null: .null
        case .text(let text): .text(text)
        case .number(let number): .number(number)
        }
    }
}
