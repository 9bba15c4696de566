// SPDX-License-Identifier: Apache-2.0

package import Laurel
package import LaurelWire

/// The charts of reports, for other pages that use the same style sheet.
package enum PageChart {
    /// The style sheet of the charts. Pages with the same look can use it, too.
    package static var style: String { HTMLFormat.style }

    /// The sources of XP in the order of their colours. Reports and other pages give a source the same colour.
    package static func sources(_ engine: ProgressEngine) -> [String] { engine.plan.allBuckets }

    /// A source's name for readers.
    package static func title(ofSource bucket: String) -> String {
        LocaleText.current.texts.text(IdentifierTitle.of(bucket))
    }

    /// The name of the series that contains the values of all series that are not drawn separately. It has a separate
    /// colour.
    package static var other: String { LocaleText.current.texts(.other) }

    /// The definitions of the charts' patterns. A page must contain them once, before its first chart.
    package static func patterns() -> HTML {
        var markup = HTML()
        ChartPatterns.define(in: &markup)
        return markup
    }

    /// A calendar with a square per day. A square shows the day's value, and the day's state for the streak.
    /// - Parameters:
    ///   - title: the text for screen readers.
    ///   - unit: the unit of the values.
    ///   - days: the days, ascending, from the first day of a week.
    package static func calendar(
        _ title: String,
        unit: String,
        days: [(day: LocalDay, value: Double, state: String?)]
    ) -> HTML {
        let columns = [
            column("day", text("Day"), .date), column("value", unit, .number, unit: unit),
            column("state", text("State"), .text),
        ]
        let rows = days.map { day in
            [Cell.text("\(day.day)"), .number(day.value), day.state.map { .text($0) } ?? .null]
        }
        let exhibit = exhibit(.calendar, DataTable(columns: columns, rows: rows))
        var markup = HTML()
        let chart = CalendarChart(exhibit, title: title, locale: .current)
        chart.draw(into: &markup)
        chart.drawKey(into: &markup)
        HTMLTable(table: chart.days.eventful(exhibit.table), locale: .current)
            .writeBelowChart(into: &markup, caption: title)
        return markup
    }

    /// A chart of stacked parts with one column per day.
    /// - Parameters:
    ///   - title: the text for screen readers.
    ///   - unit: the unit of the values.
    ///   - series: the names of the parts, each with the number of its colour, from 1. The number is nil for the series
    ///     that contains all other values.
    ///   - rows: the days, each with a value per part.
    package static func stackedDays(
        _ title: String,
        unit: String,
        series: [(name: String, color: Int?)],
        rows: [(day: LocalDay, values: [Double])]
    ) -> HTML {
        let columns =
            [column("day", text("Day"), .date)]
            + series.map { column($0.color == nil ? SeriesColors.otherName : $0.name, $0.name, .number, unit: unit) }
        let table = DataTable(
            columns: columns,
            rows: rows.map { [.text("\($0.day)")] + $0.values.map { .number($0) } }
        )
        var exhibit = exhibit(.stackedBar, table)
        for case (let name, let color?) in series { exhibit.colors[name] = color }
        let locale = LocaleText.current
        var markup = HTML()
        let chart = ColumnChart(table: table, style: .stacked, title: title, exhibit: exhibit, locale: locale)
        chart.draw(into: &markup)
        chart.drawKey(into: &markup)
        HTMLTable(table: table, locale: locale).writeBelowChart(into: &markup, caption: title)
        return markup
    }

    /// Bars below their names.
    /// - Parameters:
    ///   - title: the title of the values.
    ///   - unit: the unit of the values, singular and plural.
    ///   - rows: names with their values.
    package static func bars(
        _ title: String,
        unit: (one: String, other: String),
        rows: [(name: String, value: Double)]
    ) -> HTML {
        var value = column("value", title, .number)
        value.unit = LocaleText.current.texts.unit(ColumnUnit(one: unit.one, other: unit.other))
        let columns = [column("name", text("Name"), .text), value]
        let table = DataTable(columns: columns, rows: rows.map { [.text($0.name), .number($0.value)] })
        var markup = HTML()
        BarList(
            table: table,
            isStacked: false,
            colors: SeriesColors(palette: .distinct, names: [title]),
            target: nil,
            locale: .current
        ).draw(into: &markup)
        return markup
    }

    private static func text(_ english: String) -> String { LocaleText.current.texts.text(english) }

    static func column(
        _ name: String,
        _ title: String,
        _ type: ColumnType,
        unit: String? = nil
    ) -> DataTable.Column {
        DataTable.Column(name: name, title: title, type: type, unit: unit.map { ColumnUnit(one: $0, other: $0) })
    }

    private static func exhibit(_ show: ExhibitKind, _ table: DataTable) -> Exhibit {
        Exhibit(show: show, width: .full, table: table, columns: [])
    }
}
