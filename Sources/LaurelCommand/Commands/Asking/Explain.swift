// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelResults

extension Command {
    static let explain = Command(
        "explain",
        "Explains a learner's XP, streak, achievement, word or balance",
        details: """
            Give one of --xp, --achievement, --streak, --word and --balance. The command folds
            the learner's events again, and tells in sentences what the rules did. With --rules,
            it shows the effect of other rules.
            """,
        operand: .learner,
        options: .reading + [
            ExplainCommand.xp, ExplainCommand.achievement, ExplainCommand.streak, ExplainCommand.word,
            ExplainCommand.balance, .language, ExplainCommand.day, ExplainCommand.session, ExplainCommand.flagged,
            ExplainCommand.events, .limit,
        ],
        example: "laurel explain anna --xp --day 2026-02-05"
    ) { try ExplainCommand(arguments: $0, console: $1).run() }
}

private struct ExplainCommand {
    static let xp = CommandOption("xp", nil, "the XP by day, session and rule")
    static let achievement = CommandOption("achievement", "ID", "its history, or the missing part")
    static let streak = CommandOption("streak", nil, "the last month day by day")
    static let word = CommandOption(
        "word",
        "WORD",
        "each review with the predicted recall, and why the next one is due"
    )
    static let balance = CommandOption("balance", "CURRENCY", "the awards, gifts and purchases that add up to it")
    static let day = CommandOption("day", "D", "XP: of this local day; streak: the days around it")
    static let session = CommandOption("session", "ID", "XP of this session only")
    static let flagged = CommandOption("flagged", nil, "only events that exceed a limit of the rules")
    static let events = CommandOption("events", nil, "the events, and each formula with its values")

    let arguments: Arguments
    let console: Console

    private static let subjects = [xp, achievement, streak, word, balance]
    /// The options that narrow a subject, each with the subjects that it can be combined with.
    private static let companions: [(option: CommandOption, subjects: [CommandOption])] = [
        (day, [xp, streak]), (session, [xp]), (flagged, [xp]), (.limit, [xp]),
        (.language, [xp, achievement, streak, word]),
    ]

    func run() throws -> ExitStatus {
        let subject = try subject()
        let day = try day()
        let limit = try arguments.limit()
        let request = Request(
            arguments: arguments,
            console: console,
            engine: try arguments.openForReading(),
            at: try arguments.at()
        )
        switch subject {
        case Self.xp: try request.explainXP(day: day, limit: limit)
        case Self.streak: try request.explainStreak(around: day)
        case Self.achievement: try request.explainAchievement(arguments.text(Self.achievement) ?? "")
        case Self.balance: try request.explainBalance(of: arguments.text(Self.balance) ?? "")
        default: try request.explainWord(arguments.text(Self.word) ?? "")
        }
        return .done
    }

    private func subject() throws(UsageError) -> CommandOption {
        let given = Self.subjects.filter(arguments.has)
        guard let subject = given.first else {
            throw UsageError("choose one of \(Self.subjects.map(\.usage).joined(separator: ", "))", command: "explain")
        }
        if given.count > 1 {
            throw UsageError("\(given[0].flag) and \(given[1].flag) exclude each other", command: "explain")
        }
        for (option, subjects) in Self.companions where arguments.has(option) && !subjects.contains(subject) {
            let flags = subjects.map(\.flag).joined(separator: " and ")
            throw UsageError("\(option.flag) goes with \(flags), not with \(subject.flag)", command: "explain")
        }
        return subject
    }

    private func day() throws(UsageError) -> LocalDay? {
        guard let text = arguments.text(Self.day) else { return nil }
        guard let day = LocalDay(parsing: text.utf8) else {
            throw arguments.wrong(Self.day, "is not a date, such as 2026-02-05")
        }
        return day
    }
}

/// A request for an explanation.
private struct Request {
    let arguments: Arguments
    let console: Console
    let engine: ProgressEngine
    let at: Timestamp

    private var id: String { arguments.operands[0] }
    private var learner: Learner { engine.learner(id, at: at) }
    private var rules: Rules { engine.rules(at: at.date) }
    private var language: String? { arguments.text(.language) }
    private var hasEvents: Bool { arguments.has(ExplainCommand.events) }
    private var wantsJSON: Bool { arguments.has(.json) }

    func explainXP(day: LocalDay?, limit: Int?) throws {
        let progress = try engine.existingProgress(of: id, language: language, at: at)
        let session = arguments.text(ExplainCommand.session)
        if let session, try learner.session(session, at: at.date) == nil {
            throw CommandFailure.unknownSession(session, of: id, at: at)
        }
        let found = try learner.explainXP(
            language: language,
            day: day,
            session: session,
            flagged: arguments.has(ExplainCommand.flagged),
            at: at.date
        )
        let explanation = try required(found)
        if wantsJSON {
            var shown = explanation
            shown.events = explanation.events.suffix(limit ?? .max)
            return try console.output.writeJSON(shown)
        }
        try console.output.writeLine(console.style.heading(title(progress), language, at))
        let story = XPStory { id in rules.achievement(id).map { ($0.name, $0.tiers) } }
        let report = XPReport(explanation, story, hasEvents: hasEvents, limit: limit)
        try report.write(to: console.output, style: console.style)
    }

