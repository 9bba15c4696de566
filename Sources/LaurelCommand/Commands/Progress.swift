import Laurel
import LaurelEvents
import LaurelProgress

extension Command {
    static let progress = Command(
        "progress",
        "A learner's progress: level, streak, XP, words, achievements",
        operand: .learner,
        options: [.store, .rules, .at, .json, .language, ProgressCommand.all],
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
            guard let tracks = try engine.allProgress(of: learner, at: at) else {
                throw try engine.unknownLearner(learner)
            }
            try show(tracks.map(\.progress), at, engine)
        } else {
            try show(try engine.knownProgress(of: learner, language: language, at: at), at, engine)
        }
        return .done
    }

    private func show(_ tracks: [Progress], _ at: Timestamp, _ engine: ProgressEngine) throws {
        if arguments.has(.json) {
            try console.output.writeJSON { json in
                for progress in tracks {
                    json.object(progress.language ?? "*") { $0.members(of: progress) }
                }
            }
            return
        }
        for (index, progress) in tracks.enumerated() {
            if index > 0 { try console.output.writeLine() }
            try console.output.write(card(progress, at, engine))
        }
    }

    private func show(_ progress: Progress, _ at: Timestamp, _ engine: ProgressEngine) throws {
        if arguments.has(.json) {
            try console.output.writeJSON { $0.members(of: progress) }
        } else {
            try console.output.write(card(progress, at, engine))
        }
    }

    private func card(_ progress: Progress, _ at: Timestamp, _ engine: ProgressEngine) -> String {
        ProgressCard(progress: progress, instant: at, rules: engine.rules(at: at), style: console.style).text
    }
}
