// SPDX-License-Identifier: Apache-2.0

/// The tables in which Core Data stores many-to-many relationships.
///
/// The name of such a table is `Z_<n><NAME>`, derived from one side of the relationship. The names of its columns have
/// the same form. In a column's name, n is the number of the entity that the column refers to, and NAME is the
/// relationship with that entity. The compiler of the data model numbers the entities; `Z_PRIMARYKEY` contains the
/// numbers. For example, the relationship `tags` from entity 3 to entity 7 is stored in a column `Z_7TAGS` beside a
/// column `Z_3…`.
enum CoreDataLinks {
    /// - Parameter relationship: the name of the relationship in capital letters.
    static func pairs(
        _ entity: String,
        _ relationship: String,
        in database: SourceDatabase
    ) throws(SQLError) -> SQLValue? {
        let number = try database.value("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = :name", ["name": entity])
        for table in try database.tables() where Column(table) != nil {
            let columns = try columns(of: table, in: database)
            guard let other = columns.first(where: { $0.name == relationship }),
                let own = columns.first(where: { $0 != other && .integer($0.number) == number })
            else { continue }
            return try database.value(
                "SELECT json_group_array(json_array(\"\(own)\", \"\(other)\")) FROM main.\"\(table)\""
            )
        }
        return nil
    }

    private static func columns(of table: String, in database: SourceDatabase) throws(SQLError) -> [Column] {
        let statement = try database.prepare("SELECT name FROM pragma_table_info(:table)")
        statement.bind(["table": table])
        var columns: [Column] = []
        while try statement.step() {
            let name = String(decoding: statement.value(0).bytes ?? [], as: UTF8.self)
            if let column = Column(name) { columns.append(column) }
        }
        return columns
    }

    /// A column such as `Z_7TAGS`. The name contains no character that must be escaped inside quotes.
    private struct Column: Equatable, CustomStringConvertible {
        let number: Int64
        let name: String

        init?(_ text: String) {
            guard text.hasPrefix("Z_") else { return nil }
            let digits = text.dropFirst(2).prefix { ("0"..."9").contains($0) }
            guard let number = Int64(digits), !text.contains("\"") else { return nil }
            (self.number, name) = (number, String(text.dropFirst(2 + digits.count)))
        }

        var description: String { "Z_\(number)\(name)" }
    }
}
