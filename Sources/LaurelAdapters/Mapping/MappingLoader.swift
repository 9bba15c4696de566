// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

/// Reads a mapping file into a `Mapping`.
struct MappingLoader: FileLoader {
    typealias Keys = MappingKeys

    let source: SourceText
    var found: [FoundDiagnostic] = []
    var scalarEnds: [Int: Int] = [:]
    var result = Mapping()
    /// A database in which the queries for text sources are checked; nil if SQLite cannot create it.
    let scratch: SourceDatabase?
    /// The names under `values`. `join` is the SQL that joins the value to the record. `uses` has the names that the
    /// value uses.
    var values: [(name: String, join: String, uses: Set<String>)] = []
    /// The defaults for the entries of `events`; nil if there are none.
    var defaults: Section?
    /// The name of the entry that is being read, for messages; nil outside the entries.
    var entryName: String?
    /// The names that the present entry's expressions use.
    var usedNames: Set<String> = []
    /// The queries for records of unnamed kinds. The condition for these kinds is not known yet, so `sql` receives the
    /// condition as its argument.
    var others: [(index: Int, sql: (String) -> String)] = []

    static func load(_ bytes: [UInt8], file: String) throws(MappingError) -> Mapping {
        var loader = MappingLoader(source: text(of: bytes, file: file))
        if let root = loader.readDocument() { loader.readMapping(root) }
        let found = loader.diagnostics
        guard found.allSatisfy({ $0.severity == .warning }) else { throw MappingError(diagnostics: found) }
        loader.result.text = bytes
        loader.result.warnings = found
        return loader.result
    }

    private init(source: SourceText) {
        self.source = source
        scratch = try? SourceDatabase(path: nil)
        try? scratch?.execute(RecordTable.schema)
    }

    private mutating func readMapping(_ root: YAMLNode) {
        guard let section = section(root, .mapping) else { return }
        readVersion(section, of: "the mapping language")
        readNames(section)
        guard let node = required(section, "reads"),
            let index = choice(node, "`reads`", of: Mapping.Source.allCases.map(\.rawValue))
        else { return }
        result.reads = Mapping.Source.allCases[index]
        refuseForeignKeys(section)
        if result.reads == .table { readTable(section["csv"]) }
        result.members = texts(section["members"], "`members`")
        result.marks = texts(section["recognise"], "`recognise`")
        result.isWhole =
            result.reads == .document || (section["whole"].flatMap { boolean($0, "`whole`") } ?? false)
        readTables(section["tables"])
        if section.has("tables"), result.reads != .sqlite, !result.isWhole {
            report(section.keyOffset("tables"), "`tables` are made of all records together: add `whole: true`")
        }
        readRequirements(section["requires"])
        if section.has("as") { return readDelegation(section) }
        readValues(section["values"])
        if let node = section["kind"], let kind = expression(node, "`kind`", joins: []) {
            result.recordKind = kind.sql
        }
        defaults = section["defaults"].flatMap { self.section($0, .defaults) }
        result.copies = section["copies"].flatMap { readCopies($0) }
        readEvents(section)
        readOmissions(section["left_out"])
        // The condition for unnamed kinds is known only after all entries were read.
        for other in others { result.statements[other.index].sql = other.sql(isUnnamed) }
    }

    /// Reads a mapping for a store that contains documents of another format. The documents are extracted, and then the
    /// mapping of that format reads them.
    private mutating func readDelegation(_ section: Section) {
        for key in ["events", "left_out", "source", "copies"] where section.has(key) {
            report(section.keyOffset(key), "`\(key)` means nothing beside `as`: that format's are taken")
        }
        guard let node = section["as"], let index = choice(node, "`as`", of: ShippedMappings.names),
            let sql = required(section, "document"), let text = text(sql, "`document`"),
            let document = query(PathExpression(text), sql)
        else { return }
        guard result.reads == .sqlite, let other = ShippedMappings.named(ShippedMappings.names[index]),
            other.reads == .document
        else {
            return report(node.offset, "a SQLite database can be read as a format of `reads: json-document`")
        }
        result.extraction = Mapping.Extraction(tables: result.tables, document: document)
        result.source = other.source
        result.tables = other.tables
        result.kinds = other.kinds
        result.statements = other.statements
        result.omissions = other.omissions
        result.recordKind = other.recordKind
        result.namedKinds = other.namedKinds
        result.readsUnnamedKinds = other.readsUnnamedKinds
        result.omittedKinds = other.omittedKinds
        result.omitsUnnamedKinds = other.omitsUnnamedKinds
    }

