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
    static let session = CommandOption("session", "ID", "this session only, with its dialog lines")

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
                json.list("lines", session.lines) { write($1, to: &$0) }
            }
            return
        }
        for (name, value) in facts(session) where !value.isEmpty {
            try console.output.writeLine(console.style.paint(name.padded(toCells: 12), .dim) + Visible.text(value))
        }
        guard !session.lines.isEmpty else { return }
        try console.output.writeLine()
        var table = Table([
            .text("time (UTC)"), .text("line"), .text("role"), .prose("text"), .prose("translation"),
            .number("accuracy"),
            .number("errors"),
        ])
        for line in session.lines { table.add(cells(line)) }
        try table.write(to: console.output, style: console.style)
    }

    private func facts(_ session: SessionRecord) -> [(String, String)] {
        let length = session.durationMs.map { Numbers.duration(seconds: Double($0) / 1000) } ?? ""
        let xp = session.xpBreakdown.map { "\($0.name) \(Numbers.grouped($0.value, places: 2))" }
        let breakdown = xp.isEmpty ? "" : " (\(xp.joined(separator: ", ")))"
        let errors = "\(Numbers.grouped(session.errorsDetected)), \(Numbers.grouped(session.errorsCorrected)) corrected"
        return [
            ("Session", session.sessionId), ("Language", session.language ?? ""),
            ("Started", TimeText.minute(session.startedAt) + " UTC"),
            ("Ended", session.endedAt.map { TimeText.minute($0) + " UTC" } ?? ""), ("Length", length),
            ("Mode", session.mode ?? ""), ("Scenario", session.scenarioId ?? ""), ("Partner", session.partner ?? ""),
            ("Lines", Numbers.grouped(session.linesSpoken)),
            ("Words", "\(Numbers.grouped(session.wordsEncountered)), \(Numbers.grouped(session.newVocabulary)) new"),
            ("Errors", errors), ("XP", Numbers.grouped(session.xpEarned, places: 2) + breakdown),
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
