// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

extension Command {
    static let learners = Command(
        "learners",
        "Lists every learner with the main numbers",
        details: """
            Numbers are as of each learner's latest event. With --at they are as of that instant,
            and with --rules they are under those rules. Both fold the events of all learners.

            The order is by id. With --sort it is by level, xp, streak, words or events, the largest
            first; or recent, the latest first.
            """,
        options: [.store, .rules, .at, LearnersCommand.cohort, LearnersCommand.sort, .limit, .json],
        example: "laurel learners --cohort class-1a --sort xp --limit 10"
    ) { try LearnersCommand(arguments: $0, console: $1).run() }
}

private struct LearnersCommand {
    static let cohort = CommandOption("cohort", "C", "only learners of this cohort", completes: .cohorts)
    static let sort = CommandOption(
        "sort",
        "BY",
        "the order (default: by id)",
        completes: .words(LearnerOrder.allCases.map(\.rawValue))
    )

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let engine = try arguments.openForReading()
        let date = try arguments.instant(.at)?.date
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            try forEachLearner(engine, at: date) { try list.add($0) }
            try list.finish()
            return .done
        }
        var table = Table([
            .prose("learner"), .prose("name"), .prose("cohort"), .number("level"), .number("XP"), .number("streak"),
            .number("words learned").spare, .number("events").spare, .text("last practice (UTC)").spare,
        ])
        var count = 0
        try forEachLearner(engine, at: date) { learner in
            count += 1
            table.add(cells(learner))
        }
        if count > 0 { try table.write(to: console.output, style: console.style) }
        try console.output.flush()
        console.message(Numbers.count(count, "learner"))
        return .done
    }

    /// Visits the learners one by one. Only if the learners must be sorted, all of them are in memory at once.
    private func forEachLearner(
        _ engine: ProgressEngine,
        at date: Date?,
        _ body: (LearnerOverview) throws -> Void
    ) throws {
        let (cohort, limit, order) = (arguments.text(Self.cohort), try arguments.limit(), try order())
        guard cohort != nil || limit != nil || order != .id else { return try engine.forEachLearner(at: date, body) }
        try engine.learners(cohort: cohort, order: order, limit: limit, at: date).forEach(body)
    }

    private func order() throws(UsageError) -> LearnerOrder {
        guard let name = arguments.text(Self.sort) else { return .id }
        guard let order = LearnerOrder(rawValue: name) else {
            let names = LearnerOrder.allCases.map(\.rawValue)
            throw arguments.wrong(
                Self.sort,
                "is not one of \(names.joined(separator: ", "))\(didYouMean(names.nearest(to: name)))"
            )
        }
        return order
    }

    private func cells(_ learner: LearnerOverview) -> [String] {
        [learner.id, learner.displayName ?? "", learner.cohort ?? ""]
            + [
                learner.currentLevel, learner.totalXP, learner.currentStreak, learner.totalWordsLearned, learner.events,
            ].map { Numbers.grouped($0) }
            + [learner.lastPracticeAt.map(TimeText.minute) ?? ""]
    }
}
