// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// A learner's progress in one track, for people.
struct ProgressCard {
    let progress: LearnerProgress
    let instant: Timestamp
    let rules: Rules
    let style: Style

    private static let barWidth = 24
    private static let labelWidth = 12

    /// Paragraphs of lines.
    var text: String {
        [heading, standing, words, practice, achievements, metrics]
            .filter { !$0.isEmpty }
            .map { $0.joined(separator: "\n") + "\n" }
            .joined(separator: "\n")
    }

    // MARK: Parts of lines

    private func row(_ label: String, _ value: String) -> String {
        "  \(style.paint(label.padded(toCells: Self.labelWidth), .dim))\(value)"
    }

    /// A row that starts with a bar.
    private func row(_ label: String, bar fraction: Double, _ colour: Style.Colour, _ value: String) -> String {
        row(label, "\(style.bar(fraction, width: Self.barWidth, colour))  \(value)")
    }

    private func number(_ value: Double) -> String { Numbers.grouped(value, places: 2) }
    private func number(_ value: Int) -> String { Numbers.grouped(value) }
    private func bold(_ text: String) -> String { style.paint(text, .bold) }

    /// Numbers that stand below each other.
    private func aligned(_ values: [Double]) -> [String] {
        let texts = values.map { number($0) }
        let width = texts.map(\.count).max() ?? 0
        return texts.map { String(repeating: " ", count: width - $0.count) + $0 }
    }
}

// MARK: Level, streak, XP

extension ProgressCard {
    private var heading: [String] {
        let id = Visible.text(progress.learner)
        let name = progress.displayName.map { "\(bold(Visible.text($0))) (\(id))" } ?? bold(id)
        let track = progress.language.map { "in \(Visible.text($0))" } ?? "in all languages"
        return ["\(name) \(track), as of \(instant)"]
    }

    private var standing: [String] {
        let goal = progress.dailyGoalMinutes
        let share = Double(progress.todayMinutes) / Double(max(goal, 1))
        let today = "\(number(progress.todayMinutes)) of \(Numbers.count(goal, "minute"))"
        var lines = [
            row("Level \(number(progress.currentLevel))", bar: progress.levelProgressPercent / 100, .yellow, nextLevel),
            row("Today", bar: share, .cyan, today),
        ]
        if let estimate = progress.estimatedCEFR {
            lines.append(row("CEFR", bar: (progress.cefrProgressPercent ?? 0) / 100, .blue, cefr(estimate)))
        }
        lines.append(row("Streak", streak))
        lines.append(row("XP", "\(bold(number(progress.totalXP))), \(number(progress.weeklyXP)) of them this week"))
        return lines + xpBuckets
    }

    private var nextLevel: String {
        guard let start = rules.xp(atStartOfLevel: progress.currentLevel + 1) else { return "the highest level" }
        return "\(number(start - progress.totalXP)) XP to level \(number(progress.currentLevel + 1))"
    }

    private var streak: String {
        var parts = [bold(Numbers.count(progress.currentStreak, "day"))]
        parts.append("the longest \(number(progress.longestStreak))")
        if progress.streakFreezes > 0 { parts.append("\(Numbers.count(progress.streakFreezes, "freeze")) held") }
        if let date = progress.lastActivityDate { parts.append("last active \(date)") }
        return parts.joined(separator: ", ")
    }

    /// Bars in proportion to the largest.
    private var xpBuckets: [String] {
        let most = progress.xpBreakdown.map(\.value).max() ?? 0
        let amounts = aligned(progress.xpBreakdown.map(\.value))
        return zip(progress.xpBreakdown, amounts).map { bucket, amount in
            row("", bar: most > 0 ? bucket.value / most : 0, .yellow, "\(amount)  \(Visible.text(bucket.name))")
        }
    }

    private func cefr(_ level: CEFRLevel) -> String {
        guard let next = level.next else { return "\(level.rawValue), an estimate" }
        let percent = Numbers.percent(progress.cefrProgressPercent ?? 0)
        return "\(level.rawValue), an estimate; \(percent) of the way to \(next.rawValue)"
    }
}

// MARK: Words, practice, metrics

