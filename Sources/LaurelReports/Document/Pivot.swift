// SPDX-License-Identifier: Apache-2.0

/// Turns a table with the columns category, series and number into a table with a column per series.
struct Pivot {
    let table: DataTable
    private let locale: LocaleText

    /// Creates a table with a column for each series. Categories and series keep the order in which they first occur.
    /// If a series has no value in a category, a line has a gap there, a grid has an empty cell, and another chart
    /// shows 0.
    init(_ exhibit: Exhibit, _ locale: LocaleText) {
        self.locale = locale
        let source = exhibit.table
        guard let name = exhibit.series, let series = source.index(of: name),
            let category = source.columns.indices.first(where: { $0 != series }),
            let value = source.columns.indices.last(where: { $0 != series })
        else {
            table = source
            return
        }
        let (categories, places) = Pivot.categories(source, category)
        let (names, columns) = Pivot.series(source, series, exhibit.colors)
        // A missing value counts as 0 only in a sum.
        let nothing = exhibit.show == .line || exhibit.show == .heatmap ? Cell.null : .number(0)
        var sums = Array(repeating: Array(repeating: nothing, count: names.count), count: categories.count)
        for row in source.rows {
            guard let column = columns[row[series].key], let place = places[row[category].key] else {
                continue
            }
            guard let number = row[value].number else { continue }
            sums[place][column] = .number((sums[place][column].number ?? 0) + number)
        }
        let model = source.columns[value]
        let numbers = names.map { name in
            DataTable.Column(
                name: name,
                title: locale.value(.text(name), source.columns[series]),
                type: model.type,
                unit: model.unit,
                decimals: model.decimals
            )
        }
        table = DataTable(
            columns: [source.columns[category]] + numbers,
            rows: zip(categories, sums).map { [$0] + $1 }
        )
    }

    /// The different values of a column in order. The dictionary has the index of each value by its key.
    private static func categories(_ source: DataTable, _ column: Int) -> ([Cell], [String: Int]) {
        var categories: [Cell] = []
        var places: [String: Int] = [:]
        for row in source.rows where places[row[column].key] == nil {
            places[row[column].key] = categories.count
            categories.append(row[column])
        }
        return (categories, places)
    }

    /// The names of the series, and their indexes. Series with colours are ordered by colour, so that the order is the
    /// same in all reports. Others keep the order in which they first occur. A row without a series only adds its
    /// category.
    private static func series(
        _ source: DataTable,
        _ column: Int,
        _ colors: [String: Int]
    ) -> ([String], [String: Int]) {
        var names: [String] = []
        var met: Set<String> = []
        for row in source.rows where row[column] != .null && met.insert(row[column].key).inserted {
            names.append(row[column].key)
        }
        names = names.enumerated()
            .sorted { (colors[$0.element] ?? .max, $0.offset) < (colors[$1.element] ?? .max, $1.offset) }
            .map(\.element)
        return (names, Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) }))
    }

    /// The table with at most six series: the five largest ones, and the sum of the rest. Readers cannot distinguish
    /// more colours.
    func charted(_ colors: [String: Int]) -> DataTable {
        let most = 6
        let numbers = table.columns.dropFirst().compactMap { colors[$0.name] }.map(SeriesColors.number)
        guard table.columns.count - 1 > most || Set(numbers).count < numbers.count else { return table }
        let sums = table.columns.indices.dropFirst().map { index in
            (index: index, sum: table.rows.reduce(0) { $0 + ($1[index].number ?? 0) })
        }
        var used: Set<Int> = []
        let largest = sums.sorted { ($1.sum, $0.index) < ($0.sum, $1.index) }.filter { series in
            colors[table.columns[series.index].name].map { used.insert(SeriesColors.number($0)).inserted } ?? true
        }
        let kept = Set(largest.prefix(most - 1).map(\.index))
        let shown = table.columns.indices.filter { $0 == 0 || kept.contains($0) }
        let rest = table.columns.indices.filter { !shown.contains($0) }
        var other = table.columns[rest[0]]
        other.name = SeriesColors.otherName
        other.title = locale.texts(.other)
        return DataTable(
            columns: shown.map { table.columns[$0] } + [other],
            rows: table.rows.map { row in
                shown.map { row[$0] } + [.number(rest.reduce(0) { $0 + (row[$1].number ?? 0) })]
            }
        )
    }

}

extension Cell {
    /// The text that identifies a series or a category.
    var key: String {
        switch self {
        case .null: ""
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        }
    }
}
