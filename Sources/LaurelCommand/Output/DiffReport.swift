import Laurel
import LaurelEvents
import LaurelRules

/// A diff of rules for people: what differs, what comes of it in numbers, and for whom most.
struct DiffReport {
    static let defaultLimit = 10
    private static let barWidth = 20

    let diff: RulesDiff
    let style: Style
    private var summary: DifferenceSummary { diff.summary }

    init(diff: RulesDiff, style: Style) {
        self.diff = diff
        self.style = style
    }

    func write(to output: OutputStream, title: String, at instant: Timestamp, limit: Int) throws {
        try output.writeLine(style.paint(Visible.text(title), .bold))
        let learners = Numbers.count(summary.learners, "learner")
        let of = summary.isSample ? " of \(Numbers.grouped(summary.population)), a sample" : ""
        try output.writeLine("\(learners)\(of), \(Numbers.count(diff.events, "event")), as of \(instant)")
        if summary.isSample {
            try output.writeLine(
                "Counts are estimates for all, with their 95% confidence interval (\(Estimate.method))"
            )
        }
        try writeChanges(to: output)
        if summary.learners > 0 { try writeSummary(to: output) }
        try writeAchievements(to: output)
        try writeLearners(to: output, limit: limit)
    }

    // MARK: What differs

    private func writeChanges(to output: OutputStream) throws {
        try output.writeLine()
        let changes = diff.comparison.changes
        if changes.isEmpty { try output.writeLine("  The two say the same") }
        for change in changes {
            try output.writeLine("  \(mark(change)) \(Visible.text(change.statement))")
            if let reason = change.noEffect {
                try output.writeLine("    " + style.paint("no effect: \(Visible.text(reason))", .dim))
            }
        }
        if diff.comparison.impact == .listings, !changes.isEmpty {
            try output.writeLine("  None of this changes a number")
        }
    }

    private func mark(_ change: RulesChange) -> String {
        switch change.kind {
        case .added: style.paint("+", .green)
        case .removed: style.paint("-", .red)
        default: style.paint("~", .yellow)
        }
    }

    // MARK: The summary

    private func writeSummary(to output: OutputStream) throws {
        try output.writeLine()
        let segments: [Style.Segment] = [
            .init(name: "gain", count: summary.gain, block: "█", letter: "+", colour: .green),
            .init(name: "lose", count: summary.lose, block: "▓", letter: "-", colour: .red),
            .init(name: "both", count: summary.mixed, block: "▒", letter: "~", colour: .yellow),
            .init(name: "only dates", count: summary.redated, block: "▪", letter: ":", colour: .cyan),
            .init(name: "no change", count: summary.unchanged, block: "░", letter: ".", colour: .dim),
        ]
        try output.writeLine("  Learners    " + style.stackedBar(segments, width: 48))
        let key = segments.filter { $0.count > 0 }.map { "\(style.swatch($0)) \($0.name) \(count($0.count))" }
        try output.writeLine("              " + key.joined(separator: "  "))
        try output.writeLine("  Level       " + sentence(summary.level, "level"))
        try output.writeLine("  XP          " + sentence(summary.xp, "XP") + sum(summary.xp))
        try output.writeLine(
            "  Streak      now: \(days(summary.currentStreak)); longest: \(days(summary.longestStreak))"
        )
        if summary.wordsLearned.changed > 0 {
            try output.writeLine("  Words       learned: \(sentence(summary.wordsLearned, "words"))")
        }
        if summary.cefrHigher + summary.cefrLower > 0 {
            let counts = "\(Numbers.grouped(summary.cefrHigher)) higher, \(Numbers.grouped(summary.cefrLower)) lower"
            try output.writeLine("  CEFR        \(counts), per learner and language")
        }
    }

    /// A count for all, where only a sample was folded with its error.
    private func count(_ count: Int) -> String {
        guard summary.isSample else { return Numbers.grouped(count) }
        let estimate = summary.estimate(count)
        let (low, high) = (Int(estimate.low.rounded()), Int(estimate.high.rounded()))
        return "\(Numbers.grouped(Int(estimate.value.rounded()))) (\(Numbers.grouped(low))–\(Numbers.grouped(high)))"
    }

    private func sentence(_ change: DifferenceSummary.Change, _ unit: String) -> String {
        guard change.changed > 0 else { return "the same for everyone" }
        var parts = ["median \(DiffReport.signed(change.median))"]
        if let interval = change.medianInterval {
            parts[0] += " (\(DiffReport.signed(interval.lowerBound)) to \(DiffReport.signed(interval.upperBound)))"
        }
        if change.changed < summary.learners {
            parts.append("\(DiffReport.signed(change.medianOfChanged)) of those whose \(unit) changes")
        }
        if change.largestGain > 0 { parts.append("largest gain \(DiffReport.signed(change.largestGain))") }
        if change.largestLoss < 0 { parts.append("largest loss \(DiffReport.signed(change.largestLoss))") }
        return parts.joined(separator: ", ")
    }

