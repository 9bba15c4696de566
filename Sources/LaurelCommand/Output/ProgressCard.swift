// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports

/// A learner's progress in one track, for people.
struct ProgressCard {
    let progress: LearnerProgress
    let instant: Timestamp
    let style: Style
    /// The reader's locale; nil for English with the tool's own number format.
    let locale: String?
    private let words: ReaderTexts

    /// The width of bars in cells. On a narrow terminal, it is half of the room next to the label.
    private var barWidth: Int { min(24, style.width.map { max(8, ($0 - labelWidth - 10) / 2) } ?? 24) }
    /// The width of an achievement's name beside a bar and a percentage, in cells; nil for no limit.
    private var nameWidth: Int? { style.width.map { max(8, $0 - labelWidth - barWidth - 12) } }

    init(progress: LearnerProgress, instant: Timestamp, style: Style, locale: String?) {
        (self.progress, self.instant, self.style) = (progress, instant, style)
        self.locale = locale
        words = ReaderTexts(locale: locale)
    }

    /// The width of the widest label and a space, in cells.
    private var labelWidth: Int {
        let labels: [CardPhrase] = [
            .today, .streak, .xp, .words, .sessions, .partners, .rules, .events, .metrics, .unlocked, .next,
            .goals, .balances, .itemsBought, .season, .flagged,
        ]
        let level = words(.level, ["level": number(progress.currentLevel)])
        return max(12, ([level] + labels.map { words($0) }).map { $0.cellWidth + 1 }.max() ?? 0)
    }

    /// The card as paragraphs of lines.
    var text: String {
        [heading, standing, goals, possessions, vocabulary, practice, achievements, metrics]
            .filter { !$0.isEmpty }
            .map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n")
    }

    // MARK: Parts of lines

    private func row(_ label: String, _ value: String) -> String {
        "  \(style.paint(label.padded(toCells: labelWidth), .dim))\(value)"
    }

    /// A row that starts with a bar.
    private func row(_ label: String, bar fraction: Double, _ colour: Style.Colour, _ value: String) -> String {
        row(label, "\(style.bar(fraction, width: barWidth, colour))  \(value)")
    }

    private func number(_ value: Double) -> String {
        locale == nil ? Numbers.grouped(value, decimals: 2) : words.number(value)
    }
    private func number(_ value: Int) -> String { number(Double(value)) }
    private func percent(_ value: Double) -> String {
        locale == nil ? Numbers.percent(value) : words.percent(value)
    }
    private func counted(_ number: Int, _ unit: CardUnit) -> String { words.counted(number, unit) }
    private func bold(_ text: String) -> String { style.paint(text, .bold) }

