// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let studyTime = Command(
        "study-time",
        "The practice time of a learner, in total and per day",
        details: """
            A session counts once it has ended, on the local day of its end. The list has each day
            with an event, the latest first.
            """,
        operand: .learner,
        options: .reading + [.language, .limit],
        example: "laurel study-time anna --limit 14"
    ) { try StudyTimeCommand(arguments: $0, console: $1).run() }
}

private struct StudyTimeCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let learner = arguments.operands[0]
        let limit = try arguments.limit()
        let at = try arguments.at()
        let engine = try arguments.openForReading()
        let language = arguments.text(.language)
        let known = try engine.existingLearner(learner, in: language, at: at)
        let studyTime = try known.studyTime(language: language, at: at.date)
        let days = studyTime.days.prefix(limit ?? .max)
        if arguments.has(.json) {
            var shown = studyTime
            shown.days = Array(days)
            try console.output.writeJSON(shown)
            return .done
        }
        if !days.isEmpty { try table(days).write(to: console.output, style: console.style) }
        try console.output.flush()
        let shown = days.count < studyTime.days.count ? "\(Numbers.grouped(days.count)) of " : ""
        let total = "\(time(studyTime.total)) in \(Numbers.count(studyTime.sessions, "session"))"
        console.message("\(total); \(shown)\(Numbers.count(studyTime.days.count, "day"))")
        return .done
    }

    private func table(_ days: some Collection<StudyDay>) -> Table {
        var table = Table([
            .text("day"), .number("time"), .number("XP"), .number("lines"), .number("reviews"),
            .number("correct").spare,
            .number("new words"), .number("learned words").spare,
        ])
        for day in days {
            let counts = [day.linesSpoken, day.reviews, day.correctReviews, day.newWords, day.learnedWords]
            table.add(
                [day.day.description, time(day.duration), Numbers.grouped(day.xp)]
                    + counts.map { Numbers.grouped($0) }
            )
        }
        return table
    }

    private func time(_ duration: Duration) -> String { Numbers.duration(seconds: duration.inSeconds) }
}
