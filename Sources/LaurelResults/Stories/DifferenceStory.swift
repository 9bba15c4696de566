// SPDX-License-Identifier: Apache-2.0

import LaurelWire

/// The effect of other rules, in words.
package struct DifferenceStory {
    private let summary: DifferenceSummary

    package init(_ summary: DifferenceSummary) { self.summary = summary }

    // MARK: What differs

    /// The differences of the rules, with a sentence for each, and the reason if the difference has no effect.
    package static func changes(
        _ changes: [RulesChange]
    ) -> [(change: RulesChange, sentence: Story, noEffect: Story?)] {
        changes.map { change in
            (change, change.sentence, change.reason.map { "\(.toned(.quiet, "no effect: \($0)"))" })
        }
    }

    package var note: Story? {
        if summary.changes.isEmpty { return "The two say the same" }
        return summary.mayChangeNumbers ? nil : "None of this changes a number"
    }

    // MARK: Everyone together

    /// The numbers of learners by their gains and losses.
    package var outcomes: [(name: String, count: Int)] {
        [
            ("gain", summary.gain), ("lose", summary.lose), ("both", summary.both),
            ("only dates", summary.onlyDates), ("no change", summary.noChange),
        ]
    }

    /// A count of learners. For a sample, it is an estimate for all learners with its interval.
    package func count(_ count: Int) -> Story {
        guard summary.isSample else { return .number(count) }
        let estimate = summary.estimate(count)
        let (low, high) = (Int(estimate.low.rounded()), Int(estimate.high.rounded()))
        return "\(Story.number(Int(estimate.value.rounded()))) (\(Story.number(low))–\(Story.number(high)))"
    }

    /// The effect on all learners in one sentence.
    package var consequence: Story {
        let affected = summary.gain + summary.lose + summary.both
        guard affected > 0 else {
            guard let flagged = summary.flagged, !flagged.isSame else {
                return "No number of \(summary.population, "learner") changes."
            }
            let (old, new) = (estimated(xp: flagged.xpBefore), estimated(xp: flagged.xpAfter))
            let (then, all) = (count(flagged.learnersAfter), summary.population)
            return "Only flagged XP changes, from \(old) to \(new). It then belongs to \(then) of \(all, "learner")."
        }
        var parts: [Story] = []
        if summary.gain > 0 { parts.append("\(count(summary.gain)) only gain") }
        if summary.lose > 0 { parts.append("\(count(summary.lose)) only lose") }
        if summary.both > 0 { parts.append("\(count(summary.both)) gain and lose") }
        let xp: Story? = sum(summary.xp).map { "\($0) XP" }
        let ways = Story.joined(parts, by: ", ")
        return "Numbers of \(count(affected)) of \(summary.population, "learner") change: \(ways)\(xp)."
    }

    package var facts: [StoryFact] {
        let (now, longest) = (days(summary.currentStreak), days(summary.longestStreak))
        var facts = [
            StoryFact("Level", sentence(summary.level) { "\($0) of those whose level changes" }),
            StoryFact("XP", sentence(summary.xp) { "\($0) of those whose XP changes" } + (sum(summary.xp) ?? "")),
            StoryFact("Streak", "now: \(now); longest: \(longest)"),
        ]
        if summary.wordsLearned.changed > 0 {
            let words = sentence(summary.wordsLearned) { "\($0) of those whose words change" }
            facts.append(StoryFact("Words", "learned: \(words)"))
        }
        if summary.cefrHigher + summary.cefrLower > 0 {
            let (higher, lower) = (Story.number(summary.cefrHigher), Story.number(summary.cefrLower))
            facts.append(StoryFact("CEFR", "\(higher) higher, \(lower) lower, per learner and language"))
        }
        if let flagged = summary.flagged {
            let learners = (count(flagged.learnersBefore), count(flagged.learnersAfter))
            let xp = (estimated(xp: flagged.xpBefore), estimated(xp: flagged.xpAfter))
            let story: Story =
                flagged.isSame
                ? "XP \(xp.0), number of learners \(learners.0), both as before"
                : "XP from \(xp.0) to \(xp.1), number of learners from \(learners.0) to \(learners.1)"
            facts.append(StoryFact("Flagged", story))
        }
        return facts
    }

    /// A sum of XP. For a sample, it is an estimate for all learners.
    private func estimated(xp: Int) -> Story {
        guard summary.isSample else { return .number(xp) }
        let scale = Double(summary.population) / Double(max(summary.compared, 1))
        return "about \(Story.number((Double(xp) * scale).rounded(), places: 0))"
    }

    /// - Parameter changed: the words for the median of the learners whose number changes.
    private func sentence(_ change: DifferenceSummary.Change, changed: (Story) -> Story) -> Story {
        guard change.changed > 0 else {
            return summary.isSample ? "the same for everyone in the sample" : "the same for everyone"
        }
        var parts: [Story] = ["median \(.change(change.median))\(bounds(change.uncertainty?.median))"]
        if change.changed < summary.compared {
            parts.append(changed("\(.change(change.medianOfChanged))"))
        }
        if change.largestGain > 0 { parts.append("largest gain \(.change(Double(change.largestGain)))") }
        if change.largestLoss < 0 { parts.append("largest loss \(.change(Double(change.largestLoss)))") }
        return .joined(parts, by: ", ")
    }

    private func sum(_ change: DifferenceSummary.Change) -> Story? {
        guard change.changed > 0 else { return nil }
        let difference = Double(change.sumAfter - change.sumBefore)
        if summary.isSample {
            let scale = Double(summary.population) / Double(summary.compared)
            let interval = change.uncertainty?.sumChange.map { $0.lowerBound.rounded()...$0.upperBound.rounded() }
            return ", in sum about \(.change((difference * scale).rounded()))\(bounds(interval))"
        }
        let share: Story? =
            change.sumBefore > 0 ? " (\(.change(100 * difference / Double(change.sumBefore)))%)" : nil
        return ", in sum \(.change(difference))\(share)"
    }

    /// The interval of an estimate.
    private func bounds(_ interval: ClosedRange<Double>?) -> Story? {
        guard summary.isSample else { return nil }
        guard let interval else { return " (the sample is too small to say how far off)" }
        return " (\(.change(interval.lowerBound)) to \(.change(interval.upperBound)))"
    }

    private func days(_ change: DifferenceSummary.Change) -> Story {
        guard change.changed > 0 else { return "the same" }
        return "\(count(change.gains)) longer, \(count(change.losses)) shorter"
    }

    // MARK: Achievements

    private typealias Outcome = (title: String, count: KeyPath<DifferenceSummary.Holders, Int>)

    /// The achievements that learners would win or lose; nil if the rules have no achievements. Columns about tiers
    /// appear only if tiers change.
    package var achievements: (table: StoryTable, unchanged: Int)? {
        guard !summary.achievements.isEmpty else { return nil }
        let tiers: [Outcome] = [("more tiers", \.moreTiers), ("fewer tiers", \.fewerTiers)]
        let usedTiers = tiers.filter { column in summary.achievements.contains { $0[keyPath: column.count] > 0 } }
        let outcomes: [Outcome] =
            [("won", \.won), ("lost", \.lost)] + usedTiers + [("earlier", \.earlier), ("later", \.later)]
        let rows = summary.achievements.filter { row in
            row.before != row.after || outcomes.contains { row[keyPath: $0.count] > 0 }
        }
        let table = StoryTable(
            columns: [
                .init("achievement", .prose), .init("held", .number), .init("", isSpare: true), .init("then", .number),
                .init("", isSpare: true),
            ] + outcomes.map { .init($0.title, .number) },
            rows: rows.map { row in
                let held = [row.before, row.after].flatMap { [count($0), bar($0)] }
                let counts = outcomes.map { row[keyPath: $0.count] }.map { $0 == 0 ? "" : count($0) }
                return ["\(.data(row.id))"] + held + counts
            }
        )
        return (table, summary.achievements.count - rows.count)
    }

    private func bar(_ holders: Int) -> Story { "\(.bar(Double(holders) / Double(max(summary.compared, 1))))" }

    // MARK: Learners

    package static func table(_ learners: some Sequence<LearnerDifference>) -> StoryTable {
        StoryTable(
            columns: [
                .init("most affected", .prose), .init("level"), .init("XP"), .init("streak"),
                .init("longest", isSpare: true), .init("CEFR", .prose, isSpare: true), .init("achievements", .prose),
            ],
            rows: learners.map(cells)
        )
    }

    private static func cells(_ learner: LearnerDifference) -> [Story] {
        let numbers: [KeyPath<TrackDifference.Numbers, Int>] = [
            \.currentLevel, \.totalXP, \.currentStreak, \.longestStreak,
        ]
        let changes = numbers.map { number -> Story in
            guard let track = learner.overall else { return "" }
            let (before, after) = (track.before[keyPath: number], track.after[keyPath: number])
            return before == after ? "" : "\(Story.number(before)) → \(Story.number(after))"
        }
        return ["\(.learner(id: learner.learner, name: learner.displayName))"] + changes
            + [cefr(learner), achievements(learner)]
    }

    private static func cefr(_ learner: LearnerDifference) -> Story {
        let changed = learner.tracks.filter { $0.before.estimatedCEFR != $0.after.estimatedCEFR }
        return .joined(
            changed.map { track in
                let levels = [track.before, track.after].map { numbers -> Story in
                    numbers.estimatedCEFR.map { "\(.text($0.rawValue))" } ?? "none"
                }
                return "\(.data(track.language ?? "*")) \(.joined(levels, by: " → "))"
            },
            by: ", "
        )
    }

    private static func achievements(_ learner: LearnerDifference) -> Story {
        .joined(
            learner.tracks.flatMap(\.achievements).map { difference in
                let id = Story.Span.data(difference.id)
                return switch difference.outcome {
                case .won: "+\(id)"
                case .lost: "-\(id)"
                case .moreTiers, .fewerTiers:
                    "\(id) tier \(Story.number(difference.tierBefore)) → \(Story.number(difference.tierAfter))"
                case .earlier: "\(id) earlier"
                case .later: "\(id) later"
                }
            },
            by: ", "
        )
    }
}