    /// The numbers as texts of the same width.
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
        let time = "\(instant)"
        guard let language = progress.language else { return [words(.headOfAll, ["name": name, "time": time])] }
        let shown = Visible.text(locale == nil ? language : words.language(language))
        return [words(.headOfLanguage, ["name": name, "language": shown, "time": time])]
    }

    private var standing: [String] {
        let goal = progress.dailyGoalMinutes
        let share = Double(progress.todayMinutes) / Double(max(goal, 1))
        let today = words(.ofGoal, ["done": number(progress.todayMinutes), "goal": counted(goal, .minute)])
        let level = words(.level, ["level": number(progress.currentLevel)])
        var lines = [
            row(level, bar: progress.levelProgressPercent / 100, .yellow, nextLevel),
            row(words(.today), bar: share, .cyan, today),
        ]
        if let estimate = progress.estimatedCEFR {
            lines.append(row(words(.cefr), bar: (progress.cefrProgressPercent ?? 0) / 100, .blue, cefr(estimate)))
        }
        lines.append(row(words(.streak), streak))
        let xp: KeyValuePairs = ["total": bold(number(progress.totalXP)), "week": number(progress.weeklyXP)]
        lines.append(row(words(.xp), words(.xpOfWeek, xp)))
        lines += xpBuckets
        if let flagged = progress.flaggedXP, progress.flaggedEvents != 0 {
            lines.append(row(words(.flagged), words(.flaggedXP, ["xp": number(flagged)])))
        }
        return lines
    }

    private var nextLevel: String {
        guard let left = progress.xpToNextLevel else { return words(.highestLevel) }
        return words(.toLevel, ["left": number(left), "next": number(progress.currentLevel + 1)])
    }

    private var streak: String {
        var parts = [bold(counted(progress.currentStreak, .day))]
        parts.append(words(.longest, ["longest": number(progress.longestStreak)]))
        if progress.streakFreezes > 0 {
            parts.append(words(.held, ["freezes": counted(progress.streakFreezes, .freeze)]))
        }
        if let date = progress.lastActivityDate { parts.append(words(.lastActive, ["date": "\(date)"])) }
        return parts.joined(separator: ", ")
    }

    /// The XP of each bucket with a bar. The largest bucket has the longest bar.
    private var xpBuckets: [String] {
        let most = progress.xpBreakdown.map(\.value).max() ?? 0
        let amounts = aligned(progress.xpBreakdown.map(\.value))
        return zip(progress.xpBreakdown, amounts).map { bucket, amount in
            let name = Visible.text(locale == nil ? bucket.name : words.source(bucket.name))
            return row("", bar: most > 0 ? bucket.value / most : 0, .yellow, "\(amount)  \(name)")
        }
    }

    private func cefr(_ level: CEFRLevel) -> String {
        guard let next = level.next else { return words(.estimate, ["level": level.rawValue]) }
        let percent = percent(progress.cefrProgressPercent ?? 0)
        return words(.estimateOnTheWay, ["level": level.rawValue, "percent": percent, "next": next.rawValue])
    }
}

// MARK: Games

extension ProgressCard {
    private var goals: [String] {
        (progress.goals ?? []).enumerated().map { index, goal in
            let values: KeyValuePairs = [
                "goal": Visible.text(goal.name ?? goal.id), "value": number(goal.value), "target": number(goal.target),
            ]
            let text = words(goal.completedAt == nil ? .goalOpen : .goalDone, values)
            return row(index == 0 ? words(.goals) : "", bar: goal.progress, .green, text)
        }
    }

    private var possessions: [String] {
        list(.balances, progress.balances.map(Array.init)) { balance in
            progress.nextRefillAt?[balance.name].map { words(.refillAt, ["time": TimeText.minute($0)]) }
        } + list(.itemsBought, progress.items?.filter { $0.value > 0 }) { _ in nil }
            + list(.season, progress.season.map(Array.init)) { _ in nil }
    }

    /// A row for each number with its name and a remark.
    private func list(
        _ label: CardPhrase,
        _ numbers: [NumbersByName.Element]?,
        remark: (NumbersByName.Element) -> String?
    ) -> [String] {
        let present = numbers ?? []
        return zip(present, aligned(present.map(\.value))).enumerated().map { index, line in
            let text = "\(line.1)  \(Visible.text(line.0.name))"
            return row(index == 0 ? words(label) : "", remark(line.0).map { "\(text)  \($0)" } ?? text)
        }
    }
}

// MARK: Words, practice, metrics

extension ProgressCard {
    private var vocabulary: [String] {
        let values: KeyValuePairs = [
            "known": bold(number(progress.totalWordsKnown)), "learned": number(progress.totalWordsLearned),
            "percent": percent(progress.vocabularyMasteryPercent), "due": number(progress.wordsDueForReview),
        ]
        let counts = row(words(.words), words(.wordCounts, values))
        guard progress.totalWordsKnown > 0 else { return [counts] }
        let key = wordSegments.filter { $0.count > 0 }
            .map { "\(style.swatch($0)) \($0.name) \(number($0.count))" }
        return [
            counts, row("", style.stackedBar(wordSegments, width: barWidth * 2)),
            row("", key.joined(separator: "   ")),
        ]
    }

