import Laurel
import LaurelEvents

/// `leaderboard --session`: who took part in a session, by the XP that it brought each of them.
struct SessionBoard {
    static let session = CommandOption("session", "ID", "by the XP of this session, with everyone who took part in it")
    static let cohort = CommandOption("cohort", "C", "only learners of this cohort")
    static let around = CommandOption("around", "LEARNER", "this learner's neighbours, 11 in all or --limit")

    private static let neighbours = 11

    let arguments: Arguments
    let console: Console

    /// Which rows of a leaderboard are asked for.
    static func part(_ arguments: Arguments) throws(UsageError) -> LeaderboardRequest.Part {
        let limit = try arguments.limit()
        return arguments.text(around).map { .around($0, limit ?? neighbours) } ?? .top(limit)
    }

    func run() throws -> ExitStatus {
        let id = arguments.text(Self.session) ?? ""
        let part = try Self.part(arguments)
        let at = try arguments.at()
        let engine = try arguments.openForReading()
        let (language, cohort) = (arguments.text(.language), arguments.text(Self.cohort))
        guard let ranking = try engine.ranking(ofSession: id, language: language, cohort: cohort, part: part, at: at)
        else { throw try engine.unknownLearner(arguments.text(Self.around) ?? "") }
        if ranking.participants == 0, language == nil, cohort == nil {
            throw CommandFailure.wrongRequest(
                "nobody has a session “\(Visible.text(id))” as of \(at)",
                hint: "`laurel sessions LEARNER` lists a learner's"
            )
        }
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for row in ranking.rows { try list.add { write(row, to: &$0) } }
            try list.finish()
        } else {
            try show(ranking.rows)
        }
        try console.output.flush()
        let all = Numbers.count(ranking.participants, "learner")
        let shown = ranking.rows.count < ranking.participants ? "\(Numbers.grouped(ranking.rows.count)) of " : ""
        console.message("session \(Visible.text(id)): \(shown)\(all)")
        return .done
    }

    private func show(_ rows: [SessionRanking.Row]) throws {
        guard !rows.isEmpty else { return }
        let around = arguments.text(Self.around)
        var table = Table([
            .number("rank"), .prose("learner"), .prose("name"), .prose("cohort"), .number("XP"), .number("lines"),
            .number("accuracy"), .number("errors"), .number("new words"), .number("length"), .text(""),
        ])
        for row in rows {
            let session = row.session
            let cells = [Numbers.grouped(row.rank), row.subject, row.displayName ?? "", row.cohort ?? ""]
            let counts = [
                Numbers.grouped(session.xpEarned, places: 2), Numbers.grouped(session.linesSpoken),
                session.accuracy.map { Numbers.percent($0 * 100) } ?? "", Numbers.grouped(session.errorsDetected),
                Numbers.grouped(session.newVocabulary),
                session.durationMs.map { Numbers.duration(seconds: Double($0) / 1000) } ?? "",
            ]
            let isMarked = around.map { $0.utf8.elementsEqual(row.subject.utf8) } ?? false
            table.add(cells + counts + [isMarked ? "<" : ""])
        }
        try table.write(to: console.output, style: console.style)
    }

    private func write(_ row: SessionRanking.Row, to json: inout JSONText) {
        let session = row.session
        json.member("rank", row.rank)
        json.member("userId", row.subject)
        json.member("displayName", row.displayName)
        json.member("cohort", row.cohort)
        json.member("xp", Double?.some(session.xpEarned))
        json.member("reachedAt", instant: session.xpReachedAt)
        json.member("language", session.language)
        json.member("mode", session.mode)
        json.member("durationMs", session.durationMs)
        json.member("linesSpoken", session.linesSpoken)
        json.member("accuracy", session.accuracy)
        json.member("errorsDetected", session.errorsDetected)
        json.member("errorsCorrected", session.errorsCorrected)
        json.member("newVocabulary", session.newVocabulary)
        json.object("xpBreakdown") { $0.members(session.xpBreakdown) }
    }
}
