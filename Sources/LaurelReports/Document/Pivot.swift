/// A table of category, series and number, turned into one with a column per series.
struct Pivot {
    let table: DataTable

    /// Categories and series come in the order in which they are first met; a series that has no value there counts as 0.
    init(_ exhibit: Exhibit) {
        let source = exhibit.table
        guard let name = exhibit.series, let series = source.index(of: name),
            let category = source.columns.indices.first(where: { $0 != series }),
            let value = source.columns.indices.last(where: { $0 != series })
        else {
            table = source
            return
        }
        let (categories, places) = Pivot.categories(source, category)
        let (names, columns) = Pivot.series(source, series)
        var sums = Array(repeating: Array(repeating: 0.0, count: names.count), count: categories.count)
        for row in source.rows {
            guard let column = columns[Pivot.key(row[series])], let place = places[Pivot.key(row[category])] else {
                continue
            }
            sums[place][column] += row[value].number ?? 0
        }
        let model = source.columns[value]
        let numbers = names.map { name in
            DataTable.Column(name: name, title: name, type: model.type, unit: model.unit, decimals: model.decimals)
        }
        table = DataTable(
            columns: [source.columns[category]] + numbers,
            rows: zip(categories, sums).map { [$0] + $1.map(Cell.number) }
        )
    }

    /// A column's values, each once, with their places by key.
    private static func categories(_ source: DataTable, _ column: Int) -> ([Cell], [String: Int]) {
        var categories: [Cell] = []
        var places: [String: Int] = [:]
        for row in source.rows where places[key(row[column])] == nil {
            places[key(row[column])] = categories.count
            categories.append(row[column])
        }
        return (categories, places)
    }

    /// The names of series with their places. A row may name a category and no series: nothing happened there.
    private static func series(_ source: DataTable, _ column: Int) -> ([String], [String: Int]) {
        var names: [String] = []
        var places: [String: Int] = [:]
        for row in source.rows where row[column] != .null && places[key(row[column])] == nil {
            places[key(row[column])] = names.count
            names.append(key(row[column]))
        }
        return (names, places)
    }

    /// Series beyond what colours can tell apart, the smallest ones, as one.
    var charted: DataTable {
        let most = 7
        guard table.columns.count - 1 > most else { return table }
        let sums = table.columns.indices.dropFirst().map { index in
            (index: index, sum: table.rows.reduce(0) { $0 + ($1[index].number ?? 0) })
        }
        let kept = Set(sums.sorted { ($1.sum, $0.index) < ($0.sum, $1.index) }.prefix(most - 1).map(\.index))
        let shown = table.columns.indices.filter { $0 == 0 || kept.contains($0) }
        let rest = table.columns.indices.filter { !shown.contains($0) }
        var other = table.columns[rest[0]]
        other.name = ""
        other.title = Strings.other
        return DataTable(
            columns: shown.map { table.columns[$0] } + [other],
            rows: table.rows.map { row in
                shown.map { row[$0] } + [.number(rest.reduce(0) { $0 + (row[$1].number ?? 0) })]
            }
        )
    }

    private static func key(_ cell: Cell) -> String {
        switch cell {
        case .null: ""
        case .text(let text): text
        case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        }
    }
}
