// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

/// A statement on rows that are passed as parameters, in three forms. Each call uses the fastest form.
///
/// For a single row, the parameters are its values; for several rows, they are one array for each column. If all rows
/// are in one partition, a form that names the partition saves the server some planning. The templates call the
/// passed rows `q` and the relation's rows `r`.
struct RowStatement: Sendable {
    let relation: Relation
    /// The columns of the passed rows, with their types. The first column is the partition, or an id with the partition
    /// in its upper half.
    private let given: [(name: String, type: ValueType)]
    /// The statement for one row.
    let one: String
    /// The statement for several rows of one partition.
    let ofPartition: String
    /// The statement for rows of several partitions.
    let ofAny: String

    var isOfEdition: Bool { relation.scope == .edition }
    private var isPartitionGiven: Bool { given[0].name == "bucket" }

    /// The parts of a statement that differ between its forms.
    private struct Form {
        /// The number of the parameter that has the first column.
        let first: Int
        let bucket: String
        let edition: String
        let given: [(name: String, type: ValueType)]
        let isOne: Bool
        /// True if all rows are in one partition, which is a parameter.
        var isOfPartition: Bool { !isOne && bucket == "$1" }

        /// The passed rows as a table in SQL.
        func rows(_ columns: String = "") -> String {
            let arrays = given.enumerated().map { "$\(first + $0)::\($1.type.name)[]" }
            let names = given.map(\.name).joined(separator: ", ")
            return "unnest(\(arrays.joined(separator: ", ")))\(columns.isEmpty ? "" : " WITH ORDINALITY")"
                + " q(\(names)\(columns))"
        }

        func value(_ place: Int) -> String { isOne ? "$\(first + place)" : "q.\(given[place].name)" }

        /// A template, completed for this form.
        func filled(_ template: String) -> String {
            guard isOne else { return template }
            let longestFirst = given.indices.sorted { given[$0].name.utf8.count > given[$1].name.utf8.count }
            return longestFirst.reduce(template) { $0.replacing("q.\(given[$1].name)", with: value($1)) }
        }
    }

    private init(_ relation: Relation, given names: [String], _ text: (Form) -> String) {
        self.relation = relation
        let given = names.map { name in (name, relation.columns.first { $0.name == name }?.valueType ?? .int8) }
        self.given = given
        let first = relation.scope == .edition ? 2 : 1
        let key = names[0] == "bucket" ? "q.bucket::int" : "(q.\(names[0]) >> 32)::int"
        func form(_ bucket: String?, isOne: Bool) -> String {
            let edition = bucket == nil ? "$1" : "$2"
            return text(
                Form(
                    first: bucket == nil ? first : first + 1,
                    bucket: bucket ?? key,
                    edition: edition,
                    given: isOne && names[0] == "bucket" ? Array(given.dropFirst()) : given,
                    isOne: isOne
                )
            )
        }
        (one, ofPartition, ofAny) = (form("$1", isOne: true), form("$1", isOne: false), form(nil, isOne: false))
    }

    // MARK: Kinds

    /// Inserts rows.
    /// - Parameters:
    ///   - names: the columns; nil for all.
    ///   - conflict: the `ON CONFLICT` clause for rows whose keys exist; empty if there are no such rows.
    static func insert(_ relation: Relation, _ names: [String]? = nil, onConflict conflict: String = "") -> RowStatement
    {
        let names = names ?? relation.columns.map(\.name)
        let isOfEdition = relation.scope == .edition
        return RowStatement(relation, given: names) { form in
            let bucket = form.isOfPartition ? "b.bucket" : form.bucket
            let values = ([form.edition].filter { _ in isOfEdition } + [bucket] + names.indices.map(form.value))
                .joined(separator: ", ")
            let columns = ((isOfEdition ? ["edition"] : []) + ["bucket"] + names).joined(separator: ", ")
            // The partition comes from its row, because then Citus inserts the rows on the server of the partition.
            let source =
                form.isOne
                ? "VALUES (\(values))"
                : form.isOfPartition
                    ? "SELECT \(values) FROM buckets b CROSS JOIN \(form.rows()) WHERE b.bucket = \(form.bucket)"
                    : "SELECT \(values) FROM \(form.rows())"
            return "INSERT INTO \(relation.name)(\(columns)) \(source)\(conflict)"
        }
    }

