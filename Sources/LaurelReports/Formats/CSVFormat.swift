// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A file per table, RFC 4180 with names in the first line: values as they are, whatever the locale.
enum CSVFormat {
    static func files(_ document: Document) -> [(suffix: String, content: String)] {
        var files: [(String, String)] = []
        for exhibit in document.sections.flatMap(\.exhibits) where !exhibit.table.columns.isEmpty {
            let number = files.count + 1
            let title = exhibit.name ?? exhibit.show.rawValue
            let suffix = "-\(number < 10 ? "0" : "")\(number)-\(FileName.slug(title)).csv"
            files.append((suffix, text(exhibit.table)))
        }
        return files
    }

    private static func text(_ table: DataTable) -> String {
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
