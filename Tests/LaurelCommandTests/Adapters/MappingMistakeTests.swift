// SPDX-License-Identifier: Apache-2.0

import Testing

/// Mistakes in a mapping that only a file reveals.
@Suite struct MappingMistakeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let query: String
        let told: String
    }

    @Test(arguments: [
        Row(
            testDescription: "a table",
            query: "SELECT id, seen AS time, id AS subject\n      FROM Studnt",
            told: "school.yaml:9: lines: no such table: Studnt; did you mean Student?"
        ),
        Row(
            testDescription: "a column",
            query: "SELECT id, sen AS time, id AS subject\n      FROM Student",
            told: "school.yaml:8: lines: no such column: sen; did you mean seen?"
        ),
        Row(
            testDescription: "a column of a table with a short name",
            query: "SELECT s.id, s.seen AS time,\n        s.idd AS subject\n      FROM Student AS s",
            told: "school.yaml:9: lines: no such column: s.idd; did you mean id?"
        ),
    ])
    func `are told with file and line, and the name that was meant`(row: Row) throws {
        let laurel = try Laurel()
        try laurel.write(
            """
            version: 1
            name: school
            reads: sqlite
            events:
              - what: lines
                type: line.spoken
                sql: |
                  \(row.query.replacing("\n      ", with: "\n      "))

            """,
            to: "school.yaml"
        )
        #expect(try laurel.shell("sqlite3 school.sqlite 'CREATE TABLE Student(id TEXT, seen TEXT)'").status == 0)
        let outcome = try laurel.shell("laurel ingest --mapping school.yaml school.sqlite")
        #expect(outcome.status != 0 && "\(outcome)".contains(row.told), "\(outcome)")
    }
}
