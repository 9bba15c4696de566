// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let leaderboard = Command(
        "leaderboard",
        "Ranks learners by the XP of a week, of all time, or of one session",
        details: """
            Each learner's local days decide the week. Learners without XP are not listed. Learners
            with equal XP share a rank; the learner who reached it first is listed first. W is a
            date in the week, 2026-W06 (if weeks start on Monday), this or last.

            The command reads tables, which is fast. It folds the events of learners who have events
            after --at. With --rules, it folds the events of all learners.

            With --session, all participants are listed, and all events are scanned.
            """,
        options: .reading + [
            .week, LeaderboardCommand.allTime, SessionBoard.session, .language, SessionBoard.cohort,
            SessionBoard.around, .limit,
        ],
        example: "laurel leaderboard --week last --cohort class-1a --limit 10"
    ) { try LeaderboardCommand(arguments: $0, console: $1).run() }
}

private struct LeaderboardCommand {
    static let allTime = CommandOption("all-time", nil, "the XP of all time")

    let arguments: Arguments
    let console: Console
    private var barWidth: Int { (console.style.width ?? 80) < 72 ? 10 : 20 }

    func run() throws -> ExitStatus {
        if arguments.has(Self.allTime), arguments.has(.week) {
            throw UsageError("--all-time and --week exclude each other", command: arguments.command)
        }
        if arguments.has(SessionBoard.session) {
            for option in [Self.allTime, .week] where arguments.has(option) {
                throw UsageError("\(option.flag) and --session exclude each other", command: arguments.command)
            }
            return try SessionBoard(arguments: arguments, console: console).run()
        }
        let at = try arguments.at()
        let engine = try arguments.openForReading()
        let week = try arguments.has(Self.allTime) ? nil : arguments.week(engine, at)
        let board = try engine.leaderboard(
            week.map { .week(of: $0) } ?? .allTime,
            language: arguments.text(.language),
            cohort: arguments.text(SessionBoard.cohort),
            part: try SessionBoard.part(arguments),
            at: at.date
        )
        guard let board else { throw try engine.unknownLearner(arguments.text(SessionBoard.around) ?? "") }
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for row in board.rows { try list.add(row) }
            try list.finish()
        } else {
            try show(board)
        }
        try console.output.flush()
        console.message(summary(board, week, engine))
        return .done
    }

    private func show(_ board: Leaderboard) throws {
        guard let most = board.rows.map(\.xp).max() else { return }
        let around = arguments.text(SessionBoard.around)
        var columns: [Table.Column] = [
            .number("rank"), .prose("learner"), .prose("name").spare, .prose("cohort").spare,
        ]
        columns += [.number("XP")] + (around == nil ? [] : [.text("")]) + [.text("").spare]
        var table = Table(columns)
        // Cells of a table have no colour.
        let plain = Style(isTerminal: console.style.isTerminal, hasColour: false, width: nil)
        for row in board.rows {
            let bar = plain.bar(most > 0 ? Double(row.xp) / Double(most) : 0, width: barWidth)
            let mark = around.map { [$0.utf8.elementsEqual(row.learner.utf8) ? "<" : ""] } ?? []
            let cells = [Numbers.grouped(row.rank), row.learner, row.displayName ?? "", row.cohort ?? ""]
            table.add(cells + [Numbers.grouped(row.xp)] + mark + [bar])
        }
        try table.write(to: console.output, style: console.style)
    }

    private func summary(_ board: Leaderboard, _ week: LocalDay?, _ engine: ProgressEngine) -> String {
        var parts: [String] = []
        if let first = week {
            let last = LocalDay(number: first.number + 6)
            let name = engine.weekName(of: first)
            parts.append(name == first.description ? "the week to \(last)" : "\(name), \(first) to \(last)")
        } else {
            parts.append("all time")
        }
        if let language = arguments.text(.language) { parts.append("in \(Visible.text(language))") }
        if let cohort = arguments.text(SessionBoard.cohort) { parts.append("of \(Visible.text(cohort))") }
        let shown = board.rows.count
        let all = Numbers.count(board.participants, "learner")
        let count = shown < board.participants ? "\(Numbers.grouped(shown)) of \(all) with XP" : "\(all) with XP"
        return "\(parts.joined(separator: ", ")): \(count)"
    }
}
