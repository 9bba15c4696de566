// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelResults

/// A comparison of rules for people: the differences, their effect in numbers, and the learners with the largest
/// changes.
struct DiffReport {
    static let defaultLimit = 10

    let diff: RulesDiff
    let style: Style
    private let story: DifferenceStory
    private var summary: DifferenceSummary { diff.summary }

    init(diff: RulesDiff, style: Style) {
        (self.diff, self.style) = (diff, style)
        story = DifferenceStory(diff.summary)
    }

    func write(to output: OutputStream, title: String, limit: Int) throws {
        try output.writeLine(style.paint(Visible.text(title), .bold))
        let learners = Numbers.count(summary.compared, "learner")
        let of = summary.isSample ? " of \(Numbers.grouped(summary.population)), a sample" : ""
        try output.writeLine("\(learners)\(of), \(Numbers.count(diff.events, "event")), as of \(diff.at)")
        if summary.isSample {
            try output.writeLine(
                "Counts are estimates for all, with their 95% confidence interval (\(Estimate.method))"
            )
        }
        if let variant = diff.variant { try output.writeLine(variant.note) }
        try writeChanges(to: output)
        if summary.compared > 0 { try writeSummary(to: output) }
        try writeAchievements(to: output)
        try writeLearners(to: output, limit: limit)
    }

    private func writeChanges(to output: OutputStream) throws {
        try output.writeLine()
        for (change, _, noEffect) in DifferenceStory.changes(summary.changes) {
            try output.writeLine("  \(mark(change)) \(Visible.text(change.statement))")
            if let noEffect { try output.writeLine("    " + style.text(noEffect)) }
        }
        if let note = story.note { try output.writeLine("  " + style.text(note)) }
    }

    private func mark(_ change: RulesChange) -> String {
        switch change.kind {
        case .added: style.paint("+", .green)
        case .removed: style.paint("-", .red)
        default: style.paint("~", .yellow)
        }
    }

    private func writeSummary(to output: OutputStream) throws {
        try output.writeLine()
        let looks: [(block: Character, letter: Character, colour: Style.Colour)] = [
            ("█", "+", .green), ("▓", "-", .red), ("▒", "~", .yellow), ("▪", ":", .cyan), ("░", ".", .dim),
        ]
        let segments = zip(story.outcomes, looks).map { outcome, look in
            Style.Segment(
                name: outcome.name,
                count: outcome.count,
                block: look.block,
                letter: look.letter,
                colour: look.colour
            )
        }
        try output.writeLine("  Learners    " + style.stackedBar(segments, width: min(48, (style.width ?? 80) - 16)))
        let key = segments.filter { $0.count > 0 }.map { segment in
            "\(style.swatch(segment)) \(segment.name) \(style.text(story.count(segment.count)))"
        }
        try output.writeLine("              " + key.joined(separator: "  "))
        for fact in story.facts { try output.writeLine(style.text(fact)) }
    }

    private func writeAchievements(to output: OutputStream) throws {
        guard let (table, unchanged) = story.achievements else { return }
        try output.writeLine()
        guard !table.rows.isEmpty else { return try output.writeLine("  Achievements are held as before") }
        try table.write(to: output, style: style, indent: "  ")
        if unchanged > 0 { try output.writeLine("  \(Numbers.grouped(unchanged)) more as before") }
    }

    private func writeLearners(to output: OutputStream, limit: Int) throws {
        let learners = diff.learners.filter(\.differs)
        guard limit > 0, !learners.isEmpty else { return }
        try output.writeLine()
        try DifferenceStory.table(learners.prefix(limit)).write(to: output, style: style, indent: "  ")
        guard learners.count > limit else { return }
        try output.writeLine(
            "  … of \(Numbers.count(learners.count, "learner")); --limit, --csv and --json show more"
        )
    }
}
