// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let achievements = Command(
        "achievements",
        "A learner's achievements with their progress",
        details: """
            Achievements over all languages come first, then those of each language. An achievement
            counts as unlocked from its first tier on. A hidden achievement is listed once it is
            unlocked.
            """,
        operand: .learner,
        options: .reading + [
            .language, AchievementsCommand.category, AchievementsCommand.unlocked, ReportCommand.locale,
        ],
        example: "laurel achievements anna --unlocked"
    ) { try AchievementsCommand(arguments: $0, console: $1).run() }
}

private struct AchievementsCommand {
    static let category = CommandOption("category", "C", "only achievements of this category")
    static let unlocked = CommandOption("unlocked", nil, "only achievements with an unlocked tier")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let learner = arguments.operands[0]
        let at = try arguments.at()
        let engine = try arguments.openForReading()
        let language = arguments.text(.language)
        let locale = try ReportCommand.askedLocale(arguments)
        let known = try engine.existingLearner(learner, in: language, at: at, locale: locale)
        let all = try known.achievements(language: language, at: at.date)
        let shown = all.filter(isWanted)
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for achievement in shown { try list.add(achievement) }
            try list.finish()
            return .done
        }
        try showTable(shown)
        try console.output.flush()
        console.message(unlocked(all))
        return .done
    }

    /// The number of unlocked achievements in each track, counted as in `laurel progress`.
    private func unlocked(_ achievements: [Achievement]) -> String {
        var languages = [String?]()
        for achievement in achievements where !languages.contains(achievement.language) {
            languages.append(achievement.language)
        }
        let counts = (languages.isEmpty ? [nil] : languages).enumerated().map { index, language in
            let track = achievements.filter { $0.language == language }
            let what =
                index == 0 ? "\(Numbers.count(track.count, "achievement")) unlocked" : Numbers.grouped(track.count)
            let suffix = arguments.has(.language) ? "" : language.map { " in \(Visible.text($0))" } ?? ""
            return "\(Numbers.grouped(track.count(where: \.isUnlocked))) of \(what)\(suffix)"
        }
        return counts.joined(separator: ", ")
    }

    private func isWanted(_ achievement: Achievement) -> Bool {
        if arguments.has(Self.unlocked), !achievement.isUnlocked { return false }
        guard let category = arguments.text(Self.category) else { return true }
        return achievement.category == category
    }

    private func showTable(_ achievements: [Achievement]) throws {
        guard !achievements.isEmpty else { return }
        let hasLanguages = achievements.contains { $0.language != nil }
        let hasTiers = achievements.contains { $0.tiers > 1 }
        let hasPeriods = achievements.contains { $0.period != nil }
        var table = Table(
            [.prose("achievement"), .prose("name").spare, .prose("description").spare, .prose("category").spare]
                + (hasLanguages ? [.prose("language")] : []) + [.text("progress"), .number("")]
                + (hasTiers ? [.text("tier")] : []) + [.text("unlocked (UTC)").spare]
                + (hasPeriods ? [.prose("period").spare] : [])
        )
        for achievement in achievements {
            let tier = achievement.tiers > 1 ? "\(achievement.tier) of \(achievement.tiers)" : ""
            table.add(
                [achievement.id, achievement.name, achievement.description, achievement.category ?? ""]
                    + (hasLanguages ? [achievement.language ?? ""] : [])
                    + [bar(achievement.progress), Numbers.percent(achievement.progress * 100)]
                    + (hasTiers ? [tier] : []) + [achievement.unlockedAt.map(TimeText.minute) ?? ""]
                    + (hasPeriods ? [period(achievement)] : [])
            )
        }
        try table.write(to: console.output, style: console.style)
    }

    /// A note that the achievement's period has ended or has not begun. Within the period, the note gives the last day.
    private func period(_ achievement: Achievement) -> String {
        guard let period = achievement.period else { return "" }
        let end = period.through.map { "through \($0)" } ?? ""
        return switch period.place {
        case .ahead: period.from.map { "to come, from \($0)" } ?? ""
        case .within: end
        case .over: "over, \(end)"
        }
    }

    /// A bar without colour, because a table shows escape sequences in cells as text.
    private func bar(_ progress: Double) -> String {
        let filled = Int((progress * 10).rounded(.down))
        let (full, empty) = console.style.isTerminal ? ("█", "░") : ("#", ".")
        return String(repeating: full, count: filled) + String(repeating: empty, count: 10 - filled)
    }
}
