// SPDX-License-Identifier: Apache-2.0

import Laurel

/// `leaderboard --session`: the learners of a session, ranked by the XP that the session gave them.
struct SessionBoard {
    static let session = CommandOption("session", "ID", "by the XP of this session, with all participants")
    static let cohort = CommandOption("cohort", "C", "only learners of this cohort", completes: .cohorts)
    static let around = CommandOption("around", "LEARNER", "the rows around this learner, 11 in all or --limit")

    private static let neighbours = 11

    let arguments: Arguments
    let console: Console

    /// The rows of a leaderboard that are requested.
    static func part(_ arguments: Arguments) throws(UsageError) -> LeaderboardPart {
        let limit = try arguments.limit()
        return arguments.text(around).map { .around(learner: $0, count: limit ?? neighbours) } ?? .top(limit)
    }

    func run() throws -> ExitStatus {
        let id = arguments.text(Self.session) ?? ""
        let part = try Self.part(arguments)
        let at = try arguments.at()
        let engine = try arguments.openForReading()
        let (language, cohort) = (arguments.text(.language), arguments.text(Self.cohort))
        let ranking = try engine.leaderboard(
            ofSession: id,
            language: language,
            cohort: cohort,
            part: part,
            at: at.date
        )
        guard let ranking else { throw try engine.unknownLearner(arguments.text(Self.around) ?? "") }
        if ranking.participants == 0, language == nil, cohort == nil {
            throw CommandFailure.wrongRequest(
                "no learner has a session “\(Visible.text(id))” as of \(at)",
                hint: "`laurel sessions LEARNER` lists a learner's"
            )
        }
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for row in ranking.rows { try list.add(row) }
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

    private func show(_ rows: [SessionLeaderboard.Row]) throws {
        guard !rows.isEmpty else { return }
        let around = arguments.text(Self.around)
        var table = Table([
            .number("rank"), .prose("learner"), .prose("name"), .prose("cohort"), .number("XP"), .number("lines").spare,
            .number("accuracy").spare, .number("errors").spare, .number("new words").spare, .number("length").spare,
            .text(""),
        ])
        for row in rows {
            let cells = [Numbers.grouped(row.rank), row.learner, row.displayName ?? "", row.cohort ?? ""]
            let counts = [
                Numbers.grouped(row.xp), Numbers.grouped(row.linesSpoken),
                row.accuracy.map { Numbers.percent($0 * 100) } ?? "", Numbers.grouped(row.errorsDetected),
                Numbers.grouped(row.newVocabulary),
                row.durationMs.map { Numbers.duration(seconds: Double($0) / 1000) } ?? "",
            ]
            let isMarked = around.map { $0.utf8.elementsEqual(row.learner.utf8) } ?? false
            table.add(cells + counts + [isMarked ? "<" : ""])
        }
        try table.write(to: console.output, style: console.style)
    }
}
