// SPDX-License-Identifier: Apache-2.0

import Laurel

/// A diff of rules for people: what differs, its effect in numbers, and the learners whom it affects most.
struct DiffReport {
    static let defaultLimit = 10

    let diff: RulesDiff
    let style: Style
    private var summary: DifferenceSummary { diff.summary }

    init(diff: RulesDiff, style: Style) {
        self.diff = diff
        self.style = style
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
        try writeChanges(to: output)
        if summary.compared > 0 { try writeSummary(to: output) }
        try writeAchievements(to: output)
        try writeLearners(to: output, limit: limit)
    }

    // MARK: What differs

    private func writeChanges(to output: OutputStream) throws {
        try output.writeLine()
        let changes = summary.changes
        if changes.isEmpty { try output.writeLine("  The two say the same") }
        for change in changes {
            try output.writeLine("  \(mark(change)) \(Visible.text(change.statement))")
            if let reason = change.noEffect {
                try output.writeLine("    " + style.paint("no effect: \(Visible.text(reason))", .dim))
            }
        }
        if !summary.mayChangeNumbers, !changes.isEmpty {
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
            .init(name: "both", count: summary.both, block: "▒", letter: "~", colour: .yellow),
            .init(name: "only dates", count: summary.onlyDates, block: "▪", letter: ":", colour: .cyan),
            .init(name: "no change", count: summary.noChange, block: "░", letter: ".", colour: .dim),
        ]
        try output.writeLine("  Learners    " + style.stackedBar(segments, width: min(48, (style.width ?? 80) - 16)))
        let key = segments.filter { $0.count > 0 }.map { "\(style.swatch($0)) \($0.name) \(count($0.count))" }
        try output.writeLine("              " + key.joined(separator: "  "))
        try output.writeLine("  Level       " + sentence(summary.level, "level changes"))
        try output.writeLine("  XP          " + sentence(summary.xp, "XP changes") + sum(summary.xp))
        try output.writeLine(
            "  Streak      now: \(days(summary.currentStreak)); longest: \(days(summary.longestStreak))"
        )
        if summary.wordsLearned.changed > 0 {
            try output.writeLine("  Words       learned: \(sentence(summary.wordsLearned, "words change"))")
        }
        if summary.cefrHigher + summary.cefrLower > 0 {
            let counts = "\(Numbers.grouped(summary.cefrHigher)) higher, \(Numbers.grouped(summary.cefrLower)) lower"
            try output.writeLine("  CEFR        \(counts), per learner and language")
        }
    }

    /// A count for all learners; for a sample, an estimate with its interval.
    private func count(_ count: Int) -> String {
        guard summary.isSample else { return Numbers.grouped(count) }
        let estimate = summary.estimate(count)
        let (low, high) = (Int(estimate.low.rounded()), Int(estimate.high.rounded()))
        return "\(Numbers.grouped(Int(estimate.value.rounded()))) (\(Numbers.grouped(low))–\(Numbers.grouped(high)))"
    }

    private func sentence(_ change: DifferenceSummary.Change, _ unit: String) -> String {
        guard change.changed > 0 else {
            return summary.isSample ? "the same for everyone in the sample" : "the same for everyone"
        }
        var parts = ["median \(DiffReport.signed(change.median))" + bounds(change.uncertainty?.median)]
        if change.changed < summary.compared {
            parts.append("\(DiffReport.signed(change.medianOfChanged)) of those whose \(unit)")
        }
        if change.largestGain > 0 { parts.append("largest gain \(DiffReport.signed(change.largestGain))") }
        if change.largestLoss < 0 { parts.append("largest loss \(DiffReport.signed(change.largestLoss))") }
        return parts.joined(separator: ", ")
    }

    private func sum(_ change: DifferenceSummary.Change) -> String {
        guard change.changed > 0 else { return "" }
        let difference = change.sumAfter - change.sumBefore
        if summary.isSample {
            let scale = Double(summary.population) / Double(summary.compared)
            let interval = change.uncertainty?.sumChange.map { $0.lowerBound.rounded()...$0.upperBound.rounded() }
            return ", in sum about \(DiffReport.signed((Double(difference) * scale).rounded()))" + bounds(interval)
        }
        let share =
            change.sumBefore > 0 ? " (\(DiffReport.signed(100 * Double(difference) / Double(change.sumBefore)))%)" : ""
        return ", in sum \(DiffReport.signed(difference))\(share)"
    }

    /// The interval of an estimate.
    private func bounds(_ interval: ClosedRange<Double>?) -> String {
        guard summary.isSample else { return "" }
        guard let interval else { return " (the sample is too small to say how far off)" }
        return " (\(DiffReport.signed(interval.lowerBound)) to \(DiffReport.signed(interval.upperBound)))"
    }