    private func sum(_ change: DifferenceSummary.Change) -> String {
        guard change.changed > 0 else { return "" }
        let difference = change.sumAfter - change.sumBefore
        if let interval = change.sumInterval {
            let scale = Double(summary.population) / Double(summary.learners)
            let (low, high) = (interval.lowerBound.rounded(), interval.upperBound.rounded())
            return ", in sum about \(DiffReport.signed((difference * scale).rounded()))"
                + " (\(DiffReport.signed(low)) to \(DiffReport.signed(high)))"
        }
        let share = change.sumBefore > 0 ? " (\(DiffReport.signed(100 * difference / change.sumBefore))%)" : ""
        return ", in sum \(DiffReport.signed(difference))\(share)"
    }

    private func days(_ change: DifferenceSummary.Change) -> String {
        guard change.changed > 0 else { return "the same" }
        return "\(count(change.gains)) longer, \(count(change.losses)) shorter"
    }

    static func signed(_ number: Double) -> String { (number > 0 ? "+" : "") + Numbers.grouped(number) }

    // MARK: Achievements

    private func writeAchievements(to output: OutputStream) throws {
        let rows = summary.holders.filter { $0.won + $0.lost + $0.earlier + $0.later > 0 || $0.before != $0.after }
        guard !summary.holders.isEmpty else { return }
        try output.writeLine()
        let same = summary.holders.count - rows.count
        guard !rows.isEmpty else { return try output.writeLine("  Achievements are held as before") }
        var table = Table([
            .prose("  achievement"), .number("held"), .text(""), .number("then"), .text(""), .number("won"),
            .number("lost"), .number("earlier"), .number("later"),
        ])
        for row in rows {
            let cells = ["  \(row.id)", count(row.before), bar(row.before), count(row.after), bar(row.after)]
            table.add(cells + [row.won, row.lost, row.earlier, row.later].map { $0 == 0 ? "" : count($0) })
        }
        try table.write(to: output, style: style)
        if same > 0 { try output.writeLine("  \(Numbers.grouped(same)) more as before") }
    }

    /// Of all learners, in plain characters: cells know nothing of colours.
    private func bar(_ holders: Int) -> String {
        let share = Double(holders) / Double(max(summary.learners, 1))
        return Style.uncoloured(style).bar(share, width: 10)
    }

    // MARK: Learners

    private func writeLearners(to output: OutputStream, limit: Int) throws {
        let learners = diff.learners.filter(\.isAny)
        guard limit > 0, !learners.isEmpty else { return }
        try output.writeLine()
        var table = Table([
            .prose("  most affected"), .text("level"), .text("XP"), .text("streak"), .text("longest"), .text("CEFR"),
            .prose("achievements"),
        ])
        for learner in learners.prefix(limit) { table.add(cells(learner)) }
        try table.write(to: output, style: style)
        if learners.count > limit {
            try output.writeLine(
                "  … of \(Numbers.count(learners.count, "learner")); --limit, --csv and --json show more"
            )
        }
    }

    private func cells(_ learner: LearnerDifference) -> [String] {
        let name = learner.displayName.map { "  \(learner.subject) (\($0))" } ?? "  \(learner.subject)"
        guard let overall = learner.tracks.first(where: { $0.language == nil }) else {
            return [name, "", "", "", "", cefr(learner), achievements(learner)]
        }
        let (before, after) = (overall.before, overall.after)
        return [
            name, DiffReport.change(Double(before.level), Double(after.level)), DiffReport.change(before.xp, after.xp),
            DiffReport.change(Double(before.currentStreak), Double(after.currentStreak)),
            DiffReport.change(Double(before.longestStreak), Double(after.longestStreak)), cefr(learner),
            achievements(learner),
        ]
    }

    private static func change(_ before: Double, _ after: Double) -> String {
        before == after ? "" : "\(Numbers.grouped(before)) → \(Numbers.grouped(after))"
    }

    private func cefr(_ learner: LearnerDifference) -> String {
        learner.tracks.filter { $0.before.cefr != $0.after.cefr }.map { track in
            "\(track.language ?? "*") \(track.before.cefr ?? "none") → \(track.after.cefr ?? "none")"
        }.joined(separator: ", ")
    }

    private func achievements(_ learner: LearnerDifference) -> String {
        learner.tracks.flatMap(\.achievements).map { difference in
            switch difference.outcome {
            case .won: "+\(difference.id)"
            case .lost: "-\(difference.id)"
            case .earlier: "\(difference.id) earlier"
            case .later: "\(difference.id) later"
            }
        }.joined(separator: ", ")
    }
}

extension Style {
    /// As a style, without colours.
    fileprivate static func uncoloured(_ style: Style) -> Style {
        Style(isTerminal: style.isTerminal, hasColour: false, width: style.width)
    }
}
