// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelReports

extension Command {
    static let progress = Command(
        "progress",
        "A learner's progress: level, streak, XP, words, achievements",
        operand: .learner,
        options: [.store, .rules, .at, .json, .language, ProgressCommand.all, ReportCommand.locale],
        example: "laurel progress anna --language es --at 2026-02-05T18:00:00+01:00"
    ) { try ProgressCommand(arguments: $0, console: $1).run() }
}

private struct ProgressCommand {
    static let all = CommandOption("all", nil, "every track: the overall one and one per language")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let learner = arguments.operands[0]
        let language = arguments.text(.language)
        if arguments.has(Self.all), language != nil {
            throw UsageError("--all and --language exclude each other", command: arguments.command)
        }
        let at = try arguments.at()
        let engine = try arguments.openForReading()
        if arguments.has(Self.all) {
            guard let tracks = try engine.learner(learner, at: at).tracks(at: at.date) else {
                throw try engine.unknownLearner(learner)
            }
            try show(tracks, at, engine)
        } else {
            try show(try engine.knownProgress(of: learner, language: language, at: at), at, engine)
        }
        return .done
    }

    private func show(_ tracks: LearnerTracks, _ at: Timestamp, _ engine: ProgressEngine) throws {
        if arguments.has(.json) { return try console.output.writeJSON(tracks) }
        let locale = try ReportCommand.askedLocale(arguments)
        for (index, progress) in ([tracks.overall] + tracks.languages).enumerated() {
            if index > 0 { try console.output.writeLine() }
            try console.output.writeLine(card(progress, at, engine, locale))
        }
    }

    private func show(_ progress: LearnerProgress, _ at: Timestamp, _ engine: ProgressEngine) throws {
        if arguments.has(.json) {
            try console.output.writeJSON(progress)
        } else {
            let locale = try ReportCommand.askedLocale(arguments)
            try console.output.writeLine(card(progress, at, engine, locale))
        }
    }

    private func card(
        _ progress: LearnerProgress,
        _ at: Timestamp,
        _ engine: ProgressEngine,
        _ locale: String?
    ) -> String {
        let rules = engine.rules(at: at.date)
        return ProgressCard(progress: progress, instant: at, rules: rules, style: console.style, locale: locale).text
    }
}
