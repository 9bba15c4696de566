// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelPostgreSQL
internal import LaurelProgress

extension PostgreSQLTables {
    /// That of a place, as statements want it.
    func edition(_ place: DerivedPlace) throws -> Parameter {
        guard place == .shadow else { return .integer(row.edition) }
        try renewLease()
        return .integer(try builtEdition())
    }

    // MARK: Names

    func codes(of names: [[UInt8]], in table: NameTable) throws -> [Int64] {
        guard let stored = self.names else { throw StoreError(.misuse, "who only reads gives no names codes") }
        var codes = stored.codes(of: names, in: table, at: nameState)
        var missing = names.indices.filter { codes[$0] == nil }
        guard !missing.isEmpty else { return codes.map { $0! } }
        for row in try rows(table.find, [.stored(missing.map { names[$0] })]) {
            codes[missing[try place(row, of: missing.count)]] = row.integer(1)
        }
        missing.removeAll { codes[$0] != nil }
        if !missing.isEmpty {
            let added = try stored.add(missing.map { names[$0] }, to: table)
            for (place, code) in zip(missing, added) { codes[place] = code }
        }
        let found = codes.map { $0! }
        stored.note(names, found, in: table, at: nameState)
        return found
    }

    func names(of codes: [Int64], in table: NameTable) throws -> [Int64: String] {
        let statement: DerivedSQL = table == .languages ? .languageNames : .achievementNames
        var names: [Int64: String] = [:]
        guard !codes.isEmpty else { return names }
        for row in try rows(statement, [.integers(Set(codes))]) { names[row.integer(0)] = row.string(stored: 1) }
        return names
    }

    // MARK: Rows

    func write(_ changes: DerivedChanges, in place: DerivedPlace) throws {
        try expectOwn((0..<changes.progress.count).lazy.map { changes.progress.integer($0, 0) })
        let edition = try edition(place)
        if place == .stored { try write(changes.profiles) }
        if !changes.progressGone.isEmpty {
            let kept = changes.progress
            try send(
                DerivedSQL.deleteProgress,
                [edition, .integers(changes.progressGone), kept.integers(column: 0), kept.integers(column: 1)]
            )
        }
        if !changes.achievementsGone.isEmpty {
            let gone = changes.achievementsGone
            try send(
                DerivedSQL.deleteAchievements,
                [
                    edition, .integers(gone.lazy.map(\.learner)), .integers(gone.lazy.map(\.language)),
                    .integers(gone.lazy.map(\.position)),
                ]
            )
        }
        try deleteDays(changes, edition)
        try write(changes.progress, RelationSQL.progress, edition, areNew: changes.areNew)
        try write(changes.achievements, RelationSQL.achievements, edition, areNew: changes.areNew)
        try write(changes.days, RelationSQL.days, edition, areNew: changes.areNew)
    }

    private func write(
        _ rows: TableRows,
        _ statements: RelationStatements,
        _ edition: Parameter,
        areNew: Bool
    ) throws {
        guard !rows.isEmpty else { return }
        let parameters = [edition] + statements.types.indices.map { rows.list($0, statements.types[$0]) }
        try send(areNew ? statements.writeNew : statements.write, parameters)
    }

    private func deleteDays(_ changes: DerivedChanges, _ edition: Parameter) throws {
        let (days, rows) = (changes.daysGone, changes.dayRowsGone)
        if !days.isEmpty {
            try send(
                DerivedSQL.deleteDays,
                [edition, .integers(days.lazy.map(\.learner)), .integers(days.lazy.map { Int64($0.day) })]
            )
        }
        if !rows.isEmpty {
            try send(
                DerivedSQL.deleteDaysOfTracks,
                [
                    edition, .integers(rows.lazy.map(\.learner)), .integers(rows.lazy.map { Int64($0.day) }),
                    .integers(rows.lazy.map(\.language)),
                ]
            )
        }
    }

    private func write(_ profiles: [(learner: Int64, profile: LearnerProjection)]) throws {
        guard !profiles.isEmpty else { return }
        let texts = [\LearnerProjection.displayName, \.cohort, \.nativeLanguage].map { part in
            var list = ParameterList(.text)
            for (_, profile) in profiles {
                if let text = profile[keyPath: part] { list.append(StoredText.stored(text)) } else { list.appendNull() }
            }
            return Parameter.list(list)
        }
        try send(
            DerivedSQL.writeProfiles,
            [.integers(profiles.lazy.map(\.learner))] + texts
                + [.integers(profiles.lazy.map { Int64($0.profile.dailyGoalMinutes) })]
        )
    }

    func lastLearner(with kind: DerivedKind, in place: DerivedPlace) throws -> Int64? {
        let statement: DerivedSQL = kind == .progress ? .lastLearnerWithProgress : .lastLearnerWithSnapshot
        return try number(statement, [try edition(place)] + bounds)
    }

    func profiles(from learner: Int64, limit: Int) throws -> TableRows {
        cells(try rows(DerivedSQL.profiles, [.integer(learner), bounds[1], .count(limit)]))
    }

    func rows(_ wanted: [(table: DerivedTable, learners: [Int64])], in place: DerivedPlace) throws -> [TableRows] {
        let edition = try edition(place)
        let asked = wanted.map { table, learners -> (RelationSQL, [Parameter]) in
            let statements =
                switch table {
                case .progress: RelationSQL.progress
                case .achievements: RelationSQL.achievements
                case .days: RelationSQL.days
                }
            return (statements.ofLearners, [edition, .integers(learners)])
        }
        // Two are what is asked for together.
        guard asked.count == 2 else { return try asked.map { cells(try rows($0.0, $0.1)) } }
        let found = try rows((asked[0].0, asked[0].1), (asked[1].0, asked[1].1))
        return [cells(found.0), cells(found.1)]
    }

    private func cells(_ rows: Rows) -> TableRows {
        var cells = TableRows(width: rows.width)
        for row in rows { cells.append(row) }
        return cells
    }
}

extension TableRows {
    /// Appends the columns of a row, from one on.
    mutating func append(_ row: Row, from first: Int = 0) {
        for column in first..<first + width {
            switch row.kind(column) {
            case .null: append(.null)
            case .integer: append(.integer(row.integer(column)))
            case .real: append(.real(row.real(column)))
            case .text:
                let text = text { $0 += row.text(column) }
                append(text)
            }
        }
    }

    fileprivate func integers(column: Int) -> Parameter { .integers((0..<count).lazy.map { integer($0, column) }) }

    /// A column as an array.
    fileprivate func list(_ column: Int, _ type: ValueType) -> Parameter {
        var list = ParameterList(type)
        for row in 0..<count {
            if isNull(row, column) {
                list.appendNull()
            } else {
                switch type {
                case .float8: list.append(real(row, column))
                case .text: list.append(StoredText.stored(Array(text(row, column))))
                default: list.append(integer(row, column))
                }
            }
        }
        return .list(list)
    }
}
