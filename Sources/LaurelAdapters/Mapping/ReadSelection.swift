// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

/// The selection of an entry: records, and elements of lists in them.
struct Selection {
    /// The joins that are needed to check expressions: those of all `values`, and the entry's own.
    var joins: [String]
    var ownJoins: [String] { Array(joins[valueCount...]) }
    var valueCount: Int
    /// The entry's conditions, without the condition on the kind of record.
    var conditions: [String]
    var kinds: [String]
    /// True if the entry selects the records of all kinds that no entry names.
    var readsUnnamedKinds: Bool

    /// The SQL conditions of the entry.
    /// - Parameter others: the condition that selects records of kinds that no entry names.
    func condition(_ others: String) -> String {
        var all = conditions
        if readsUnnamedKinds { all.append(others) }
        if !kinds.isEmpty { all.append("record.kind IN (\(kinds.map(MappingLoader.quoted).joined(separator: ", ")))") }
        all.removeAll { $0.isEmpty }
        return all.isEmpty ? "true" : all.map { "(\($0))" }.joined(separator: " AND ")
    }
}

extension MappingLoader {
    /// Reads `of`, `each` and `when`.
    mutating func selection(_ entry: Section) -> Selection? {
        var selection = Selection(
            joins: values.map(\.join),
            valueCount: values.count,
            conditions: [],
            kinds: [],
            readsUnnamedKinds: false
        )
        if let node = entry["of"] {
            for item in oneOrMore(node, "`of`") {
                guard let kind = text(item, "`of`") else { continue }
                if kind == "*" { selection.readsUnnamedKinds = true } else { selection.kinds.append(kind) }
            }
            if result.recordKind == nil {
                report(node.offset, "`of` needs `kind` at the top, which says of what kind a record is")
            }
        }
        result.namedKinds += selection.kinds
        if selection.readsUnnamedKinds { result.readsUnnamedKinds = true }
        if let from = entry["from"].flatMap({ text($0, "`from`") }) { selection.joins.append(from) }
        guard readEach(entry["each"], joins: &selection.joins) else { return nil }
        if let node = entry["when"] {
            guard let when = expression(node, "`when`", joins: selection.joins) else { return nil }
            selection.conditions.append(when.sql)
        }
        return selection
    }

    /// The SQL condition that selects records of kinds that no entry names.
    var isUnnamed: String {
        result.namedKinds.isEmpty
            ? "true"
            : "record.kind IS NULL OR record.kind NOT IN (\(result.namedKinds.map(Self.quoted).joined(separator: ", ")))"
    }

    static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    mutating func readOmissions(_ node: YAMLNode?) {
        for item in list(node, "`left_out`") {
            guard let entry = section(item, .omission),
                let what = required(entry, "what").flatMap({ nonEmptyText($0, "`what`") }),
                let why = required(entry, "why").flatMap({ text($0, "`why`") })
            else { continue }
            entryName = what
            defer { entryName = nil }
            usedNames = []
            var omission = Mapping.Omission(what: what, why: why, sql: nil, isOptional: false)
            omission.isOptional = entry["optional"].flatMap { boolean($0, "`optional`") } ?? false
            if let sql = entry["sql"] {
                guard let text = text(sql, "`sql`"), let query = query(PathExpression(text), sql) else { continue }
                omission.sql = query
            } else if result.reads != .sqlite {
                guard let selection = selection(entry) else { continue }
                result.omittedKinds += selection.kinds
                if selection.readsUnnamedKinds { result.omitsUnnamedKinds = true }
                let count = entry["count"].flatMap { expression($0, "`count`", joins: selection.joins) }
                let counted = count.map { "sum(\($0.sql))" } ?? "count(*)"
                let from = Self.from(joinsOfUsedValues() + selection.ownJoins)
                omission.sql =
                    "SELECT \(counted) FROM \(from) WHERE \(selection.condition(isUnnamed))"
            }
            result.omissions.append(omission)
        }
    }
}
