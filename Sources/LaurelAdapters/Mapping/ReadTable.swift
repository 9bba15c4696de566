// SPDX-License-Identifier: Apache-2.0

import LaurelWire
import LaurelYAML

extension MappingLoader {
    /// Reads `csv`, which describes a table.
    mutating func readTable(_ node: YAMLNode?) {
        guard let node, let section = section(node, .table) else { return }
        result.table.separator = section["separator"].flatMap { separator($0) }
        result.table.encoding = section["encoding"].flatMap { encoding($0) }
        result.table.columns = columnNames(section["columns"], "`columns`")
        result.table.optional = columnNames(section["optional"], "`optional`")
        if section.has("columns"), section.has("optional") {
            report(
                section.keyOffset("optional"),
                "`optional` means nothing beside `columns`: every row has all columns"
            )
        }
    }

    private mutating func separator(_ node: YAMLNode) -> UInt8? {
        guard let text = text(node, "`separator`") else { return nil }
        if text == "tab" { return UInt8(ascii: "\t") }
        guard text.utf8.count == 1, let byte = text.utf8.first, byte != UInt8(ascii: "\""), byte == 9 || byte >= 32
        else {
            report(node.offset, "`separator` cannot be `\(text)`: write one character such as \";\", or tab")
            return nil
        }
        return byte
    }

    private mutating func encoding(_ node: YAMLNode) -> String? {
        guard let name = nonEmptyText(node, "`encoding`") else { return nil }
        if TranscodedSource.knows(name) { return name }
        let nearest = nearestName(to: name, among: ["utf-8", "utf-16", "windows-1252", "windows-1250", "iso-8859-1"])
        let advice = nearest.map { didYouMean(code: $0) } ?? "; `iconv -l` lists the encodings"
        report(node.offset, "there is no encoding `\(name)`\(advice)", suggestion: nearest)
        return nil
    }

    private mutating func columnNames(_ node: YAMLNode?, _ what: String) -> [String] {
        var names: [String] = []
        for item in list(node, what) {
            guard let name = nonEmptyText(item, what) else { continue }
            if name.contains("\"") || name.contains("\\") {
                report(item.offset, "a column's name has no quotation mark and no backslash")
            } else if names.contains(name) {
                report(item.offset, "`\(name)` is listed twice")
            } else {
                names.append(name)
            }
        }
        return names
    }

    /// Records the columns that an expression names, so that they can be looked for in each file. If the mapping itself
    /// lists all columns, a name that is not in the list is reported at once.
    mutating func note(_ expression: PathExpression, in scalar: YAMLScalar, _ what: String) {
        for (key, offset) in expression.keys {
            let start = sourceOffset(of: offset, in: scalar)
            let columns = result.table.columns
            guard columns.isEmpty || columns.contains(key) else {
                let nearest = nearestName(to: key, among: columns)
                report(
                    start,
                    "\(what): `\(key)` is not in `columns`\(didYouMean(code: nearest))",
                    suggestion: nearest
                )
                continue
            }
            let place = entryName.map { "\($0), \(what)" } ?? what
            result.table.uses.append(.init(column: key, position: source.position(of: start..<start), place: place))
        }
    }
}
