import Laurel
import LaurelEvents
import LaurelProgress

extension Command {
    static let studyTime = Command(
        "study-time",
        "How long a learner practised, in total and per day",
        details: """
            The time of sessions that have ended, on the local day on which they ended. Days on which
            anything happened are listed, the latest first.
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
        // Also says which languages there are, where this is none of them.
        _ = try engine.knownProgress(of: learner, language: language, at: at)
        let tracks = try engine.projection(of: learner, at: at)?.tracks ?? []
        let track = tracks.first { $0.language == language } ?? TrackProjection(language: language)
        let days = track.days.reversed().prefix(limit ?? .max)
        if arguments.has(.json) {
            try console.output.writeJSON { json in
                json.member("language", language)
                json.member("totalMs", track.practiceMilliseconds)
                json.member("sessions", track.sessions)
                json.list("days", days) { write($1, to: &$0) }
            }
            return .done
        }
        if !days.isEmpty { try table(days).write(to: console.output, style: console.style) }
        try console.output.flush()
        let shown = days.count < track.days.count ? "\(Numbers.grouped(days.count)) of " : ""
        let total = "\(time(track.practiceMilliseconds)) in \(Numbers.count(track.sessions, "session"))"
        console.message("\(total); \(shown)\(Numbers.count(track.days.count, "day"))")
        return .done
    }

    private func table(_ days: some Collection<DayProjection>) -> Table {
        var table = Table([
            .text("day"), .number("time"), .number("XP"), .number("lines"), .number("reviews"), .number("correct"),
            .number("new words"), .number("learned words"),
        ])
        for day in days {
            let counts = [day.lines, day.reviews, day.correctReviews, day.newWords, day.learnedWords]
            table.add(
                [day.day.description, time(day.practiceMilliseconds), Numbers.grouped(day.xp, places: 2)]
                    + counts.map { Numbers.grouped($0) }
            )
        }
        return table
    }

    private func time(_ milliseconds: Int64) -> String { Numbers.duration(seconds: Double(milliseconds) / 1000) }

    private func write(_ day: DayProjection, to json: inout JSONText) {
        json.member("day", day.day.description)
        json.member("ms", day.practiceMilliseconds)
        json.member("xp", day.xp)
        json.member("lines", day.lines)
        json.member("reviews", day.reviews)
        json.member("correctReviews", day.correctReviews)
        json.member("newWords", day.newWords)
        json.member("learnedWords", day.learnedWords)
        json.member("active", day.isActive)
    }
}
