// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

// SQL statements and field expressions. The queries of a text source are prepared on an empty table of records, which
// checks them. The queries of a SQLite source can only be parsed, because its tables are unknown.

extension MappingLoader {
    static let parameters = [":subject", ":language", ":timezone", ":source"]

    /// Returns the SQL of a complete statement that only reads data. Returns nil after reporting a mistake.
    mutating func query(_ expression: PathExpression, _ node: YAMLNode) -> String? {
        guard let scalar = node.scalar, let scratch else { return nil }
        let first = expression.sql.split { !$0.isLetter }.first.map { $0.uppercased() } ?? ""
        guard ["SELECT", "WITH", "VALUES"].contains(first) else {
            report(node.offset, "a mapping only reads: write a SELECT")
            return nil
        }
        do throws(SQLError) {
            let statement = try scratch.prepare(expression.sql)
            guard statement.isQuery else {
                report(node.offset, "a mapping only reads: write a SELECT")
                return nil
            }
            checkParameters(of: statement, node)
            return expression.sql
        } catch {
            if result.reads == .sqlite, error.isMissingName { return expression.sql }
            let offset = expression.source(of: error.offset ?? 0)
            report(sourceOffset(of: offset, in: scalar), "SQL: \(error.message)")
            return nil
        }
    }

    private mutating func checkParameters(of statement: SourceStatement, _ node: YAMLNode) {
        for name in statement.parameters where !Self.parameters.contains(name) {
            report(node.offset, "there is no option `\(name)`; there are \(Self.parameters.joined(separator: ", "))")
        }
    }

    /// Reads and checks a field expression. The check prepares the expression on a record that is joined with the
    /// elements of `each`.
    mutating func expression(_ node: YAMLNode, _ what: String, joins: [String]) -> PathExpression? {
        guard let text = text(node, what), let scalar = node.scalar, let scratch else { return nil }
        let expression = PathExpression(text)
        let before = "SELECT ("
        do throws(SQLError) {
            let sql = "\(before)\(expression.sql)) FROM \(MappingLoader.from(joins))"
            let statement = try scratch.prepare(sql)
            checkParameters(of: statement, node)
            usedNames.formUnion(expression.names)
            if result.reads == .table { note(expression, in: scalar, what) }
            return expression
        } catch {
            let offset = expression.source(of: max(0, (error.offset ?? 0) - before.utf8.count))
            let hint =
                error.message.hasPrefix("no such column")
                ? "; a value of the record is written $.name, a text in single quotes within double ones: \"'text'\""
                : ""
            report(sourceOffset(of: offset, in: scalar), "\(what): \(error.message)\(hint)")
            return nil
        }
    }

    static func from(_ joins: [String]) -> String { (["record"] + joins).joined(separator: " CROSS JOIN ") }

    /// Reads `values`. Each value is joined to the record as a list of one element, so that it is computed once per
    /// record.
    mutating func readValues(_ node: YAMLNode?) {
        for entry in mapping(node, "`values`") ?? [] {
            guard isName(entry), let expression = expression(entry.value, "`\(entry.key)`", joins: values.map(\.join))
            else { continue }
            let join = "json_each(json_array(\(expression.json ?? expression.sql))) AS \"\(entry.key)\""
            values.append((entry.key, join, expression.names))
        }
    }

    /// Reads `each`. Each list adds a join, so that there is one row for each element of the list. The first list is
    /// the outermost.
    mutating func readEach(_ node: YAMLNode?, joins: inout [String]) -> Bool {
        var isRight = true
        for entry in mapping(node, "`each`") ?? [] {
            guard isName(entry), let expression = expression(entry.value, "`each`", joins: joins) else {
                isRight = false
                continue
            }
            joins.append("json_each(coalesce(\(expression.json ?? expression.sql), '[]')) AS \"\(entry.key)\"")
        }
        return isRight
    }

    /// The joins for the values that the current entry uses, directly or through other values.
    func joinsOfUsedValues() -> [String] {
        var used = usedNames
        for value in values.reversed() where used.contains(value.name) { used.formUnion(value.uses) }
        return values.filter { used.contains($0.name) }.map(\.join)
    }

    private mutating func isName(_ entry: YAMLEntry) -> Bool {
        let isName =
            !entry.key.isEmpty && entry.key.utf8.allSatisfy { 65...90 ~= $0 || 97...122 ~= $0 || $0 == 95 }
            && entry.key != "record"
        if !isName { report(entry.keyOffset, "`\(entry.key)` is no name: use letters and underscores") }
        return isName
    }
}
