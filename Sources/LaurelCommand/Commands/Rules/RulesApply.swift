// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let rulesApply = Command(
        "rules apply",
        "Computes all progress under other rules, then puts them in force at once",
        details: """
            Shows the result of `rules diff`, and asks. Other processes may read and write
            meanwhile. If the command is interrupted, the old rules stay in force. With --from, the
            rules are in force from that day on each learner's clock, and the past does not change.
            --keep-achievements records achievements that learners would lose as achievement.granted
            events. --keep-xp records XP that they would lose as xp.declared events.
            """,
        operand: RulesChoice.operand,
        options: [
            .store, .at, .json, .limit, .yes, RulesChoice.from, RulesApplyCommand.keep, RulesApplyCommand.keepXP,
            RulesApplyCommand.sample, RulesChoice.version,
        ],
        example: "laurel rules apply new-rules.yaml --keep-achievements --yes"
    ) { try RulesApplyCommand(arguments: $0, console: $1).run() }
}

private struct RulesApplyCommand {
    static let keep = CommandOption("keep-achievements", nil, "let learners keep their unlocked achievements")
    static let keepXP = CommandOption("keep-xp", nil, "let learners keep their XP")
    static let sample = CommandOption("sample", "N", "compare only this many learners, and estimate the rest")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        try arguments.expectAnswer(console, "applies")
        let reader = try arguments.openForReading()
        let choice = try RulesChoice(arguments, reader)
        let from = try RulesChoice.day(arguments)
        for warning in from.map(choice.rules.warnings(inForceFrom:)) ?? [] { console.line("\(warning)") }
        let stored = try reader.rulesInForce()
        if from == nil, stored.count == 1, stored[0].hash == choice.rules.hash {
            return try printReport(RulesApplication(inForce: stored[0].version))
        }
        let diff = try difference(reader, choice, from)
        let title = choice.title(from)
        if !arguments.has(.json) { try show(diff, reader, choice, title) }
        if !arguments.has(.yes), !console.confirms("Apply \(Visible.text(title)) to \(arguments.shownStore)?") {
            console.message("nothing was applied")
            return .incomplete
        }
        var report = try apply(choice, from)
        report.diff = diff.summary
        return try printReport(report)
    }

    private func difference(_ reader: ProgressEngine, _ choice: RulesChoice, _ from: LocalDay?) throws -> RulesDiff {
        var options = DiffOptions(at: try arguments.at())
        options.sample = try arguments.number(Self.sample, in: 1...Int.max)
        return try console.withProgress("events") { line in
            try reader.diff(choice.rules, from: from, options: options) { line.show($0) }
        }
    }

    private func show(_ diff: RulesDiff, _ reader: ProgressEngine, _ choice: RulesChoice, _ title: String) throws {
        try DiffReport(diff: diff, style: console.style).write(
            to: console.output,
            title: "“\(reader.latestRules.name)” → \(title)",
            limit: try arguments.limit() ?? DiffReport.defaultLimit
        )
        if arguments.has(Self.keep) { try printKept(diff, reader.latestRules, choice.rules) }
        let hasLoss = diff.learners.flatMap(\.tracks).contains { $0.after.totalXP < $0.before.totalXP }
        if arguments.has(Self.keepXP), hasLoss { try console.output.writeLine("What is lost of XP is kept") }
        try console.output.writeLine()
        try console.output.flush()
    }

    private func printKept(_ diff: RulesDiff, _ old: Rules, _ new: Rules) throws {
        let losses = diff.learners.flatMap(\.tracks).flatMap(\.achievements).filter { $0.tierAfter < $0.tierBefore }
        let lossesByID = Dictionary(grouping: losses, by: \.id)
        var isAnyKept = false
        var (gone, shortened): ([String], [String]) = ([], [])
        for rule in old.achievements {
            guard let losses = lossesByID[rule.id] else { continue }
            let counterpart = new.achievements.first { $0.id == rule.id && $0.isPerLanguage == rule.isPerLanguage }
            guard let tiers = counterpart?.tiers else {
                gone.append(Visible.text(rule.id))
                continue
            }
            if losses.contains(where: { $0.tierAfter < min($0.tierBefore, tiers) }) { isAnyKept = true }
            if losses.contains(where: { $0.tierBefore > tiers }) { shortened.append(Visible.text(rule.id)) }
        }
        let lines = [
            isAnyKept ? "What is lost of them is kept, with all its tiers" : nil,
            shortened.isEmpty
                ? nil : "The new rules have fewer tiers, and no more to keep: \(shortened.joined(separator: ", "))",
            gone.isEmpty ? nil : "The new rules have no such achievement to keep: \(gone.joined(separator: ", "))",
        ]
        for line in lines.compactMap(\.self) { try console.output.writeLine(line) }
    }

    private func apply(_ choice: RulesChoice, _ from: LocalDay?) throws -> RulesApplication {
        var options = ApplyOptions(appliedAt: System.date())
        options.keepsAchievements = arguments.has(Self.keep)
        options.keepsXP = arguments.has(Self.keepXP)
        options.actor = System.actor
        let engine = try arguments.openForApplying()
        return try console.withProgress("events") { line in
            try engine.apply(choice.rules, from: from, options: options) { line.show($0) }
        }
    }

    private func printReport(_ report: RulesApplication) throws -> ExitStatus {
        if arguments.has(.json) {
            try console.output.writeJSON(report)
            return .done
        }
        try console.output.writeLine(sentence(report))
        if arguments.has(Self.keep), report.method != .nothing {
            try console.output.writeLine("\(Numbers.count(report.granted, "achievement")) kept by achievement.granted")
        }
        if arguments.has(Self.keepXP), report.method != .nothing {
            try console.output.writeLine("XP of \(Numbers.count(report.declared, "track")) kept by xp.declared")
        }
        return .done
    }

    private func sentence(_ report: RulesApplication) -> String {
        let seconds = Numbers.duration(seconds: report.seconds)
        let learners = Numbers.count(report.learners, "learner")
        let version = "version \(report.version) is in force" + (report.from.map { " from \($0)" } ?? "")
        return switch report.method {
        case .nothing: "\(version) already: these are its rules"
        case .listings: "\(version); no number depends on what changed"
        case .thresholds: "\(version); \(learners) whom it may concern folded in \(seconds)"
        case .replay: "\(version); \(learners) folded in \(seconds)"
        }
    }
}
