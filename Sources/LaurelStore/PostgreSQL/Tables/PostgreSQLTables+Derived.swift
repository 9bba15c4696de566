// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelPostgreSQL
internal import LaurelProgress

extension PostgreSQLTables {
    /// Returns the edition number of a target.
    /// - Throws: ``StoreError`` if the target is the shadow and no shadow is being built.
    func edition(_ target: DerivedTarget) throws -> Int64 {
        guard target == .shadow else { return edition }
        try renewLease()
        guard builtEdition > 0 else { throw StoreError(.misuse, "there is no shadow") }
        return builtEdition
    }

    // MARK: Names

    func codes(of names: [[UInt8]], in table: NameTable) throws -> [Int64] {
        guard let stored = self.names else { throw StoreError(.misuse, "who only reads gives no names codes") }
        var codes = stored.codes(of: names, in: table, at: nameState)
        var missing = names.indices.filter { codes[$0] == nil }
        guard !missing.isEmpty else { return codes.map { $0! } }
        for row in try rows(table.find, [.stored(missing.map { names[$0] })]) {
            codes[missing[try inputIndex(row, of: missing.count)]] = row.integer(1)
        }
        missing.removeAll { codes[$0] != nil }
        if !missing.isEmpty {
            let added = try stored.add(missing.map { names[$0] }, to: table)
            for (index, code) in zip(missing, added) { codes[index] = code }
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

    func groupNames(after name: String, limit: Int) throws -> [String] {
        try rows(AllLearnersSQL.groupNames, bounds + [.stored(name), .count(limit)]).map { $0.string(stored: 0) }
    }

    func groupNames(of learners: [Int64]) throws -> [String] {
        try found(.groupsOfLearners, TableRows(learners)).map { $0.row.string(stored: 1) }
    }

    func write(_ changes: DerivedChanges, in target: DerivedTarget) throws {
        if target == .stored {
            let profiles = TableRows(changes.profiles, width: 6) { changed, row in
                row.append(changed.learner)
                row.append(changed.profile.displayName)
                row.append(changed.profile.cohort)
                row.append(changed.profile.nativeLanguage)
                row.append(changed.profile.dailyGoalMinutes)
                row.append(changed.profile.isOnLeaderboards ? 1 : 0)
            }
            try send(.writeProfiles, profiles)
        }
        try send(.addGroups, changes.groups)
        let deleted = changes.deletedProgress
        for part in deleted.indices.runs({ deleted[$0] >> 32 == deleted[$1] >> 32 }) {
            let partition = Partition.of(learner: deleted[part.lowerBound])
            let kept = changes.progress
            try send(
                DerivedSQL.deleteProgress,
                [
                    .count(partition), .integer(try edition(target)), .integers(deleted[part]),
                    kept.integers(column: 0), kept.integers(column: 1),
                ],
                of: partition
            )
        }
        let achievements = TableRows(changes.deletedAchievements, width: 3) { gone, row in
            row.append(gone.learner)
            row.append(gone.language)
            row.append(gone.position)
        }
        let days = TableRows(changes.deletedDays, width: 2) { gone, row in
            row.append(gone.learner)
            row.append(Int64(gone.day))
        }
        let dayRows = TableRows(changes.deletedDayRows, width: 3) { gone, row in
            row.append(gone.learner)
            row.append(Int64(gone.day))
            row.append(gone.language)
        }
        try send(.deleteAchievements, achievements, in: target)
        try send(.deleteDays, days, in: target)
        try send(.deleteDaysOfTracks, dayRows, in: target)
        let written = [
            (RowStatement.writeProgress, changes.progress), (RowStatement.writeAchievements, changes.achievements),
            (RowStatement.writeDays, changes.days),
        ]
        for (writing, rows) in written { try send(changes.areNew ? writing.insert : writing.put, rows, in: target) }
    }

    func lastLearners(with kind: DerivedKind, of partitions: [Int], in target: DerivedTarget) throws -> [Int64?] {
        var last = [Int64?](repeating: nil, count: partitions.count)
        let statement: RowStatement = kind == .progress ? .lastWithProgress : .lastWithSnapshot
        try forEachRow(statement, TableRows(partitions.map(Int64.init)), in: target) { last[$0] = $1.integer(1) }
        return last
    }

    func profiles(from learner: Int64, limit: Int) throws -> TableRows {
        cells(
            try rows(
                DerivedSQL.profiles,
                [.count(Partition.of(learner: learner)), .integer(learner), .count(limit)]
            ),
            from: 0
        )
    }

    func rows(_ wanted: [(table: DerivedTable, learners: [Int64])], in target: DerivedTarget) throws -> [TableRows] {
        let asked = wanted.map { table, learners -> (statement: RowStatement, rows: TableRows) in
            switch table {
            case .progress: (.progress, TableRows(learners))
            case .achievements: (.achievements, TableRows(learners))
            case .days: (.days, TableRows(learners))
            }
        }
        return try found(asked, in: target).map { found in cells(found.map(\.row), from: 1) }
    }

    /// - Parameter first: the index of the first column to copy.
    private func cells(_ rows: some Collection<Row>, from first: Int) -> TableRows {
        var cells = TableRows(width: max(1, (rows.first?.width ?? 0) - first))
        for row in rows { cells.append(row, from: first) }
        return cells
    }
}

extension TableRows {
    /// Appends the columns of a row, beginning with column `first`.
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
}
