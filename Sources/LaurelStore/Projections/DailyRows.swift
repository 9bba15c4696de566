// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// The rows of `daily_rows` for a projection. They contain all days of each language. They contain a day of the overall
/// track only if the day differs from the sum of the languages. In the sum, a day is active if it is active in one of
/// the languages.
struct DailyRows {
    /// The rows, each with the code of its language. The code of the overall track is 0.
    private(set) var rows: [(language: Int64, row: DayProjection)] = []
    /// Days that a language has and the overall track does not have.
    private(set) var withoutOverall: [Int32] = []

    private var tracks: [(code: Int64, days: ArraySlice<DayProjection>)] = []

    /// Replaces the rows by the rows of another learner.
    /// - Parameters:
    ///   - positions: the range of the learner's tracks.
    ///   - codes: the codes of the batch's languages.
    mutating func take(_ batch: PreparedProjections, _ positions: Range<Int>, _ codes: [Int64]) {
        removeAll()
        for track in batch.tracks[positions] {
            tracks.append((track.language == 0 ? 0 : codes[track.language], batch.days[track.days]))
        }
        makeRows()
    }

    init() {}

    /// Creates the rows for the days that a projection lists.
    init(of projection: LearnerProjection, _ names: inout NameCodes, _ tables: any PartitionTables) throws {
        // Pointers are used, because copying a track would cost more than its days do.
        try projection.tracks.withUnsafeBufferPointer { stored in
            for position in stored.indices {
                tracks.append((try names.languageCode(stored[position].language, tables), stored[position].days[...]))
            }
        }
        makeRows()
    }

    private mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        withoutOverall.removeAll(keepingCapacity: true)
        tracks.removeAll(keepingCapacity: true)
    }

    /// Makes the rows from `tracks`.
    private mutating func makeRows() {
        var overall: ArraySlice<DayProjection> = []
        if let position = tracks.firstIndex(where: { $0.code == 0 }) { overall = tracks.remove(at: position).days }
        // Rows are read back in this order, so that sums of doubles are identical.
        if tracks.count > 1 { tracks.sort { $0.code < $1.code } }
        var sums = tracks.first?.days ?? []
        for (position, (code, days)) in tracks.enumerated() {
            for day in days { rows.append((code, day)) }
            if position > 0 { sums = DailyRows.sums(of: sums, and: days) }
        }
        if tracks.count == 1, sums == overall { return }
        DailyRows.merge(sums, overall) { sum, day in
            guard let day else { return withoutOverall.append(sum!.day.number) }
            if sum != day { rows.append((0, day)) }
        }
    }

    /// Appends the rows to rows of `daily_rows`.
    func append(to cells: inout TableRows, _ learner: Int64) {
        for (language, day) in rows {
            cells.append(learner)
            cells.append(Int(day.day.number))
            cells.append(language)
            withUnsafePointer(to: day) { cells.append($0) }
        }
        for day in withoutOverall {
            cells.append(learner)
            cells.append(Int(day))
            cells.append(0)
            for _ in 3..<cells.width { cells.append(.null) }
        }
    }

    func has(_ day: Int32) -> Bool {
        rows.contains { $0.row.day.number == day } || withoutOverall.contains(day)
    }

    /// All days, ascending.
    var days: [Int32] {
        var days = rows.map { $0.row.day.number } + withoutOverall
        // Usually there is one day, in two languages.
        guard days.count > 1 else { return days }
        days.sort()
        var last: Int32?
        days.removeAll { day in
            defer { last = day }
            return day == last
        }
        return days
    }

    /// The sum of two lists of days, day by day.
    private static func sums(
        of one: ArraySlice<DayProjection>,
        and other: ArraySlice<DayProjection>
    ) -> ArraySlice<DayProjection> {
        var sums: ArraySlice<DayProjection> = []
        sums.reserveCapacity(one.count + other.count)
        merge(one, other) { one, other in
            if var sum = one {
                if let other { sum.add(other) }
                sums.append(sum)
            } else {
                sums.append(other!)
            }
        }
        return sums
    }

    /// Merges two ascending lists of days.
    /// - Parameter visit: called for each day, with the entries of both lists for the day; nil if a list has none.
    private static func merge(
        _ one: ArraySlice<DayProjection>,
        _ other: ArraySlice<DayProjection>,
        _ visit: (DayProjection?, DayProjection?) -> Void
    ) {
        var (first, second) = (one.startIndex, other.startIndex)
        let ends = (one.endIndex, other.endIndex)
        while first < ends.0 || second < ends.1 {
            let isFirst = second == ends.1 || first < ends.0 && one[first].day <= other[second].day
            let isSecond = first == ends.0 || second < ends.1 && other[second].day <= one[first].day
            visit(isFirst ? one[first] : nil, isSecond ? other[second] : nil)
            if isFirst { first += 1 }
            if isSecond { second += 1 }
        }
    }

    private static func add(_ day: DayProjection, to sums: inout [Int32: DayProjection]) {
        sums[day.day.number, default: DayProjection(day: day.day)].add(day)
    }

    /// Fills in the days of a projection's tracks.
    /// - Parameters:
    ///   - stored: the learner's rows of `daily_rows`.
    ///   - codes: the codes of the tracks' languages.
    static func read(into projection: inout LearnerProjection, _ stored: TableRows, codes: [Int64]) throws(Corruption) {
        let positions = Dictionary(codes.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        var sums: [Int32: DayProjection] = [:]
        var overall: [Int32: DayProjection?] = [:]
        for number in 0..<stored.count {
            let day = try DayProjection(stored, number)
            let code = stored.integer(number, 2)
            if code == 0 {
                overall[day.day.number] = .some(stored.isNull(number, 3) ? nil : day)
            } else {
                add(day, to: &sums)
                if let position = positions[code] { projection.tracks[position].days.append(day) }
            }
        }
        guard let position = positions[0] else { return }
        projection.tracks[position].days = Set(sums.keys).union(overall.keys).sorted().compactMap { day in
            overall[day] ?? sums[day]
        }
    }
}