extension ProgressCard {
    private var words: [String] {
        let learned = "\(number(progress.totalWordsLearned)) learned"
        let share = Numbers.percent(progress.vocabularyMasteryPercent)
        let due = "\(number(progress.wordsDueForReview)) due for review"
        let counts = row("Words", "\(bold(number(progress.totalWordsKnown))) known, \(learned) (\(share)), \(due)")
        guard progress.totalWordsKnown > 0 else { return [counts] }
        let key = wordSegments.filter { $0.count > 0 }
            .map { "\(style.swatch($0)) \($0.name) \(number($0.count))" }
        return [
            counts, row("", style.stackedBar(wordSegments, width: Self.barWidth * 2)),
            row("", key.joined(separator: "   ")),
        ]
    }

    private var wordSegments: [Style.Segment] {
        let buckets = progress.vocabulary
        return [
            Style.Segment(name: "mastered", count: buckets.mastered, block: "█", letter: "#", colour: .green),
            Style.Segment(name: "reviewing", count: buckets.reviewing, block: "▓", letter: "=", colour: .cyan),
            Style.Segment(name: "learning", count: buckets.learning, block: "▒", letter: "-", colour: .yellow),
            Style.Segment(name: "new", count: buckets.new, block: "░", letter: ".", colour: .dim),
        ]
    }

    private var practice: [String] {
        let kinds = "\(number(progress.soloSessions)) solo, \(number(progress.multiplayerSessions)) together"
        let minutes = Numbers.count(progress.totalMinutesPlayed, "minute")
        let partners = [
            (progress.successfulRepairs, Numbers.count(progress.successfulRepairs, "repair")),
            (progress.helpGiven, "helped \(Numbers.count(progress.helpGiven, "time"))"),
            (progress.teamWins, Numbers.count(progress.teamWins, "team win")),
        ]
        var lines = [row("Sessions", "\(bold(number(progress.totalSessions))) (\(kinds)), \(minutes)")]
        let present = partners.filter { $0.0 > 0 }.map(\.1)
        if !present.isEmpty { lines.append(row("Partners", present.joined(separator: ", "))) }
        if let rules = progress.rules {
            lines.append(row("Rules", Visible.text(rules.name) + (rules.from.map { ", from \($0)" } ?? "")))
        }
        return lines + [row("Events", number(progress.events))]
    }

    /// Those that are not 0; `--json` has them all.
    private var metrics: [String] {
        let present = progress.metrics.filter { $0.value != 0 }
        return zip(present, aligned(present.map(\.value))).enumerated().map { index, metric in
            row(index == 0 ? "Metrics" : "", "\(metric.1)  \(Visible.text(metric.0.name))")
        }
    }
}

// MARK: Achievements

extension ProgressCard {
    /// How many of those that are not unlocked yet are listed, nearest first.
    private static let listedNext = 5

    private var achievements: [String] {
        let all = progress.achievements
        guard !all.isEmpty else { return [] }
        let unlocked = all.filter { $0.tier > 0 }.sorted {
            ($1.unlockedAt ?? .distantPast, $0.id) < ($0.unlockedAt ?? .distantPast, $1.id)
        }
        let next = all.filter { $0.tier < $0.tiers }.sorted { ($1.progress, $0.id) < ($0.progress, $1.id) }
            .prefix(Self.listedNext)
        let width = (unlocked + next).map { name($0).cellWidth }.max() ?? 0
        let count = "\(bold(number(unlocked.count))) of \(Numbers.count(all.count, "achievement"))"
        var lines = [row("Unlocked", count)]
        lines += unlocked.map { achievement in
            let tier = achievement.tiers > 1 ? "  tier \(achievement.tier) of \(achievement.tiers)" : ""
            let date = achievement.unlockedAt.map(TimeText.day) ?? ""
            return row("", "\(mark) \(name(achievement).padded(toCells: width))  \(date)\(tier)")
        }
        for (index, achievement) in next.enumerated() {
            let value = "\(name(achievement).padded(toCells: width))  \(Numbers.percent(achievement.progress * 100))"
            lines.append(row(index == 0 ? "Next" : "", bar: achievement.progress, .magenta, value))
        }
        return lines
    }

    private func name(_ achievement: LearnerProgress.Achievement) -> String {
        Visible.text(rules.achievement(achievement.id)?.name ?? achievement.id)
    }

    private var mark: String { style.isTerminal ? style.paint("✓", .green) : "*" }
}
