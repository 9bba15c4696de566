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
        let locale = try ReportCommand.askedLocale(arguments)
        let engine = try arguments.openForReading()
        if arguments.has(Self.all) {
            guard let tracks = try engine.learner(learner, at: at, locale: locale).tracks(at: at.date) else {
                throw try engine.unknownLearner(learner)
            }
            try show(tracks, [tracks.overall] + tracks.languages, at, locale)
        } else {
            let progress = try engine.existingProgress(of: learner, language: language, at: at, locale: locale)
            try show(progress, [progress], at, locale)
        }
        return .done
    }

    /// - Parameters:
    ///   - json: the result that `--json` prints.
    ///   - tracks: the result that people see.
    private func show(_ json: some Encodable, _ tracks: [LearnerProgress], _ at: Timestamp, _ locale: String?) throws {
        if arguments.has(.json) { return try console.output.writeJSON(json) }
        for (index, progress) in tracks.enumerated() {
            if index > 0 { try console.output.writeLine() }
            let card = ProgressCard(progress: progress, instant: at, style: console.style, locale: locale)
            try console.output.writeLine(card.text)
        }
    }
}