extension DailyRows {
    /// Removes the rows that `other` has, too.
    /// - Returns: the keys of rows that `other` has and this object does not have. Only the days of this object are
    ///   compared.
    mutating func remove(_ other: DailyRows) -> [(day: Int32, language: Int64)] {
        let days = days
        let many = days.count > 8 ? Set(days) : []
        func isOwn(_ day: Int32) -> Bool { many.isEmpty ? days.contains(day) : many.contains(day) }
        var gone: [(day: Int32, language: Int64)] = []
        for (language, row) in other.rows where isOwn(row.day.number) {
            let position = rows.firstIndex { $0.language == language && $0.row.day == row.day }
            if let position {
                if rows[position].row == row { rows.remove(at: position) }
            } else if language != 0 || !withoutOverall.contains(row.day.number) {
                gone.append((row.day.number, language))
            }
        }
        for day in other.withoutOverall where isOwn(day) {
            if let position = withoutOverall.firstIndex(of: day) {
                withoutOverall.remove(at: position)
            } else if !rows.contains(where: { $0.language == 0 && $0.row.day.number == day }) {
                gone.append((day, 0))
            }
        }
        return gone
    }
}

extension DayProjection {
    /// A row of `daily_rows`.
    fileprivate init(_ rows: TableRows, _ number: Int) throws(Corruption) {
        self.init(day: try rows.day(number, 1))
        try read(rows, number)
    }
}

/// Compares rows with stored rows.
extension DailyRows {
    private struct RowKey: Hashable {
        var day: Int32
        var language: Int64
    }

    /// Removes the rows that are stored unchanged.
    /// - Parameters:
    ///   - storedRows: rows of `daily_rows`.
    ///   - positions: the range of the learner's rows in `storedRows`.
    /// - Returns: the keys of stored rows that have changed or no longer exist.
    mutating func remove(
        _ storedRows: TableRows,
        at positions: Range<Int>
    ) throws(Corruption) -> [(day: Int32, language: Int64)] {
        var stored: [RowKey: DayProjection?] = [:]
        for number in positions {
            let day = try DayProjection(storedRows, number)
            let key = RowKey(day: day.day.number, language: storedRows.integer(number, 2))
            stored[key] = .some(storedRows.isNull(number, 3) ? nil : day)
        }
        guard !stored.isEmpty else { return [] }
        rows.removeAll { language, row in
            let key = RowKey(day: row.day.number, language: language)
            guard stored[key] == .some(row) else { return false }
            stored[key] = nil
            return true
        }
        withoutOverall.removeAll { day in
            let key = RowKey(day: day, language: 0)
            guard let row = stored[key], row == nil else { return false }
            stored[key] = nil
            return true
        }
        return stored.keys.map { ($0.day, $0.language) }
    }
}
