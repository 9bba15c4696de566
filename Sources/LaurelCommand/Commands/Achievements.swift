import Laurel

extension Command {
    static let achievements = Command(
        "achievements",
        "A learner's achievements with their progress",
        details: """
            Those over all languages first, then those per language. Hidden ones appear when they are
            unlocked.
            """,
        operand: .learner,
        options: .reading + [.language, AchievementsCommand.category, AchievementsCommand.unlocked],
        example: "laurel achievements anna --unlocked"
    ) { try AchievementsCommand(arguments: $0, console: $1).run() }
}

private struct AchievementsCommand {
    static let category = CommandOption("category", "C", "only those of this category")
    static let unlocked = CommandOption("unlocked", nil, "only those with a tier unlocked")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let learner = arguments.operands[0]
        let at = try arguments.at()
        let engine = try arguments.openForReading()
        let language = arguments.text(.language)
        // Also says which languages there are, where this is none of them.
        _ = try engine.knownProgress(of: learner, language: language, at: at)
        let all = try engine.achievements(of: learner, language: language, at: at) ?? []
        let shown = all.filter(isWanted)
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for achievement in shown { try list.add { write(achievement, to: &$0) } }
            try list.finish()
            return .done
        }
        try showTable(shown)
        try console.output.flush()
        let unlocked = all.count(where: \.isUnlocked)
        console.message("\(Numbers.grouped(unlocked)) of \(Numbers.count(all.count, "achievement")) unlocked")
        return .done
    }

    private func isWanted(_ achievement: AchievementRecord) -> Bool {
        if arguments.has(Self.unlocked), achievement.tier == 0 { return false }
        guard let category = arguments.text(Self.category) else { return true }
        return achievement.category == category
    }

    private func showTable(_ achievements: [AchievementRecord]) throws {
        guard !achievements.isEmpty else { return }
        let hasLanguages = achievements.contains { $0.language != nil }
        let hasTiers = achievements.contains { $0.tiers > 1 }
        var table = Table(
            [.text("achievement"), .prose("name"), .prose("description"), .text("category")]
                + (hasLanguages ? [.text("language")] : []) + [.text("progress"), .number("")]
                + (hasTiers ? [.text("tier")] : []) + [.text("unlocked (UTC)")]
        )
        for achievement in achievements {
            let tier = achievement.tiers > 1 ? "\(achievement.tier) of \(achievement.tiers)" : ""
            table.add(
                [achievement.id, achievement.name, achievement.description, achievement.category ?? ""]
                    + (hasLanguages ? [achievement.language ?? ""] : [])
                    + [bar(achievement.progress), Numbers.percent(achievement.progress * 100)]
                    + (hasTiers ? [tier] : []) + [achievement.unlockedAt.map(TimeText.minute) ?? ""]
            )
        }
        try table.write(to: console.output, style: console.style)
    }

    /// Without colour, for a cell's escapes would be shown.
    private func bar(_ progress: Double) -> String {
        let filled = Int((progress * 10).rounded(.down))
        let (full, empty) = console.style.isTerminal ? ("█", "░") : ("#", ".")
        return String(repeating: full, count: filled) + String(repeating: empty, count: 10 - filled)
    }

    private func write(_ achievement: AchievementRecord, to json: inout JSONText) {
        json.member("id", achievement.id)
        json.member("name", achievement.name)
        json.member("description", achievement.description)
        json.member("category", achievement.category)
        json.member("language", achievement.language)
        json.member("tier", achievement.tier)
        json.member("tiers", achievement.tiers)
        json.member("unlockedAt", instant: achievement.unlockedAt)
        json.member("progress", achievement.progress)
    }
}