    /// Writes rows, and replaces rows that have the same keys.
    static func put(_ relation: Relation) -> RowStatement {
        let others = relation.columns.dropFirst(relation.keyCount).map { "\($0.name) = EXCLUDED.\($0.name)" }
        return insert(
            relation,
            onConflict: " ON CONFLICT (\(relation.wholeKey)) DO UPDATE SET \(others.joined(separator: ", "))"
        )
    }

    static func delete(_ relation: Relation, by names: [String]? = nil) -> RowStatement {
        let names = names ?? relation.key.map(\.name)
        return RowStatement(relation, given: names) { form in
            "DELETE FROM \(relation.name) r \(form.isOne ? "" : "USING \(form.rows()) ")"
                + "WHERE \(place(relation, form, names))"
        }
    }

    /// Updates rows.
    /// - Parameters:
    ///   - key: the column that selects the rows.
    ///   - names: the further columns that `change` and `condition` need.
    ///   - change: a template for the assignments after `SET`.
    ///   - condition: a template for a further condition; nil for none.
    static func update(
        _ relation: Relation,
        by key: String,
        _ names: [String],
        set change: String,
        where condition: String? = nil
    ) -> RowStatement {
        RowStatement(relation, given: [key] + names) { form in
            "UPDATE \(relation.name) r SET \(form.filled(change))\(form.isOne ? "" : " FROM \(form.rows())")"
                + " WHERE \(place(relation, form, [key]))\(condition.map { " AND " + form.filled($0) } ?? "")"
        }
    }

    /// Selects rows. Each result has the number of its passed row, from 1, and the selected expressions.
    /// - Parameters:
    ///   - columns: a template for the expressions.
    ///   - key: the columns whose values the passed rows give.
    ///   - names: further columns that are passed.
    ///   - join: the SQL of a join with another table; empty for none.
    ///   - condition: a template for a further condition; nil for none.
    ///   - order: the order of the results for one passed row, by names of expressions.
    ///   - isFirst: true to select only the first result for each passed row.
    static func select(
        _ columns: String,
        from relation: Relation,
        by key: [String],
        _ names: [String] = [],
        join: String = "",
        where condition: String? = nil,
        order: String = "",
        isFirst: Bool = false
    ) -> RowStatement {
        RowStatement(relation, given: key + names) { form in
            let source =
                "FROM \(relation.name) r\(join)"
                + " WHERE \(place(relation, form, key))\(condition.map { " AND " + form.filled($0) } ?? "")"
            let first = isFirst ? " ORDER BY \(order) LIMIT 1" : ""
            let columns = form.filled(columns)
            guard !form.isOne else {
                let order = isFirst || order.isEmpty ? first : " ORDER BY \(order)"
                return "SELECT 1::bigint AS place, \(columns) \(source)\(order)"
            }
            return
                "SELECT q.place, a.* FROM \(form.rows(", place")) CROSS JOIN LATERAL (SELECT \(columns) \(source)\(first)) a"
                + (isFirst || order.isEmpty ? "" : " ORDER BY q.place, \(order)")
        }
    }

    private static func place(_ relation: Relation, _ form: Form, _ names: [String]) -> String {
        let edition = relation.scope == .edition ? "r.edition = \(form.edition) AND " : ""
        let key = names.filter { $0 != "bucket" }.map { " AND r.\($0) = " + form.filled("q.\($0)") }
        return "\(edition)r.bucket = \(form.bucket)\(key.joined())"
    }

    // MARK: Parameters

    /// The partition of a row.
    func partition(_ rows: TableRows, _ row: Int) -> Int64 {
        isPartitionGiven ? rows.integer(row, 0) : rows.integer(row, 0) >> 32
    }

