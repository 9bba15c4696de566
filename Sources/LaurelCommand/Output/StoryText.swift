// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import LaurelResults

/// Writes stories as plain text. A story explains a number.
extension Style {
    func text(_ story: Story) -> String { LocaleText.english.spans(of: story).map(text).joined() }

    private func text(_ span: Story.Span) -> String {
        switch span {
        case .text(let text): text
        case .phrase(let key, _): key.text
        case .data(let text), .code(let text), .achievement(_, let text): Visible.text(text)
        case .number(let number, let decimals): Numbers.grouped(number, decimals: decimals)
        case .change(let number): (number > 0 ? "+" : "") + Numbers.grouped(number)
        case .percent(let share): Numbers.percent(share * 100)
        case .bar(let share): bar(share, width: 10)
        case .instant(let instant): TimeText.minute(instant)
        case .date(let day): "\(day)"
        case .day(let day): "\(day) \(day.shortWeekdayName)"
        case .weekday(let weekday): LocalDay.weekdayNames[weekday - 1]
        case .event(let event): Visible.text("\(event.type) \(event.source)/\(event.id)")
        case .time(let event): clock(event)
        case .dateAndTime(let event): "\(TimeText.day(event.clockTime)) \(clock(event))"
        case .session(let event): Visible.text(event.session ?? "")
        case .learner(let id, let name): Visible.text(name.map { "\(id) (\($0))" } ?? id)
        case .toned(let tone, let story): paint(text(story), tone.colour)
        }
    }

    /// The time by the learner's clock: `19:03:11 +01:00`.
    private func clock(_ event: EventReference) -> String {
        func twoDigits(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let offset = event.secondsFromGMT ?? 0
        let minutes = offset.magnitude / 60
        let hours = "\(offset < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
        return "\(TimeText.second(event.clockTime)) \(hours)"
    }

    /// A line with the title and the value of a fact.
    func text(_ fact: StoryFact) -> String { "  \(paint(fact.title.padded(toCells: 12), .dim))\(text(fact.story))" }

    /// The heading of an explanation: `Name (id) in es, as of TIME`.
    func heading(_ subject: String, _ language: String?, _ instant: Timestamp) -> String {
        let track = language.map { "in \(Visible.text($0))" } ?? "in all languages"
        return "\(paint(Visible.text(subject), .bold)) \(track), as of \(instant)"
    }
}

extension Story.Tone {
    fileprivate var colour: Style.Colour {
        switch self {
        case .strong: .bold
        case .good: .green
        case .bad: .red
        case .quiet: .dim
        }
    }
}

extension StoryTable {
    /// - Parameter indent: the text before the first column of each line.
    func write(to output: OutputStream, style: Style, indent: String = "") throws(SystemError) {
        var table = Table(
            columns.enumerated().map { index, column in
                let title = index == 0 ? indent + column.title : column.title
                let shown: Table.Column =
                    switch column.kind {
                    case .prose: .prose(title)
                    case .text: .text(title)
                    case .number: .number(title)
                    }
                return column.isSpare ? shown.spare : shown
            }
        )
        // Cells of a table have no colour.
        let plain = Style(isTerminal: style.isTerminal, hasColour: false, width: style.width)
        for row in rows {
            table.add(row.enumerated().map { index, cell in (index == 0 ? indent : "") + plain.text(cell) })
        }
        try table.write(to: output, style: style)
    }
}
