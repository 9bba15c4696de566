// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension MappingLoader {
    mutating func readEvents(_ section: Section) {
        guard let node = required(section, "events") else { return }
        for item in list(node, "`events`") {
            guard let entry = self.section(item, .event) else { continue }
            readEvent(entry)
        }
        if result.statements.isEmpty, found.isEmpty { report(node.offset, "`events` is empty") }
    }

    private mutating func readEvent(_ entry: Section) {
        usedNames = []
        guard let what = required(entry, "what").flatMap({ nonEmptyText($0, "`what`") }) else { return }
        entryName = what
        defer { entryName = nil }
        var statement = Mapping.Statement(
            kind: kind(what),
            sql: "",
            type: literalType(entry),
            change: (entry["changed"] ?? defaults?["changed"]).flatMap { change($0) } ?? .conflict,
            isOptional: entry["optional"].flatMap { boolean($0, "`optional`") } ?? false
        )
        if let node = entry["retracts"] {
            statement.retracts = boolean(node, "`retracts`") ?? false
            if result.copies == nil {
                report(
                    entry.keyOffset("retracts"),
                    "`retracts` needs `copies` at the top, which defines newer copies"
                )
            }
        }
        if entry.has("sql") || result.reads == .sqlite {
            guard let sql = readStatement(entry, type: statement.type) else { return }
            statement.sql = sql
            if let scalar = entry["sql"]?.scalar {
                let start = sourceOffset(of: 0, in: scalar)
                statement.place = (source.file, source.position(of: start..<start).line)
            }
        } else {
            guard let selection = selection(entry), let columns = columns(entry, selection.joins, statement.type)
            else { return }
            let order = (entry["order_by"] ?? defaults?["order_by"]).flatMap {
                expression($0, "`order_by`", joins: selection.joins)
            }
            let from = MappingLoader.from(joinsOfUsedValues() + selection.ownJoins)
            let build = { (kinds: String) in
                "SELECT \(columns) FROM \(from) WHERE \(selection.condition(kinds)) "
                    + "ORDER BY \(order.map { "\($0.sql), " } ?? "")record.number"
            }
            if selection.readsUnnamedKinds { others.append((result.statements.count, build)) }
            statement.sql = build("")
        }
        result.statements.append(statement)
    }

    private mutating func change(_ node: YAMLNode) -> Mapping.Change? {
        choice(node, "`changed`", of: Mapping.Change.allCases.map(\.rawValue)).map { Mapping.Change.allCases[$0] }
    }

    /// The event type as written; nil if an expression computes the type.
    private mutating func literalType(_ entry: Section) -> String? {
        guard let node = entry["type"], let type = text(node, "`type`") else { return nil }
        guard type.utf8.allSatisfy({ 97...122 ~= $0 || 48...57 ~= $0 || [46, 95, 45].contains($0) }) else { return nil }
        if Catalogue.type(named: type) == nil,
            let nearest = nearestName(to: type, among: Catalogue.types.map(\.name))
        {
            report(
                node.offset,
                "`\(type)` is not in the catalogue\(didYouMean(code: nearest))",
                suggestion: nearest,
                .warning
            )
        }
        return type
    }

    /// Reads the key `sql` of an entry. Its value is a complete query.
    private mutating func readStatement(_ entry: Section, type: String?) -> String? {
        for key in MappingKeys.attributes + MappingKeys.marks + ["data", "of", "from", "each", "when", "order_by"]
        where entry.has(key) {
            report(entry.keyOffset(key), "`\(key)` stands beside field expressions; beside `sql`, a column says it")
        }
        guard let node = required(entry, "sql"), let text = text(node, "`sql`"),
            let sql = query(PathExpression(text), node)
        else { return nil }
        if let statement = try? scratch?.prepare(sql) {
            checkColumns(statement.columns, type: type, entry.offset)
        }
        return sql
    }

    /// The columns of a query as SQL: attributes, `data.…`, and columns that only the adapter reads.
    private mutating func columns(
        _ entry: Section,
        _ joins: [String],
        _ type: String?
    ) -> String? {
        var columns: [(name: String, sql: String)?] = [
            (EventColumn.lineName, "record.line"),
            (EventColumn.originalName, originalColumn),
        ]
        if type == nil, let node = entry["type"] { columns.append(column("type", node, joins)) }
        for name in MappingKeys.attributes + MappingKeys.marks {
            if let node = entry[name] ?? defaults?[name] { columns.append(column(name, node, joins)) }
        }
        if let data = entry["data"], data.scalar != nil {
            columns.append(column("data", data, joins))
        } else {
            for field in mapping(entry["data"], "`data`") ?? [] {
                columns.append(column("data.\(field.key)", field.value, joins, asJSON: true))
            }
        }
        let right = columns.compactMap(\.self)
        guard right.count == columns.count else { return nil }
        checkColumns(right.map(\.name), type: type, entry.offset)
        return right.map { "(\($0.sql)) AS \"\($0.name.replacing("\"", with: "\"\""))\"" }.joined(separator: ", ")
    }

    /// The SQL for the text that quarantine stores if the event is refused. A document may be large, and is not a refused
    /// line. If a part of it is refused, quarantine stores the event for that part.
    private var originalColumn: String {
        switch result.reads {
        case .document: "NULL"
        case .table: "record.original"
        case .records, .sqlite: "record.value"
        }
    }

    /// - Parameter asJSON: true if the value of a path is read as JSON: text, number or list.
    private mutating func column(
        _ name: String,
        _ node: YAMLNode,
        _ joins: [String],
        asJSON: Bool = false
    ) -> (name: String, sql: String)? {
        guard let expression = expression(node, "`\(name)`", joins: joins) else { return nil }
        if asJSON, let json = expression.json { return ("\(name):json", json) }
        return (name, expression.sql)
    }

    /// Reports missing columns that events of the type require.
    private mutating func checkColumns(_ names: [String], type: String?, _ offset: Int) {
        let columns = names.map { EventColumn($0) }
        for name in ["id", "time"] where !columns.contains(.attribute(name)) {
            report(offset, "`\(name)` is missing: \(EventColumn.advice[name]!)")
        }
        if type == nil, !columns.contains(.attribute("type")) { report(offset, "`type` is missing") }
        guard let known = type.flatMap(Catalogue.type(named:)), !columns.contains(.wholeData) else { return }
        let fields = columns.compactMap(\.field)
        for field in known.fields where field.isRequired && !fields.contains(field.name) {
            let hint =
                known.name == "xp.adjusted" && fields.contains("total") ? "; an app's total is `xp.declared`" : ""
            report(offset, "`\(known.name)` needs `\(field.name)`\(hint)")
        }
    }
}