    /// A form of the statement, with the parameters for some of the passed rows.
    struct Call {
        /// The index of the first of these rows.
        let first: Int
        let sql: String
        let parameters: [Parameter]
    }

    /// The fastest calls of the statement for some rows.
    /// - Parameters:
    ///   - rows: rows with the given columns.
    ///   - edition: the edition. It is ignored if the relation's rows have no edition.
    ///   - separatesPartitions: true if each call may concern only one partition.
    ///   - mostSingle: up to this number, each row is a call of its own.
    func calls(_ rows: TableRows, _ edition: Int64, separatesPartitions: Bool, mostSingle: Int) -> [Call] {
        let all = 0..<rows.count
        let parts = separatesPartitions ? all.runs { partition(rows, $0) == partition(rows, $1) } : [all]
        return parts.flatMap { part in
            part.count <= mostSingle ? part.map { call(rows, row: $0, edition) } : [call(rows, part, edition)]
        }
    }

    private func call(_ rows: TableRows, _ part: Range<Int>, _ edition: Int64) -> Call {
        let partition = partition(rows, part.lowerBound)
        let isOfOne = part.allSatisfy { self.partition(rows, $0) == partition }
        let lists = given.indices.map { rows.list($0, given[$0].type, part) }
        return Call(
            first: part.lowerBound,
            sql: isOfOne ? ofPartition : ofAny,
            parameters: head(isOfOne ? partition : nil, edition) + lists
        )
    }

    private func call(_ rows: TableRows, row: Int, _ edition: Int64) -> Call {
        let values = given.indices.dropFirst(isPartitionGiven ? 1 : 0).map { rows.parameter(row, $0, given[$0].type) }
        return Call(first: row, sql: one, parameters: head(partition(rows, row), edition) + values)
    }

    private func head(_ partition: Int64?, _ edition: Int64) -> [Parameter] {
        (partition.map { [.integer($0)] } ?? []) + (isOfEdition ? [.integer(edition)] : [])
    }
}

extension Range<Int> {
    /// Divides the range where two neighbours differ.
    func runs(_ areEqual: (Int, Int) -> Bool) -> [Range<Int>] {
        guard !isEmpty else { return [] }
        let starts = [lowerBound] + dropFirst().filter { !areEqual($0 - 1, $0) }
        return zip(starts, starts.dropFirst() + [upperBound]).map { $0..<$1 }
    }
}

extension ValueType {
    /// The type's name in SQL.
    var name: String {
        switch self {
        case .bool: "boolean"
        case .int8: "bigint"
        default: "\(self)"
        }
    }
}

extension Relation {
    /// The names of all columns of the key.
    var wholeKey: String { (scope == .edition ? "edition, " : "") + "bucket, " + key.names() }
}

extension TableRows {
    /// The values of a column in some rows as an array.
    fileprivate func list(_ column: Int, _ type: ValueType, _ rows: Range<Int>) -> Parameter {
        var list = ParameterList(type)
        for row in rows {
            if isNull(row, column) {
                list.appendNull()
            } else {
                switch type {
                case .bool: list.append(integer(row, column) != 0)
                case .float8: list.append(real(row, column))
                case .text: list.append(StoredText.stored(Array(text(row, column))))
                case .bytea: list.append(text(row, column))
                case .int8: list.append(integer(row, column))
                }
            }
        }
        return .list(list)
    }

    fileprivate func parameter(_ row: Int, _ column: Int, _ type: ValueType) -> Parameter {
        let isNull = isNull(row, column)
        return switch type {
        case .bool: .truth(integer(row, column) != 0)
        case .float8: .real(isNull ? nil : real(row, column))
        case .text: .stored(isNull ? nil : Array(text(row, column)))
        case .bytea: .bytes(isNull ? nil : Array(text(row, column)))
        case .int8: .integer(isNull ? nil : integer(row, column))
        }
    }
}
