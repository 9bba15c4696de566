// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelReports
import LaurelResults

extension Command {
    static let tables = Command(
        "tables",
        "Writes the words, reviews and sessions of all learners into tables for SQL",
        details: """
            FILE is an SQLite database, which sqlite3, DuckDB and many other programs read. It can
            also be an address, postgresql://…: then psql reads the tables in the database's schema
            `laurel_tables`, or, with `schema=NAME` in the address, `NAME_tables`. If there are
            tables already, only the rows of learners who changed since then are replaced. An
            erasure or other rules make all rows anew. Without TABLE, it makes all tables.
            docs/reports.md describes the columns.
            """,
        operand: Operand(
            "TABLE",
            .any,
            "tables to add: words, sessions or reviews",
            completes: .words(TableFile.tableNames)
        ),
        options: .reading + [TablesCommand.into, .mode],
        example: "laurel tables words reviews --into tables.db"
    ) { try TablesCommand(arguments: $0, console: $1).run() }
}

private struct TablesCommand {
    static let into = CommandOption("into", "FILE", "the file, which is made if it is missing, or postgresql://…")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        guard let path = arguments.text(Self.into) else {
            throw UsageError("tables: name a file with --into", command: arguments.command)
        }
        let file = TableFile(path, permissions: try arguments.mode(ofCopyOf: path))
        let instant = try arguments.at()
        let engine = try arguments.openForReading()
        let report = try console.withProgress("learners") { line in
            try file.update(
                from: engine,
                of: StoreLocation(arguments.store),
                tables: arguments.operands,
                at: instant
            ) { line.show($0, share: Double($0) / Double(max(1, $1))) }
        }
        if arguments.has(.json) {
            try console.output.writeJSON(report)
        } else {
            for table in report.tables {
                try console.output.writeLine(table.name.padded(toCells: 10) + Numbers.count(table.rows, "row"))
            }
        }
        try console.output.flush()
        let learners = Numbers.count(report.learners, "learner")
        let place = StoreLocation(path)
        console.message(report.isNew ? "made \(place) of \(learners)" : "brought \(learners) up to date in \(place)")
        return .done
    }
}
