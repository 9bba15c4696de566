/// A number that stands for itself, with what goes with it.
struct Headline {
    struct Change {
        /// With its sign, as `+120 XP`.
        var short: String
        var sentence: String
        /// nil where it is neither good nor bad.
        var isGood: Bool?
        /// −1, 0, 1.
        var direction: Int
    }

    var title: String
    var value: String
    var unit: String?
    var change: Change?
    var note: String?

    /// The headlines of the first row: one per column that is not another's previous value or note.
    static func all(of exhibit: Exhibit, _ locale: LocaleText) -> [Headline] {
        guard let row = exhibit.table.rows.first else { return [] }
        let attached = Set(exhibit.columns.flatMap { [$0.previous, $0.note].compactMap(\.self) })
        return exhibit.columns.indices.filter { !attached.contains(exhibit.columns[$0].name) }.map { index in
            let (definition, column) = (exhibit.columns[index], exhibit.table.columns[index])
            return Headline(
                title: column.title,
                value: locale.text(row[index], column),
                change: change(row, index, definition, exhibit, locale),
                note: definition.note.flatMap { exhibit.table.index(of: $0) }.flatMap { place in
                    row[place] == .null ? nil : locale.text(row[place], exhibit.table.columns[place])
                }
            )
        }
    }

    private static func change(
        _ row: [Cell],
        _ index: Int,
        _ definition: ColumnDefinition,
        _ exhibit: Exhibit,
        _ locale: LocaleText
    ) -> Change? {
        guard let place = definition.previous.flatMap({ exhibit.table.index(of: $0) }), let now = row[index].number,
            let before = row[place].number
        else { return nil }
        let difference = now - before
        let column = exhibit.table.columns[index]
        // From 80 to 84 % is four points more, not four per cent.
        let amount =
            column.type == .percent
            ? Strings.points(locale.number(difference.magnitude, decimals: 1))
            : locale.text(.number(difference.magnitude), column)
        if difference == 0 {
            return Change(short: "±0", sentence: Strings.sameAsBefore, isGood: nil, direction: 0)
        }
        return Change(
            short: (difference > 0 ? "+" : "−") + amount,
            sentence: difference > 0 ? Strings.moreThanBefore(amount) : Strings.lessThanBefore(amount),
            isGood: definition.moreIsBetter.map { $0 == (difference > 0) },
            direction: difference > 0 ? 1 : -1
        )
    }
}

/// A share of a whole.
struct Ring {
    /// 0 … 1.
    let share: Double
    let percent: String
    /// `9 of 15 min`.
    let detail: String

    init(_ exhibit: Exhibit, _ locale: LocaleText) {
        let (row, columns) = (exhibit.table.rows[0], exhibit.table.columns)
        let part = row[0].number ?? 0
        if row.count > 1, let whole = row[1].number {
            share = whole > 0 ? part / whole : 0
            detail = Strings.part(locale.text(row[0], columns[0]), of: locale.text(row[1], columns[1]))
        } else {
            share = part / 100
            detail = columns[0].title
        }
        percent = locale.percent(share * 100)
    }
}
