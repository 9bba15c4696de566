// SPDX-License-Identifier: Apache-2.0

/// The unknown names in some events, each with its count and its first event. At most ``limit`` names are listed.
/// Further names are only counted.
package struct UnknownNames: Sendable {
    package struct Use: Sendable {
        package var count = 0
        /// The line of the first event that has the name, from 1.
        package var line: Int
        /// The file of the first event that has the name.
        package var file = ""
    }

    package static let limit = 1000

    /// The names, in the order of their first use.
    package private(set) var names: [UnknownName] = []
    package private(set) var uses: [UnknownName: Use] = [:]
    /// The number of uses of names that are not listed.
    package private(set) var others = 0

    package init() {}

    package var isEmpty: Bool { names.isEmpty }

    /// Counts a name.
    /// - Returns: true if the name is listed.
    @discardableResult
    mutating func add(_ name: UnknownName, line: Int, count: Int = 1, file: String = "") -> Bool {
        if uses[name]?.count != nil {
            uses[name]!.count += count
            return true
        }
        guard names.count < Self.limit else {
            others += count
            return false
        }
        names.append(name)
        uses[name] = Use(count: count, line: line, file: file)
        return true
    }

    mutating func addUnlisted(_ count: Int) { others += count }

    /// Adds the names in later events of a file.
    package mutating func add(_ more: UnknownNames, file: String) {
        for name in more.names {
            let use = more.uses[name]!
            add(name, line: use.line, count: use.count, file: file)
        }
        others += more.others
    }
}

extension UnknownNames {
    /// Finds the names in a table's events that neither the catalogue nor the known rules have.
    /// - Parameters:
    ///   - rows: the rows to search; nil for all.
    ///   - skipped: the rows to leave out.
    ///   - checksFields: true to check the fields of the catalogue's types. Fields of declared types are always
    ///     checked.
    ///   - line: returns the line of a row.
    /// - Complexity: O(values); memory does not grow with the number of names.
    package init(
        of table: EventTable,
        rows: Range<Int>? = nil,
        skipping skipped: Set<Int> = [],
        known: KnownNames,
        checksFields: Bool = true,
        line: (Int) -> Int
    ) {
        var search = UnknownNameSearch(table, known, checksFields)
        for row in rows ?? 0..<table.count where !skipped.contains(row) { search.look(at: row, line: line) }
        self = search.result()
    }

    /// True if a table has events that name an achievement.
    package static func mayNameAchievements(_ table: EventTable) -> Bool { grantedType(of: table) != nil }

    /// True if any learner's id in these rows has more than one Unicode normal form.
    /// - Complexity: O(rows).
    package static func mayNameLearners(_ table: EventTable, _ rows: Range<Int>) -> Bool {
        var last = UInt32.max
        return rows.contains { row in
            let subject = table.subject[row]
            defer { last = subject }
            return subject != last && hasNormalForms(table.texts[subject])
        }
    }

    /// True if an id has several normal forms. ASCII texts and most other texts have only one.
    fileprivate static func hasNormalForms(_ id: some Sequence<UInt8>) -> Bool {
        guard id.contains(where: { $0 >= 0x80 }) else { return false }
        return NormalForms(of: Array(id)).all.count > 1
    }

    /// The table's index of `achievement.granted`.
    fileprivate static func grantedType(of table: EventTable) -> UInt32? {
        granted.withUnsafeBufferPointer { table.types.find($0) }
    }

    private static let granted = Array("achievement.granted".utf8)
}

/// Searches the rows of a table. Each name's result is cached by the name's index in the table.
private struct UnknownNameSearch {
    /// The cached result for a name: one of the negative values below, or the index of the name's counter.
    private typealias State = Int32
    private static let unseen: State = -3
    private static let known: State = -2
    /// A type that the rules know but the catalogue does not.
    private static let declared: State = -4
    private static let unlisted: State = -1
    /// The maximum number of cached names, which real tables do not reach. Further names are looked up each time.
    private static let mostStates = 4096

    private let table: EventTable
    private let knownNames: KnownNames
    private let checksFields: Bool
    private var names: [(name: UnknownName, line: Int, count: Int)] = []
    private var others = 0
    /// The results for types, by the type's index.
    private var types: [State]
    /// The results for fields, by the index of a known type, then by the field's index.
    private var fields: [[State]]
    private var lastExtensions: (text: UInt32, states: [State]) = (0, [])
    private var attributes: [UnknownName: State] = [:]
    private let grantedType: UInt32?
    /// Results by the index of the achievement's text in the table.
    private var achievements: [UInt64: State] = [:]
    /// The ids with more than one normal form, by the index of their text in the table.
    private var learners: [UInt32: State] = [:]