    private func days(_ change: DifferenceSummary.Change) -> String {
        guard change.changed > 0 else { return "the same" }
        return "\(count(change.gains)) longer, \(count(change.losses)) shorter"
    }

    private static func signed(_ number: Double) -> String { (number > 0 ? "+" : "") + Numbers.grouped(number) }
    private static func signed(_ number: Int) -> String { (number > 0 ? "+" : "") + Numbers.grouped(number) }

    // MARK: Achievements

    private func writeAchievements(to output: OutputStream) throws {
        let outcomes = AchievementOutcomes.columns(for: summary.achievements)
        let rows = summary.achievements.filter { row in
            row.before != row.after || outcomes.contains { row[keyPath: $0.count] > 0 }
        }
        guard !summary.achievements.isEmpty else { return }
        try output.writeLine()
        let same = summary.achievements.count - rows.count
        guard !rows.isEmpty else { return try output.writeLine("  Achievements are held as before") }
        let held: [Table.Column] = [
            .prose("  achievement"), .number("held"), .text("").spare, .number("then"), .text("").spare,
        ]
        var table = Table(held + outcomes.map { .number($0.title) })
        for row in rows {
            let cells = ["  \(row.id)", count(row.before), bar(row.before), count(row.after), bar(row.after)]
            table.add(cells + outcomes.map { row[keyPath: $0.count] }.map { $0 == 0 ? "" : count($0) })
        }
        try table.write(to: output, style: style)
        if same > 0 { try output.writeLine("  \(Numbers.grouped(same)) more as before") }
    }

    /// A share of all learners, without colour, because cells have none.
    private func bar(_ holders: Int) -> String {
        let share = Double(holders) / Double(max(summary.compared, 1))
        return Style.uncoloured(style).bar(share, width: 10)
    }

    // MARK: Learners

    private func writeLearners(to output: OutputStream, limit: Int) throws {
        let learners = diff.learners.filter(\.differs)
        guard limit > 0, !learners.isEmpty else { return }
        try output.writeLine()
        var table = Table([
            .prose("  most affected"), .text("level"), .text("XP"), .text("streak"), .text("longest").spare,
            .prose("CEFR").spare,
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
        let name = learner.displayName.map { "  \(learner.learner) (\($0))" } ?? "  \(learner.learner)"
        guard let overall = learner.overall else {
            return [name, "", "", "", "", cefr(learner), achievements(learner)]
        }
        let (before, after) = (overall.before, overall.after)
        return [
            name, DiffReport.change(before.currentLevel, after.currentLevel),
            DiffReport.change(before.totalXP, after.totalXP),
            DiffReport.change(before.currentStreak, after.currentStreak),
            DiffReport.change(before.longestStreak, after.longestStreak), cefr(learner), achievements(learner),
        ]
    }

    private static func change(_ before: Int, _ after: Int) -> String {
        before == after ? "" : "\(Numbers.grouped(before)) → \(Numbers.grouped(after))"
    }

    private func cefr(_ learner: LearnerDifference) -> String {
        learner.tracks.filter { $0.before.estimatedCEFR != $0.after.estimatedCEFR }.map { track in
            "\(track.language ?? "*") \(track.before.estimatedCEFR?.rawValue ?? "none") → \(track.after.estimatedCEFR?.rawValue ?? "none")"
        }.joined(separator: ", ")
    }

    private func achievements(_ learner: LearnerDifference) -> String {
        learner.tracks.flatMap(\.achievements).map { difference in
            switch difference.outcome {
            case .won: "+\(difference.id)"
            case .lost: "-\(difference.id)"
            case .moreTiers, .fewerTiers: "\(difference.id) tier \(difference.tierBefore) → \(difference.tierAfter)"
            case .earlier: "\(difference.id) earlier"
            case .later: "\(difference.id) later"
            }
        }.joined(separator: ", ")
    }
}

/// The columns for what changed in achievements.
private enum AchievementOutcomes {
    typealias Column = (title: String, count: KeyPath<DifferenceSummary.Holders, Int>)

    /// Columns about tiers appear only where tiers changed.
    static func columns(for holders: [DifferenceSummary.Holders]) -> [Column] {
        let tiers: [Column] = [("more tiers", \.moreTiers), ("fewer tiers", \.fewerTiers)]
        let told = tiers.filter { column in holders.contains { $0[keyPath: column.count] > 0 } }
        return [("won", \.won), ("lost", \.lost)] + told + [("earlier", \.earlier), ("later", \.later)]
    }
}

extension Style {
    /// As a style, without colours.
    fileprivate static func uncoloured(_ style: Style) -> Style {
        Style(isTerminal: style.isTerminal, hasColour: false, width: style.width)
    }
}
