// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelReports
import LaurelResults
import LaurelWire

/// Writes stories as HTML. A story explains a number.
extension HTML {
    /// Writes a story.
    /// - Parameter learner: the learner to whose pages events, days and achievements link; nil for no links.
    mutating func render(_ story: Story, _ learner: LearnerVisit? = nil) {
        for span in LocaleText.current.spans(of: story) { render(span, learner) }
    }

    private mutating func render(_ span: Story.Span, _ learner: LearnerVisit?) {
        switch span {
        case .text(let text): write(text)
        case .phrase: break
        case .data(let text): data(text)
        case .code(let text): element("code") { $0.data(text) }
        case .number(let number, _): write(WrittenText.number(number))
        case .change(let number): write((number > 0 ? "+" : "") + WrittenText.number(number))
        case .percent(let share): write(WrittenText.percent(share * 100))
        case .bar(let share): meter("Share", share)
        case .instant(let instant): write(time(instant))
        case .date(let day): write(WrittenText.day(day))
        case .day(let day):
            render(link: learner?.link("why", "xp", query: ["day": "\(day)"])) { $0.write(WrittenText.day(day)) }
        case .weekday(let weekday): write(WrittenText.weekday(weekday))
        case .event(let event):
            render(link: learner?.event(event), class: "event") { link in
                link.element("span", ["class": "type"], text: event.type)
            }
        case .time(let event): element("span", ["class": "when"], text: WrittenText.clock(event.clockTime))
        case .dateAndTime(let event):
            let local = event.clockTime
            element("span", ["class": "when"], text: "\(WrittenText.day(day(local))), \(WrittenText.clock(local))")
        case .session(let event):
            render(link: learner?.link("sessions", event.session ?? "")) {
                $0.write(String(WrittenText.clock(event.clockTime).dropLast(3)))
            }
        case .achievement(let id, let name):
            render(link: learner?.link("why", "achievement", query: ["achievement": id])) { $0.data(name) }
        case .learner(let id, let name): render(link: Link("learners", id)) { $0.data(name ?? id) }
        case .toned(.strong, let story): element("span", ["class": "strong"]) { $0.render(story, learner) }
        case .toned(.quiet, let story): element("span", ["class": "small"]) { $0.render(story, learner) }
        case .toned(.good, let story): element("span", ["class": "badge good"]) { $0.render(story, learner) }
        case .toned(.bad, let story): element("span", ["class": "badge bad"]) { $0.render(story, learner) }
        }
    }

    private mutating func render(link: Link?, class names: String? = nil, _ content: (inout HTML) -> Void) {
        guard let link else { return content(&self) }
        element("a", ["href": link.text, "class": names], content: content)
    }

    private func time(_ instant: Date) -> String {
        "\(WrittenText.day(day(instant))), \(WrittenText.clock(instant).dropLast(3))"
    }

    private func day(_ instant: Date) -> LocalDay { LocalDay(containing: instant.milliseconds) }

    /// Writes a sentence. A click shows the reason, with links to the learner's events.
    mutating func because(_ sentence: Story, _ reason: Story, _ learner: LearnerVisit) {
        because(sentence) { details in details.element("p") { $0.render(reason, learner) } }
    }

    /// Writes a sentence. A click shows the content below it.
    mutating func because(_ sentence: Story, _ content: (inout HTML) -> Void) {
        element("details", ["class": "because"]) { details in
            details.element("summary") { $0.render(sentence) }
            content(&details)
        }
    }

    /// Writes facts, each with its name above it.
    mutating func render(_ facts: [StoryFact], _ learner: LearnerVisit? = nil) {
        element("dl", ["class": "pairs"]) { list in
            for fact in facts {
                list.element("dt", text: PageText(english: fact.title))
                list.element("dd") { $0.render(fact.story, learner) }
            }
        }
    }

    /// Writes a table of a story, without the bars that text output has.
    mutating func render(_ table: StoryTable, title: PageText, _ learner: LearnerVisit? = nil) {
        let shown = table.columns.indices.filter { !table.columns[$0].title.isEmpty }
        let heads = shown.map { index in
            let column = table.columns[index]
            let title = WrittenText.text(PageText(english: column.title)).capitalizedFirst
            return TableHead("\(title)", isNumber: column.kind == .number)
        }
        self.table(title, heads) { body in
            for cells in table.rows {
                body.element("tr") { row in
                    for index in shown {
                        let isNumber = table.columns[index].kind == .number
                        row.element("td", ["class": isNumber ? "n" : nil]) {
                            $0.render(cells[index], learner)
                        }
                    }
                }
            }
        }
    }
}

extension String {
    /// The text with a capital first letter.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
