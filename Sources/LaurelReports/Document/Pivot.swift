// SPDX-License-Identifier: Apache-2.0

/// A table of category, series and number, turned into one with a column per series.
struct Pivot {
    let table: DataTable
    private let locale: LocaleText

    /// Categories and series keep the order of their first rows. A series without a value in a category counts as 0
    /// there; a line has a gap.
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
        // Missing values are gaps in lines, and 0 in sums.
        let nothing = exhibit.show == .line ? Cell.null : .number(0)
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

    /// A column's values, each once, with their places by key.
    private static func categories(_ source: DataTable, _ column: Int) -> ([Cell], [String: Int]) {
        var categories: [Cell] = []
        var places: [String: Int] = [:]
        for row in source.rows where places[row[column].key] == nil {
            places[row[column].key] = categories.count
            categories.append(row[column])
        }
        return (categories, places)
    }

    /// The names of series, and their indexes: by colour if the series have colours, so that equal reports have equal
    /// orders; otherwise in the order of their first rows. A row with a category and without a series means that
    /// nothing happened there.
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

    /// The table with at most five series and one of the smallest together, because readers tell no more colours apart.
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
