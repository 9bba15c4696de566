// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelResults

/// The sources of a learner's XP as text: a sentence per day, session and rule.
struct XPReport {
    private static let amountWidth = 9

    private let explanation: XPExplanation
    private let days: [XPStory.Day]
    /// True if each sentence is followed by its events.
    private let hasEvents: Bool
    /// The number of sentences that are not listed, the earliest ones. The sums include the XP of these sentences.
    private let omitted: Int

    /// - Parameter limit: the maximum number of sentences listed; nil for all. The latest sentences are listed.
    init(_ explanation: XPExplanation, _ story: XPStory, hasEvents: Bool, limit: Int?) {
        (self.explanation, self.hasEvents) = (explanation, hasEvents)
        days = story.days(explanation.events)
        let sentences = days.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.sentences.count } }
        omitted = max(0, sentences - (limit ?? .max))
    }

    func write(to output: OutputStream, style: Style) throws {
        if omitted > 0 {
            let left = Numbers.count(omitted, "earlier line")
            try output.writeLine(style.paint("  … \(left) not listed", .dim))
        }
        var toSkip = omitted
        for day in days {
            let parts = day.parts.map { part in
                let listed = part.sentences.dropFirst(toSkip)
                toSkip = max(0, toSkip - part.sentences.count)
                return (part.title, listed)
            }
            guard parts.contains(where: { !$0.1.isEmpty }) else { continue }
            try output.writeLine()
            let heading: Story = "\(.toned(.strong, "\(.day(day.day))")): \(.number(Double(day.xp), places: 0)) XP"
            try output.writeLine(style.text(heading))
            for (title, sentences) in parts where !sentences.isEmpty {
                if let title { try output.writeLine("  \(style.text(title))") }
                for sentence in sentences { try write(sentence, output, style) }
            }
        }
        try output.writeLine()
        try writeSums(output, style)
    }

    private func write(_ sentence: XPStory.Sentence, _ output: OutputStream, _ style: Style) throws {
        let text = "\(style.text(sentence.title))  \(style.text(sentence.story))"
        try output.writeLine(line(sentence.amount, text, style))
        if let flag = sentence.flag { try output.writeLine("           \(style.paint(style.text(flag), .yellow))") }
        guard hasEvents else { return }
        for event in sentence.lines {
            let time: Story = "\(.toned(.quiet, "\(.time(event.event))"))"
            try output.writeLine("             \(style.text(time))  \(style.text(event.heading))")
            try output.writeLine("      \(line(event.amount, style.text(event.story), style))")
        }
    }

    private func line(_ amount: Int, _ text: String, _ style: Style) -> String {
        let number = aligned(style.text("\(.change(Double(amount)))"))
        let colour: Style.Colour = amount > 0 ? .green : amount < 0 ? .red : .dim
        return "\(style.paint(number, colour))  \(amount == 0 ? style.paint(text, .dim) : text)"
    }

    private func aligned(_ text: String) -> String {
        String(repeating: " ", count: max(0, Self.amountWidth - text.count)) + text
    }

    private func writeSums(_ output: OutputStream, _ style: Style) throws {
        guard !explanation.events.isEmpty else { return try output.writeLine("  " + style.text(XPStory.nothing)) }
        try output.writeLine(style.paint("Sums", .bold))
        for part in explanation.xpBreakdown {
            try output.writeLine(aligned(Numbers.grouped(part.value, decimals: 2)) + "  " + Visible.text(part.name))
        }
        try output.writeLine(style.paint(aligned(Numbers.grouped(explanation.totalXP)) + "  total", .bold))
    }
}
