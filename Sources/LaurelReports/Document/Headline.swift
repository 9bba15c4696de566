// SPDX-License-Identifier: Apache-2.0

/// A large number, with its change since the previous period and its note.
struct Headline {
    struct Change {
        /// The change with its sign, such as `+120 XP`.
        var short: String
        var sentence: String
        /// True if the change is an improvement; nil if it is neither better nor worse.
        var isGood: Bool?
        /// The direction of the change: −1, 0 or 1.
        var direction: Int
    }

    var title: String
    var value: String
    /// True if the value is a number with its unit. Such a value must not be broken across lines.
    var isNumber: Bool
    var change: Change?
    var note: String?

    /// The change and the note, in words.
    var remarks: [String] { [change?.sentence, note].compactMap(\.self) }

    /// The headlines of the first row, one for each column. A column that contains only another column's previous value
    /// or note gets no headline.
    static func all(of exhibit: Exhibit, _ locale: LocaleText) -> [Headline] {
        guard let row = exhibit.table.rows.first else { return [] }
        let attached = Set(exhibit.columns.flatMap(\.attached))
        return exhibit.columns.indices.filter { !attached.contains(exhibit.columns[$0].name) }.map { index in
            let (definition, column) = (exhibit.columns[index], exhibit.table.columns[index])
            return Headline(
                title: column.title,
                value: locale.text(row[index], column),
                isNumber: column.type.isNumeric,
                change: change(row, index, definition, exhibit, locale),
                note: definition.note.flatMap { $0.filled(exhibit.table, row, locale) }
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
        // The difference of two percentages is in points: from 80 % to 84 % is four points, not four per cent.
        let amount =
            column.type == .percent
            ? locale.counted(difference.magnitude, locale.texts.unit(Phrase.points), decimals: 1)
            : locale.text(.number(difference.magnitude), column)
        if difference == 0 {
            return Change(short: "±0", sentence: locale.texts(.sameAsBefore), isGood: nil, direction: 0)
        }
        return Change(
            short: (difference > 0 ? "+" : "−") + amount,
            sentence: locale.texts(sentence(difference, column), ["change": amount]),
            isGood: definition.moreIsBetter.map { $0 == (difference > 0) },
            direction: difference > 0 ? 1 : -1
        )
    }

    /// The phrase for a change. A smaller count is “fewer”, a smaller measure is “less”, and a smaller percentage is
    /// “lower”.
    private static func sentence(_ difference: Double, _ column: DataTable.Column) -> Phrase {
        let isCounted =
            column.type == .number && column.unit?.isMeasure != true && difference == difference.rounded()
        return switch (column.type == .percent, difference > 0) {
        case (true, true): .higherThanBefore
        case (true, false): .lowerThanBefore
        case (false, true): .moreThanBefore
        case (false, false): isCounted ? .fewerThanBefore : .lessThanBefore
        }
    }
}

/// A share of a whole.
struct Ring {
    /// The share, 0 … 1.
    let share: Double
    let percent: String
    /// The share in words, such as `9 of 15 min`.
    let detail: String

    init(_ exhibit: Exhibit, _ locale: LocaleText) {
        let (row, columns) = (exhibit.table.rows[0], exhibit.table.columns)
        let part = row[0].number ?? 0
        if row.count > 1, let whole = row[1].number {
            share = whole > 0 ? part / whole : 0
            detail = locale.texts(
                .part,
                ["part": locale.text(row[0], columns[0]), "whole": locale.text(row[1], columns[1])]
            )
        } else {
            share = part / 100
            detail = columns[0].title
        }
        percent = locale.percent(share * 100)
    }
}
