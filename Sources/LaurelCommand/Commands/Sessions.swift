import Laurel
import LaurelProgress

extension Command {
    static let sessions = Command(
        "sessions",
        "A learner's sessions with their statistics, newest first",
        operand: .learner,
        options: .reading + [.language, SessionsCommand.session, .limit],
        example: "laurel sessions anna --limit 10"
    ) { try SessionsCommand(arguments: $0, console: $1).run() }
}

private struct SessionsCommand {
    static let session = CommandOption(
        "session",
        "ID",
        "this session only: its report, with new words, mistakes and lines"
    )

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let learner = arguments.operands[0]
        let limit = try arguments.limit()
        let at = try arguments.at()
        let engine = try arguments.openForReading()
        guard let sessions = try engine.sessions(of: learner, at: at) else { throw try engine.unknownLearner(learner) }
        if let id = arguments.text(Self.session) {
            guard let session = sessions.first(where: { $0.sessionId.utf8.elementsEqual(id.utf8) }) else {
                throw CommandFailure.unknownSession(id, of: learner, at: at)
            }
            try showOne(session)
        } else {
            let language = arguments.text(.language)
            // Says which languages there are, where this is none of them.
            if let language { _ = try engine.knownProgress(of: learner, language: language, at: at) }
            let wanted = language == nil ? sessions : sessions.filter { $0.language == language }
            try showAll(wanted.prefix(limit ?? .max), of: wanted.count)
        }
        return .done
    }

    // MARK: All

    private func showAll(_ sessions: ArraySlice<SessionRecord>, of count: Int) throws {
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for session in sessions { try list.add { write(session, to: &$0) } }
            try list.finish()
            return
        }
        var table = Table([
            .prose("session"), .text("started (UTC)"), .number("length"), .text("language"), .text("mode"),
            .prose("scenario"),
            .prose("partner"), .number("lines"), .number("words"), .number("new"), .number("errors"),
            .number("corrected"), .number("XP"),
        ])
        for session in sessions { table.add(cells(session)) }
        if !sessions.isEmpty { try table.write(to: console.output, style: console.style) }
        try console.output.flush()
        let shown = sessions.count < count ? "\(Numbers.grouped(sessions.count)) of " : ""
        console.message(shown + Numbers.count(count, "session"))
    }

    private func cells(_ session: SessionRecord) -> [String] {
        let length = session.durationMs.map { Numbers.duration(seconds: Double($0) / 1000) } ?? ""
        let counts = [
            session.linesSpoken, session.wordsEncountered, session.newVocabulary, session.errorsDetected,
            session.errorsCorrected,
        ]
        return [session.sessionId, TimeText.minute(session.startedAt), length, session.language ?? ""]
            + [session.mode ?? "", session.scenarioId ?? "", session.partner ?? ""]
            + counts.map { Numbers.grouped($0) } + [Numbers.grouped(session.xpEarned, places: 2)]
    }

    // MARK: One

    private func showOne(_ session: SessionRecord) throws {
        if arguments.has(.json) {
            try console.output.writeJSON { json in
                write(session, to: &json)
                writeReport(session, to: &json)
            }
            return
        }
        for (name, value) in facts(session) where !value.isEmpty {
            try console.output.writeLine(console.style.paint(name.padded(toCells: 12), .dim) + Visible.text(value))
        }
        try show(
            [.prose("new word"), .prose("text"), .prose("translation")],
            session.newWords.map { [$0.word, $0.text ?? "", $0.translation ?? ""] }
        )
        try show(
            [.text("time (UTC)"), .text("mistake"), .prose("original"), .prose("corrected"), .text("line")],
            session.mistakes.map(cells)
        )
        try show(
            [
                .text("time (UTC)"), .text("line"), .text("role"), .prose("text"), .prose("translation"),
                .number("accuracy"), .number("errors"),
            ],
            session.lines.map(cells)
        )
    }

    private func show(_ columns: [Table.Column], _ rows: [[String]]) throws {
        guard !rows.isEmpty else { return }
        try console.output.writeLine()
        var table = Table(columns)
        for row in rows { table.add(row) }
        try table.write(to: console.output, style: console.style)
    }

    private func facts(_ session: SessionRecord) -> [(String, String)] {
        let length = session.durationMs.map { Numbers.duration(seconds: Double($0) / 1000) } ?? ""
        let xp = session.xpBreakdown.map { "\($0.name) \(Numbers.grouped($0.value, places: 2))" }
        let breakdown = xp.isEmpty ? "" : " (\(xp.joined(separator: ", ")))"
        let errors = "\(Numbers.grouped(session.errorsDetected)), \(Numbers.grouped(session.errorsCorrected)) corrected"
        let lines =
            Numbers.grouped(session.linesSpoken)
            + (session.linesSkipped > 0 ? ", \(Numbers.grouped(session.linesSkipped)) skipped" : "")
        func count(_ number: Int) -> String { number > 0 ? Numbers.grouped(number) : "" }
        return [
            ("Session", session.sessionId), ("Language", session.language ?? ""),
            ("Started", TimeText.minute(session.startedAt) + " UTC"),
            ("Ended", session.endedAt.map { TimeText.minute($0) + " UTC" } ?? ""), ("Length", length),
            ("Mode", session.mode ?? ""), ("Scenario", session.scenarioId ?? ""), ("Partner", session.partner ?? ""),
            ("Lines", lines), ("Accuracy", session.accuracy.map { Numbers.percent($0 * 100) } ?? ""),
            ("Words", "\(Numbers.grouped(session.wordsEncountered)), \(Numbers.grouped(session.newVocabulary)) new"),
            ("Errors", errors), ("Reviews", count(session.reviews)), ("Hints", count(session.hintsUsed)),
            ("Repairs", count(session.repairsMade)), ("Help given", count(session.helpGiven)),
            ("XP", Numbers.grouped(session.xpEarned, places: 2) + breakdown),
        ]
    }

    private func cells(_ mistake: SessionRecord.Mistake) -> [String] {
        let kind = mistake.kind ?? "(no kind)"
        return [
            TimeText.second(mistake.time), mistake.isCorrection ? "\(kind), put right" : kind, mistake.original ?? "",
            mistake.corrected ?? "", mistake.line ?? "",
        ]
    }

    private func cells(_ line: SessionRecord.DialogLine) -> [String] {
        let text = line.skipped ? "(skipped)" : line.text ?? ""
        let accuracy = line.accuracy.map { Numbers.percent($0 * 100) } ?? ""
        let errors = line.errors.map { Numbers.grouped($0) } ?? ""
        return [
            TimeText.second(line.time), line.line ?? "", line.role ?? "", text, line.translation ?? "", accuracy,
            errors,
        ]
    }

    // MARK: JSON

    private func write(_ session: SessionRecord, to json: inout JSONText) {
        json.member("sessionId", session.sessionId)
        json.member("language", session.language)
        json.member("startedAt", instant: session.startedAt)
        json.member("endedAt", instant: session.endedAt)
        json.member("mode", session.mode)
        json.member("scenarioId", session.scenarioId)
        json.member("partner", session.partner)
        json.member("durationMs", session.durationMs)
        json.member("linesSpoken", session.linesSpoken)
        json.member("wordsEncountered", session.wordsEncountered)
        json.member("newVocabulary", session.newVocabulary)
        json.member("errorsDetected", session.errorsDetected)
        json.member("errorsCorrected", session.errorsCorrected)
        json.member("xpEarned", session.xpEarned)
        json.object("xpBreakdown") { $0.members(session.xpBreakdown) }
    }

    /// What only the report of one session tells.
    private func writeReport(_ session: SessionRecord, to json: inout JSONText) {
        json.member("accuracy", session.accuracy)
        json.member("linesSkipped", session.linesSkipped)
        json.member("reviews", session.reviews)
        json.member("hintsUsed", session.hintsUsed)
        json.member("repairsMade", session.repairsMade)
        json.member("helpGiven", session.helpGiven)
        json.list("newWords", session.newWords) { json, word in
            json.member("word", word.word)
            json.member("text", word.text)
            json.member("translation", word.translation)
        }
        json.list("mistakes", session.mistakes) { json, mistake in
            json.member("time", instant: mistake.time)
            json.member("kind", mistake.kind)
            json.member("original", mistake.original)
            json.member("corrected", mistake.corrected)
            json.member("line", mistake.line)
            json.member("putRight", mistake.isCorrection)
        }
        json.list("lines", session.lines) { write($1, to: &$0) }
    }

    private func write(_ line: SessionRecord.DialogLine, to json: inout JSONText) {
        json.member("time", instant: line.time)
        json.member("line", line.line)
        json.member("role", line.role)
        json.member("text", line.text)
        json.member("translation", line.translation)
        json.member("accuracy", line.accuracy)
        json.member("errors", line.errors)
        json.member("skipped", line.skipped)
    }
}
