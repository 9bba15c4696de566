// SPDX-License-Identifier: Apache-2.0

import Laurel

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
        let known = try engine.existingLearner(learner, at: at)
        if let id = arguments.text(Self.session) {
            guard let session = try known.session(id, at: at.date) else {
                throw CommandFailure.unknownSession(id, of: learner, at: at)
            }
            try showOne(session)
        } else {
            let language = arguments.text(.language)
            // If the learner has no such language, the command fails with a list of the learner's languages.
            if let language { _ = try engine.existingProgress(of: learner, language: language, at: at) }
            let sessions = try known.sessions(language: language, at: at.date)
            try showAll(sessions.prefix(limit ?? .max), of: sessions.count)
        }
        return .done
    }

    // MARK: All sessions

    private func showAll(_ sessions: ArraySlice<Session>, of count: Int) throws {
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for session in sessions { try list.add(session) }
            try list.finish()
            return
        }
        var table = Table([
            .prose("session"), .text("started (UTC)"), .number("length"), .prose("language"), .prose("mode").spare,
            .prose("scenario").spare, .prose("partner").spare, .number("lines").spare, .number("words").spare,
            .number("new").spare, .number("errors").spare, .number("corrected").spare, .number("XP"),
        ])
        for session in sessions { table.add(cells(session)) }
        if !sessions.isEmpty { try table.write(to: console.output, style: console.style) }
        try console.output.flush()
        let shown = sessions.count < count ? "\(Numbers.grouped(sessions.count)) of " : ""
        console.message(shown + Numbers.count(count, "session"))
    }

    private func cells(_ session: Session) -> [String] {
        let length = session.durationMs.map { Numbers.duration(seconds: Double($0) / 1000) } ?? ""
        let counts = [
            session.linesSpoken, session.wordsEncountered, session.newVocabulary, session.errorsDetected,
            session.errorsCorrected,
        ]
        return [session.id, TimeText.minute(session.startedAt), length, session.language ?? ""]
            + [session.mode ?? "", session.scenario ?? "", session.partner ?? ""]
            + counts.map { Numbers.grouped($0) } + [Numbers.grouped(session.xpEarned)]
    }

    // MARK: One session

    private func showOne(_ session: SessionReport) throws {
        if arguments.has(.json) { return try console.output.writeJSON(session) }
        for (name, value) in facts(session) where !value.isEmpty {
            try console.output.writeLine(console.style.paint(name.padded(toCells: 12), .dim) + Visible.text(value))
        }
        try show(
            [.prose("new word"), .prose("text"), .prose("translation")],
            session.newWords.map { [$0.id, $0.text ?? "", $0.translation ?? ""] }
        )
        try show(
            [.text("time (UTC)"), .prose("mistake"), .prose("original"), .prose("corrected"), .prose("line").spare],
            session.mistakes.map(cells)
        )
        try show(
            [
                .text("time (UTC)"), .prose("line"), .prose("role").spare, .prose("text"), .prose("translation"),
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

    private func facts(_ session: SessionReport) -> [(String, String)] {
        let length = session.durationMs.map { Numbers.duration(seconds: Double($0) / 1000) } ?? ""
        let xp = session.xpBreakdown.map { "\($0.name) \(Numbers.grouped($0.value, decimals: 2))" }
        let breakdown = xp.isEmpty ? "" : " (\(xp.joined(separator: ", ")))"
        let errors = "\(Numbers.grouped(session.errorsDetected)), \(Numbers.grouped(session.errorsCorrected)) corrected"
        let lines =
            Numbers.grouped(session.linesSpoken)
            + (session.linesSkipped > 0 ? ", \(Numbers.grouped(session.linesSkipped)) skipped" : "")
        func count(_ number: Int) -> String { number > 0 ? Numbers.grouped(number) : "" }
        return [
            ("Session", session.id), ("Language", session.language ?? ""),
            ("Started", TimeText.minute(session.startedAt) + " UTC"),
            ("Ended", session.endedAt.map { TimeText.minute($0) + " UTC" } ?? ""), ("Length", length),
            ("Mode", session.mode ?? ""), ("Scenario", session.scenario ?? ""), ("Partner", session.partner ?? ""),
            ("Lines", lines), ("Accuracy", session.accuracy.map { Numbers.percent($0 * 100) } ?? ""),
            ("Words", "\(Numbers.grouped(session.wordsEncountered)), \(Numbers.grouped(session.newVocabulary)) new"),
            ("Errors", errors), ("Reviews", count(session.reviews)), ("Hints", count(session.hintsUsed)),
            ("Repairs", count(session.repairsMade)), ("Help given", count(session.helpGiven)),
            ("XP", Numbers.grouped(session.xpEarned) + breakdown),
        ]
    }

    private func cells(_ mistake: SessionReport.Mistake) -> [String] {
        let kind = mistake.kind ?? "(no kind)"
        return [
            TimeText.second(mistake.time), mistake.isCorrection ? "\(kind), put right" : kind, mistake.original ?? "",
            mistake.corrected ?? "", mistake.line ?? "",
        ]
    }

    private func cells(_ line: SessionReport.DialogLine) -> [String] {
        let text = line.isSkipped ? "(skipped)" : line.text ?? ""
        let accuracy = line.accuracy.map { Numbers.percent($0 * 100) } ?? ""
        let errors = line.errors.map { Numbers.grouped($0) } ?? ""
        return [
            TimeText.second(line.time), line.line ?? "", line.role ?? "", text, line.translation ?? "", accuracy,
            errors,
        ]
    }
}
