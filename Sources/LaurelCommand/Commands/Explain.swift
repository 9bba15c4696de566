import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules

extension Command {
    static let explain = Command(
        "explain",
        "Why a learner's XP, streak, achievement or word is what it is",
        details: """
            One of --xp, --achievement, --streak and --word. The learner's events are folded again, and
            what the rules did is told event by event; with --rules, what other rules would do.
            """,
        operand: .learner,
        options: .reading + [
            ExplainCommand.xp, ExplainCommand.achievement, ExplainCommand.streak, ExplainCommand.word, .language,
            ExplainCommand.day, ExplainCommand.session, .limit,
        ],
        example: "laurel explain anna --xp --day 2026-02-05"
    ) { try ExplainCommand(arguments: $0, console: $1).run() }
}

private struct ExplainCommand {
    static let xp = CommandOption("xp", nil, "each award with the values that went in")
    static let achievement = CommandOption("achievement", "ID", "its history, or what it still takes")
    static let streak = CommandOption("streak", nil, "the last month day by day")
    static let word = CommandOption("word", "WORD", "each review, and what the scheduler did")
    static let day = CommandOption("day", "D", "XP: of this local day; streak: the days around it")
    static let session = CommandOption("session", "ID", "XP of this session only")

    let arguments: Arguments
    let console: Console

    private static let subjects = [xp, achievement, streak, word]
    /// What narrows which subject.
    private static let companions: [(option: CommandOption, subjects: [CommandOption])] = [
        (day, [xp, streak]), (session, [xp]), (.limit, [xp]),
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
        default: try request.explainWord(arguments.text(Self.word) ?? "")
        }
        return .done
    }

    private func subject() throws(UsageError) -> CommandOption {
        let given = Self.subjects.filter(arguments.has)
        guard let subject = given.first else {
            throw UsageError("which of \(Self.subjects.map(\.usage).joined(separator: ", "))?", command: "explain")
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

/// One question about a learner.
private struct Request {
    let arguments: Arguments
    let console: Console
    let engine: ProgressEngine
    let at: Timestamp

    private var learner: String { arguments.operands[0] }
    private var language: String? { arguments.text(.language) }
    private var wantsJSON: Bool { arguments.has(.json) }

    func explainXP(day: LocalDay?, limit: Int?) throws {
        let progress = try engine.knownProgress(of: learner, language: language, at: at)
        let session = arguments.text(ExplainCommand.session)
        if let session, try engine.learner(learner, at: at).session(session, at: at.date) == nil {
            throw CommandFailure.unknownSession(session, of: learner, at: at)
        }
        let selection = XPSelection(language: language, day: day, session: session)
        let explanation = try known(engine.explainXP(of: learner, selection, at: at))
        if wantsJSON {
            try console.output.writeJSON { json in
                json.member("userId", learner)
                json.member("language", language)
                json.member("day", day?.description)
                json.member("session", session)
                json.members(of: explanation, limit: limit)
            }
            return
        }
        try console.output.writeLine(console.style.heading(title(progress), language, at))
        let story = XPStory(explanation: explanation, rules: engine.rules(at: at), style: console.style, limit: limit)
        try story.write(to: console.output)
    }

    func explainStreak(around day: LocalDay?) throws {
        let progress = try engine.knownProgress(of: learner, language: language, at: at)
        guard engine.rules(at: at).streak != nil else { throw CommandFailure.wrongRequest("the rules have no streak") }
        let found = try engine.explainStreak(of: learner, language: language, around: day, at: at)
        let explanation = try known(found)
        if wantsJSON {
            try console.output.writeJSON { json in
                json.member("userId", learner)
                json.member("language", language)
                json.members(of: explanation)
            }
            return
        }
        try console.output.writeLine(console.style.heading(title(progress), language, at))
        try StreakStory(explanation: explanation, style: console.style).write(to: console.output)
        guard explanation.days.isEmpty else { return }
        try console.output.flush()
        console.message("the walk from the first active day on has no day there")
    }

    func explainAchievement(_ id: String) throws {
        let achievements = engine.rules(at: at).achievements
        guard let index = achievements.firstIndex(where: { $0.id.utf8.elementsEqual(id.utf8) }) else {
            let nearest = achievements.map(\.id).nearest(to: id)
            throw CommandFailure.wrongRequest(
                "the rules have no achievement “\(Visible.text(id))”\(didYouMean(nearest.map(Visible.text)))"
            )
        }
        if language != nil, !achievements[index].isPerLanguage {
            throw CommandFailure.wrongRequest(
                "\(Visible.text(id)) is unlocked once, not per language; leave --language out"
            )
        }
        let progress = try engine.knownProgress(of: learner, language: language, at: at)
        let found = try known(engine.explainAchievement(id, of: learner, language: language, at: at))
        if wantsJSON {
            var list = JSONLines(console.output)
            for explanation in found { try list.add { $0.members(of: explanation) } }
            return try list.finish()
        }
        try console.output.writeLine(console.style.heading(title(progress), language, at))
        for explanation in found {
            try console.output.writeLine()
            let story = AchievementStory(explanation: explanation, style: console.style)
            for line in story.lines { try console.output.writeLine(line) }
        }
        guard found.isEmpty else { return }
        try console.output.flush()
        console.message("\(Visible.text(id)) is unlocked per language, and there is no language yet")
    }

    func explainWord(_ word: String) throws {
        let progress = try engine.knownProgress(of: learner, language: language, at: at)
        let found = try known(engine.explainWord(word, of: learner, language: language, at: at))
        guard !found.isEmpty else { throw try unknownWord(word) }
        let mastery = engine.rules(at: at).mastery
        if wantsJSON {
            var list = JSONLines(console.output)
            for explanation in found { try list.add { $0.members(of: explanation, mastery, at: at.milliseconds) } }
            return try list.finish()
        }
        try console.output.writeLine(console.style.heading(title(progress), language, at))
        for explanation in found {
            try console.output.writeLine()
            let story = WordStory(explanation: explanation, mastery: mastery, instant: at, style: console.style)
            try story.write(to: console.output)
        }
    }

    private func unknownWord(_ word: String) throws -> CommandFailure {
        let known = try engine.words(of: learner, language: language, at: at) ?? .empty
        let byText = known.first { $0.text?.utf8.elementsEqual(word.utf8) ?? false }?.id
        let nearest = byText ?? known.map(\.id).nearest(to: word)
        let place = language.map { " in “\(Visible.text($0))”" } ?? ""
        return .wrongRequest(
            "no event of \(Visible.text(learner)) is about the word “\(Visible.text(word))”\(place) as of \(at)"
                + didYouMean(nearest.map(Visible.text)),
            hint: "`laurel words \(Visible.text(learner))` lists the known ones by their ids"
        )
    }

    private func known<Explanation>(_ explanation: Explanation?) throws -> Explanation {
        guard let explanation else { throw try engine.unknownLearner(learner) }
        return explanation
    }

    private func title(_ progress: LearnerProgress) -> String {
        progress.displayName.map { "\($0) (\(learner))" } ?? learner
    }
}
