// SPDX-License-Identifier: Apache-2.0

/// The tables in which Core Data keeps many-to-many relationships.
///
/// Such a table is called `Z_<n><NAME>` after either side. Its columns are also called `Z_<n><NAME>`. There n is the
/// number of the entity in the column's rows, and NAME is the relationship that leads to them. The model's compiler
/// numbers the entities; `Z_PRIMARYKEY` has the numbers. So `tags` of entity 3 to entity 7 is a column `Z_7TAGS` beside
/// one `Z_3…`.
enum CoreDataLinks {
    /// - Parameter relationship: its name in capitals.
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

    /// A column such as `Z_7TAGS`, whose name needs no escapes within quotes.
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