    private mutating func readNames(_ section: Section) {
        result.name = required(section, "name").flatMap { nonEmptyText($0, "`name`") } ?? ""
        result.summary = section["summary"].flatMap { text($0, "`summary`") } ?? ""
        result.example = section["example"].flatMap { text($0, "`example`") } ?? ""
        result.source = section["source"].flatMap { nonEmptyText($0, "`source`") } ?? result.name
        if section.has("needs") { result.needs = optionNames(section["needs"], "`needs`") }
        if section.has("takes") { result.takes = optionNames(section["takes"], "`takes`") }
        let all = result.needs + result.takes
        result.takes = AdapterOptions.Name.allCases.filter { all.contains($0) }
    }

    private mutating func optionNames(_ node: YAMLNode?, _ what: String) -> [AdapterOptions.Name] {
        let names = AdapterOptions.Name.allCases
        return list(node, what).compactMap { choice($0, "an option", of: names.map(\.rawValue)) }.map { names[$0] }
    }

    /// Reports keys that have no effect for this kind of source.
    private mutating func refuseForeignKeys(_ section: Section) {
        var foreign =
            result.reads == .sqlite
            ? ["whole", "kind", "values", "defaults"] : ["members", "as", "document", "copies"]
        if result.reads != .table { foreign.append("csv") }
        for key in foreign where section.has(key) {
            report(section.keyOffset(key), "`\(key)` means nothing with `reads: \(result.reads.rawValue)`")
        }
    }

    private mutating func texts(_ node: YAMLNode?, _ what: String) -> [String] {
        list(node, what).compactMap { nonEmptyText($0, what) }
    }

    private mutating func readTables(_ node: YAMLNode?) {
        for entry in mapping(node, "`tables`") ?? [] {
            let queries = oneOrMore(entry.value, "a table's queries").compactMap { item in
                text(item, "a query").flatMap { query(PathExpression($0), item) }
            }
            if result.reads != .sqlite, let query = queries.first {
                // Later queries are checked against this table.
                try? scratch?.execute("CREATE TEMP TABLE \"\(entry.key)\" AS \(query)")
            }
            result.tables.append((entry.key, queries))
        }
    }

    private mutating func readRequirements(_ node: YAMLNode?) {
        for item in list(node, "`requires`") {
            guard let section = section(item, .requirement), let sql = required(section, "sql"),
                let query = text(sql, "`sql`"),
                let message = required(section, "message").flatMap({ text($0, "`message`") }),
                let checked = self.query(PathExpression(query), sql)
            else { continue }
            result.requirements.append(.init(sql: checked, message: message))
        }
    }

    private mutating func readCopies(_ node: YAMLNode) -> Mapping.Copies? {
        guard let section = section(node, .copies), let order = required(section, "order"),
            let text = text(order, "`order`"), let query = query(PathExpression(text), order)
        else { return nil }
        var copies = Mapping.Copies(store: nil, order: query)
        if let store = section["store"] {
            copies.store = self.text(store, "`store`").flatMap { self.query(PathExpression($0), store) }
        }
        return copies
    }

    /// The index of a kind of event. A new kind is appended to the list.
    mutating func kind(_ name: String) -> Int {
        if let index = result.kinds.firstIndex(of: name) { return index }
        result.kinds.append(name)
        return result.kinds.count - 1
    }
}
