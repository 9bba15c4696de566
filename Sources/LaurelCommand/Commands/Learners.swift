import Laurel
import LaurelStore

extension Command {
    static let learners = Command(
        "learners",
        "Every learner with the headline numbers",
        details: """
            Numbers are as of each learner's latest event. With --at they are as of that instant, with
            --rules as those rules have it; either way everyone's events are folded for it.
            """,
        options: [.store, .rules, .at, .json],
        example: "laurel learners --store school.db"
    ) { try LearnersCommand(arguments: $0, console: $1).run() }
}

private struct LearnersCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let engine = try arguments.openForReading()
        let instant = try arguments.instant(.at)
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            try engine.forEachLearner(at: instant) { learner in try list.add { write(learner, to: &$0) } }
            try list.finish()
            return .done
        }
        var table = Table([
            .prose("learner"), .prose("name"), .prose("cohort"), .number("level"), .number("XP"), .number("streak"),
            .number("words learned"), .number("events"), .text("latest event (UTC)"),
        ])
        var count = 0
        try engine.forEachLearner(at: instant) { learner in
            count += 1
            table.add(cells(learner))
        }
        if count > 0 { try table.write(to: console.output, style: console.style) }
        try console.output.flush()
        console.message(Numbers.count(count, "learner"))
        return .done
    }

    private func cells(_ overview: LearnerOverview) -> [String] {
        [String(decoding: overview.learner.subject, as: UTF8.self), overview.displayName ?? "", overview.cohort ?? ""]
            + [Numbers.grouped(overview.level), Numbers.grouped(overview.xp, places: 2)]
            + [overview.currentStreak, overview.wordsLearned, overview.events].map { Numbers.grouped($0) }
            + [overview.lastEventAt.map(TimeText.minute) ?? ""]
    }

    private func write(_ overview: LearnerOverview, to json: inout JSONText) {
        json.member("userId", String(decoding: overview.learner.subject, as: UTF8.self))
        json.member("displayName", overview.displayName)
        json.member("cohort", overview.cohort)
        json.member("currentLevel", overview.level)
        json.member("totalXP", overview.xp)
        json.member("currentStreak", overview.currentStreak)
        json.member("totalWordsLearned", overview.wordsLearned)
        json.member("events", overview.events)
        json.member("lastEventAt", instant: overview.lastEventAt)
    }
}