    init(_ table: EventTable, _ known: KnownNames, _ checksFields: Bool) {
        self.table = table
        knownNames = known
        self.checksFields = checksFields
        grantedType = UnknownNames.grantedType(of: table)
        types = Array(repeating: Self.unseen, count: min(table.types.count, Self.mostStates))
        fields = Array(repeating: [], count: types.count)
    }

    func result() -> UnknownNames {
        var result = UnknownNames()
        for (name, line, count) in names { result.add(name, line: line, count: count) }
        result.addUnlisted(others)
        return result
    }

    mutating func look(at row: Int, line: (Int) -> Int) {
        let type = Int(table.type[row])
        if checkType(type, row, line) {
            for index in Int(table.valueStarts[row])..<Int(table.valueStarts[row + 1]) {
                checkField(Int(table.values[index].field), of: type, row, line)
            }
        }
        if table.extensions[row] != 0 { readExtensions(table.extensions[row], row, line) }
        if table.type[row] == grantedType { checkAchievement(row, line) }
        checkLearner(row, line)
    }

    private mutating func checkLearner(_ row: Int, _ line: (Int) -> Int) {
        let subject = table.subject[row]
        if let state = learners[subject] { return count(state) }
        let id = table.texts[subject]
        guard UnknownNames.hasNormalForms(id) else { return }
        let state = add(UnknownName(.learner, id), line(row))
        if learners.count < Self.mostStates { learners[subject] = state }
    }

    private mutating func checkAchievement(_ row: Int, _ line: (Int) -> Int) {
        let value = table.values(of: row).first { $0.kind == .text && table.fields.string($0.field) == "achievement" }
        guard let text = value?.payload else { return }
        if let state = achievements[text] { return count(state) }
        let name = UnknownName(.achievement, table.texts[UInt32(text)])
        let state = knownNames.knows(name) ? Self.known : add(name, line(row))
        if achievements.count < Self.mostStates { achievements[text] = state }
    }

    /// True if the type's fields are to be checked.
    private mutating func checkType(_ type: Int, _ row: Int, _ line: (Int) -> Int) -> Bool {
        var state = type < types.count ? types[type] : Self.unseen
        if state != Self.unseen {
            count(state)
        } else {
            let name = UnknownName(.type, table.types[UInt32(type)])
            let isKnown = knownNames.knows(name)
            let isDeclared = isKnown && Catalogue.type(named: name.name) == nil
            state = isDeclared ? Self.declared : isKnown ? Self.known : add(name, line(row))
            if type < types.count { types[type] = state }
        }
        return state == Self.declared || checksFields && state == Self.known
    }

    private mutating func checkField(_ field: Int, of type: Int, _ row: Int, _ line: (Int) -> Int) {
        let isKept = type < fields.count && field < Self.mostStates
        if isKept, field < fields[type].count, fields[type][field] != Self.unseen {
            count(fields[type][field])
            return
        }
        let kind = UnknownName.Kind.field(of: table.types.string(UInt32(type)))
        let name = UnknownName(kind, table.fields[UInt32(field)])
        let new = knownNames.knows(name) ? Self.known : add(name, line(row))
        guard isKept else { return }
        let missing = field + 1 - fields[type].count
        if missing > 0 { fields[type] += Array(repeating: Self.unseen, count: missing) }
        fields[type][field] = new
    }

    private mutating func readExtensions(_ text: UInt32, _ row: Int, _ line: (Int) -> Int) {
        if text != lastExtensions.text {
            lastExtensions = (text, [])
            guard case .object(let members)? = JSONValue(validated: Array(table.texts[text])) else { return }
            for key in members.keys.sorted() {
                let name = UnknownName(.attribute, key.utf8)
                guard !knownNames.knows(name) else { continue }
                if let state = attributes[name] {
                    lastExtensions.states.append(state)
                    count(state)
                } else {
                    let state = add(name, line(row))
                    lastExtensions.states.append(state)
                    if state >= 0 { attributes[name] = state }
                }
            }
        } else {
            for state in lastExtensions.states { count(state) }
        }
    }

    /// Counts a name by its cached result.
    private mutating func count(_ state: State) {
        switch state {
        case Self.known, Self.declared: break
        case Self.unlisted: others += 1
        default: names[Int(state)].count += 1
        }
    }

    /// Counts a name for the first time.
    private mutating func add(_ name: UnknownName, _ line: Int) -> State {
        guard names.count < UnknownNames.limit else {
            others += 1
            return Self.unlisted
        }
        names.append((name, line, 1))
        return State(names.count - 1)
    }
}
