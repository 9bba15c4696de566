import Laurel

extension Command {
    static let export = Command(
        "export",
        "The events back as NDJSON",
        options: [.store, ExportCommand.learner, .out],
        example: "laurel export --learner anna > anna.ndjson"
    ) { try ExportCommand(arguments: $0, console: $1).run() }
}

private struct ExportCommand {
    static let learner = CommandOption("learner", "LEARNER", "only this learner's events")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let output = try arguments.output(console)
        let learner = arguments.text(Self.learner)
        let engine = try arguments.openForReading()
        guard let events = try engine.export(subject: learner, { try output.write(UnsafeRawBufferPointer($0)) }) else {
            throw try engine.unknownLearner(learner ?? "")
        }
        if let file = arguments.text(.out) {
            try output.finish()
            console.message("\(Numbers.count(events, "event")) written to \(file)")
        }
        return .done
    }
}