    private var wordSegments: [Style.Segment] {
        let buckets = progress.vocabulary
        return [
            Style.Segment(name: words(.mastered), count: buckets.mastered, block: "█", letter: "#", colour: .green),
            Style.Segment(name: words(.reviewing), count: buckets.reviewing, block: "▓", letter: "=", colour: .cyan),
            Style.Segment(name: words(.learning), count: buckets.learning, block: "▒", letter: "-", colour: .yellow),
            Style.Segment(name: words(.new), count: buckets.new, block: "░", letter: ".", colour: .dim),
        ]
    }

    private var practice: [String] {
        let values: KeyValuePairs = [
            "sessions": bold(number(progress.totalSessions)), "solo": number(progress.soloSessions),
            "together": number(progress.multiplayerSessions),
            "minutes": counted(progress.totalMinutesPlayed, .minute),
        ]
        let partners = [
            (progress.successfulRepairs, counted(progress.successfulRepairs, .repair)),
            (progress.helpGiven, words(.helped, ["times": counted(progress.helpGiven, .time)])),
            (progress.teamWins, counted(progress.teamWins, .teamWin)),
        ]
        var lines = [row(words(.sessions), words(.sessionCounts, values))]
        let present = partners.filter { $0.0 > 0 }.map(\.1)
        if !present.isEmpty { lines.append(row(words(.partners), present.joined(separator: ", "))) }
        if let rules = progress.rules {
            let name = Visible.text(rules.name)
            lines.append(
                row(words(.rules), rules.from.map { words(.rulesFrom, ["rules": name, "date": "\($0)"]) } ?? name)
            )
        }
        return lines + [row(words(.events), number(progress.events))]
    }

    /// The metrics that are not 0; `--json` has all of them.
    private var metrics: [String] {
        let present = progress.metrics.filter { $0.value != 0 }
        return zip(present, aligned(present.map(\.value))).enumerated().map { index, metric in
            row(index == 0 ? words(.metrics) : "", "\(metric.1)  \(Visible.text(metric.0.name))")
        }
    }
}

// MARK: Achievements

extension ProgressCard {
    /// The number of locked achievements that the card lists. The achievements that are nearest to being unlocked come
    /// first.
    private static let listedNext = 5

    private var achievements: [String] {
        let all = progress.achievements
        guard !all.isEmpty else { return [] }
        let unlocked = all.filter { $0.tier > 0 }.sorted {
            ($1.unlockedAt ?? .distantPast, $0.id) < ($0.unlockedAt ?? .distantPast, $1.id)
        }
        let next = all.filter { $0.tier < $0.tiers }.sorted { ($1.progress, $0.id) < ($0.progress, $1.id) }
            .prefix(Self.listedNext)
        let width = min(nameWidth ?? .max, (unlocked + next).map { name($0).cellWidth }.max() ?? 0)
        let count: KeyValuePairs = [
            "count": bold(number(unlocked.count)), "achievements": counted(all.count, .achievement),
        ]
        var lines = [row(words(.unlocked), words(.unlockedOf, count))]
        lines += unlocked.map { achievement in
            let tier =
                achievement.tiers > 1
                ? "  " + words(.tier, ["tier": "\(achievement.tier)", "tiers": "\(achievement.tiers)"]) : ""
            let date = achievement.unlockedAt.map(TimeText.day) ?? ""
            return row("", "\(mark) \(name(achievement).padded(toCells: width))  \(date)\(tier)")
        }
        for (index, achievement) in next.enumerated() {
            let value = "\(name(achievement).padded(toCells: width))  \(percent(achievement.progress * 100))"
            lines.append(row(index == 0 ? words(.next) : "", bar: achievement.progress, .magenta, value))
        }
        return lines
    }

    private func name(_ achievement: LearnerProgress.Achievement) -> String {
        let name = Visible.text(achievement.name)
        return nameWidth.map { name.cut(toCells: $0) } ?? name
    }

    private var mark: String { style.isTerminal ? style.paint("✓", .green) : "*" }
}