    func explainStreak(around day: LocalDay?) throws {
        let progress = try engine.existingProgress(of: id, language: language, at: at)
        guard rules.hasStreak else { throw CommandFailure.wrongRequest("the rules have no streak") }
        let explanation = try required(learner.explainStreak(language: language, around: day, at: at.date))
        if wantsJSON { return try console.output.writeJSON(explanation) }
        try console.output.writeLine(console.style.heading(title(progress), language, at))
        let story = StreakStory(explanation)
        try console.output.writeLine("  " + console.style.text(story.answer))
        if hasEvents { for fact in story.facts { try console.output.writeLine(console.style.text(fact)) } }
        guard explanation.days.isEmpty else {
            try console.output.writeLine()
            guard hasEvents else {
                for day in explanation.days {
                    let sentence: Story = "  \(story.date(day)): \(story.sentence(day))"
                    try console.output.writeLine(console.style.text(sentence))
                }
                return
            }
            return try story.table(explanation.days).write(to: console.output, style: console.style)
        }
        try console.output.flush()
        console.message(console.style.text(StreakStory.nothing))
    }

    func explainAchievement(_ achievement: String) throws {
        guard let definition = rules.achievement(achievement) else {
            let nearest = rules.achievements.map(\.id).nearest(to: achievement)
            throw CommandFailure.wrongRequest(
                "the rules have no achievement “\(Visible.text(achievement))”\(didYouMean(nearest.map(Visible.text)))"
            )
        }
        if language != nil, !definition.isPerLanguage {
            throw CommandFailure.wrongRequest(
                "\(Visible.text(achievement)) is unlocked once, not per language; leave --language out"
            )
        }
        let progress = try engine.existingProgress(of: id, language: language, at: at)
        let found = try learner.explainAchievement(achievement, language: language, at: at.date)
        if wantsJSON { return try writeList(found) }
        try console.output.writeLine(console.style.heading(title(progress), language, at))
        for explanation in found {
            try console.output.writeLine()
            let story = AchievementStory(explanation)
            try write(story.heading, [story.answer], story.facts, story.changes.map(\.sentence))
        }
        guard found.isEmpty else { return }
        try console.output.flush()
        console.message("\(Visible.text(achievement)) is unlocked per language, and there is no language yet")
    }

    func explainBalance(of currency: String) throws {
        let progress = try engine.existingProgress(of: id, language: nil, at: at)
        guard let explanation = try learner.explainBalance(currency, at: at.date) else {
            let known = (progress.balances ?? [:]).map(\.name)
            throw CommandFailure.wrongRequest(
                "the rules have no currency “\(Visible.text(currency))”"
                    + didYouMean(known.nearest(to: currency).map(Visible.text))
            )
        }
        if wantsJSON { return try console.output.writeJSON(explanation) }
        try console.output.writeLine(console.style.heading(title(progress), nil, at))
        let story = BalanceStory(explanation)
        try console.output.writeLine("  " + console.style.text(story.answer))
        try console.output.writeLine()
        if arguments.has(ExplainCommand.events) {
            return try story.table.write(to: console.output, style: console.style)
        }
        for source in story.sources {
            let amount = console.style.text("\(.change(Double(source.amount)))" as Story)
            let padding = String(repeating: " ", count: max(0, 9 - amount.count))
            try console.output.writeLine("\(padding)\(amount)  \(console.style.text(source.story))")
        }
    }

    func explainWord(_ word: String) throws {
        let progress = try engine.existingProgress(of: id, language: language, at: at)
        let found = try learner.explainWord(word, language: language, at: at.date)
        guard !found.isEmpty else { throw try unknownWord(word) }
        if wantsJSON { return try writeList(found) }
        try console.output.writeLine(console.style.heading(title(progress), language, at))
        for explanation in found {
            try console.output.writeLine()
            let story = WordStory(explanation, learnedMastery: rules.learnedMastery)
            let answers = [story.answer, story.dueReason].compactMap(\.self)
            try write(story.heading, answers, story.facts, explanation.steps.map(story.sentence))
            guard hasEvents, !explanation.steps.isEmpty else { continue }
            try console.output.writeLine()
            try story.table(explanation.steps).write(to: console.output, style: console.style)
        }
    }

    /// Writes the answers, and then the sentences. With `--events`, it writes the facts instead of the sentences.
    private func write(_ heading: Story, _ answers: [Story], _ facts: [StoryFact], _ sentences: [Story]) throws {
        try console.output.writeLine(console.style.text(heading))
        for answer in answers { try console.output.writeLine("  " + console.style.text(answer)) }
        if hasEvents {
            for fact in facts { try console.output.writeLine(console.style.text(fact)) }
        } else if !sentences.isEmpty {
            try console.output.writeLine()
            for sentence in sentences { try console.output.writeLine("  " + console.style.text(sentence)) }
        }
    }

    private func unknownWord(_ word: String) throws -> CommandFailure {
        let known = try learner.words(language: language, at: at.date)
        let byText = known.first { $0.text?.utf8.elementsEqual(word.utf8) ?? false }?.id
        let nearest = byText ?? known.map(\.id).nearest(to: word)
        let suffix = language.map { " in “\(Visible.text($0))”" } ?? ""
        return .wrongRequest(
            "no event of \(Visible.text(id)) is about the word “\(Visible.text(word))”\(suffix) as of \(at)"
                + didYouMean(nearest.map(Visible.text)),
            hint: "`laurel words \(Visible.text(id))` lists the known ones by their ids"
        )
    }

    private func writeList(_ explanations: [some Encodable]) throws {
        var list = JSONLines(console.output)
        for explanation in explanations { try list.add(explanation) }
        try list.finish()
    }

    private func required<Explanation>(_ explanation: Explanation?) throws -> Explanation {
        guard let explanation else { throw try engine.unknownLearner(id) }
        return explanation
    }

    private func title(_ progress: LearnerProgress) -> String {
        progress.displayName.map { "\($0) (\(id))" } ?? id
    }
}
