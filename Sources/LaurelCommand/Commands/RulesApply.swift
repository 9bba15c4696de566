import Laurel
import LaurelEvents
import LaurelRules
import LaurelStore

extension Command {
    static let rulesApply = Command(
        "rules apply",
        "Computes everything under other rules, then swaps them in at once",
        details: """
            Shows what `rules diff` does and asks. Meanwhile others read and write as ever; whatever
            interrupts it, the old rules stand. With --keep-achievements, what learners hold and would
            lose is recorded as achievement.granted events, so that they keep it.
            """,
        operand: RulesChoice.operand,
        options: [
            .store, .at, .json, .limit, .yes, RulesApplyCommand.keep, RulesApplyCommand.sample, RulesChoice.version,
        ],
        example: "laurel rules apply new-rules.yaml --keep-achievements --yes"
    ) { try RulesApplyCommand(arguments: $0, console: $1).run() }
}

private struct RulesApplyCommand {
    static let keep = CommandOption("keep-achievements", nil, "let learners keep what they have unlocked")
    static let sample = CommandOption("sample", "N", "show the differences of so many learners only, and estimate")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        guard arguments.has(.yes) || console.isInteractive else {
            throw UsageError(
                "rules apply asks first, and nobody is there to answer; --yes applies without asking",
                command: arguments.command
            )
        }
        let reader = try arguments.openForReading()
        let choice = try RulesChoice(arguments, reader)
        if let stored = try reader.rulesInForce(), stored.hash == choice.rules.contentHash {
            return try tell(ApplyReport(inForce: stored.version), nil)
        }
        let diff = try difference(reader, choice)
        if !arguments.has(.json) { try show(diff, reader, choice) }
        if !arguments.has(.yes), !console.confirms("Apply \(Visible.text(choice.title)) to \(arguments.store)?") {
            console.message("nothing was applied")
            return .incomplete
        }
        return try tell(try apply(choice), diff)
    }

    private func difference(_ reader: ProgressEngine, _ choice: RulesChoice) throws -> RulesDiff {
        var options = DiffOptions(at: try arguments.at())
        options.sample = try arguments.number(Self.sample, in: 1...Int.max)
        return try console.withProgress("events") { line in
            try reader.diff(choice.rules, options: options) { line.show($0) }
        }
    }

    private func show(_ diff: RulesDiff, _ reader: ProgressEngine, _ choice: RulesChoice) throws {
        let title = "“\(reader.rules.name)” → \(choice.title)"
        try DiffReport(diff: diff, style: console.style).write(
            to: console.output,
            title: title,
            at: try arguments.at(),
            limit: try arguments.limit() ?? DiffReport.defaultLimit
        )
        if arguments.has(Self.keep) { try tellKept(diff, reader.rules, choice.rules) }
        try console.output.writeLine()
        try console.output.flush()
    }

    private func tellKept(_ diff: RulesDiff, _ old: RuleSet, _ new: RuleSet) throws {
        let losses = diff.learners.flatMap(\.tracks).flatMap(\.achievements).filter { $0.tierAfter < $0.tierBefore }
        let lossesByID = Dictionary(grouping: losses, by: \.id)
        var isAnyKept = false
        var (gone, shortened): ([String], [String]) = ([], [])
        for rule in old.achievements {
            guard let losses = lossesByID[rule.id] else { continue }
            let counterpart = new.achievements.first { $0.id == rule.id && $0.isPerLanguage == rule.isPerLanguage }
            guard let tiers = counterpart?.thresholds.count else {
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

    private func apply(_ choice: RulesChoice) throws -> ApplyReport {
        var options = ApplyOptions(clock: System.now())
        options.keepsAchievements = arguments.has(Self.keep)
        let engine = try arguments.openForApplying()
        return try console.withProgress("events") { line in
            try engine.apply(choice.rules, options: options) { line.show($0) }
        }
    }

    private func tell(_ report: ApplyReport, _ diff: RulesDiff?) throws -> ExitStatus {
        let at = try arguments.at()
        if arguments.has(.json) {
            try console.output.writeJSON { json in
                json.member("version", report.version)
                json.member("method", report.method.rawValue)
                json.member("learners", report.learners)
                json.member("events", report.events)
                json.member("granted", report.granted)
                json.member("seconds", report.seconds)
                if let diff { json.object("diff") { DiffJSON(diff: diff, at: at).writeSummary(to: &$0) } }
            }
            return .done
        }
        try console.output.writeLine(sentence(report))
        if arguments.has(Self.keep), report.method != .nothing {
            try console.output.writeLine("\(Numbers.count(report.granted, "achievement")) kept by achievement.granted")
        }
        return .done
    }

    private func sentence(_ report: ApplyReport) -> String {
        let seconds = Numbers.duration(seconds: report.seconds)
        let learners = Numbers.count(report.learners, "learner")
        return switch report.method {
        case .nothing: "version \(report.version) is in force already: these are its rules"
        case .listings: "version \(report.version) is in force; no number depends on what changed"
        case .thresholds: "version \(report.version) is in force; \(learners) whom it may concern folded in \(seconds)"
        case .replay: "version \(report.version) is in force; \(learners) folded in \(seconds)"
        }
    }
}
