// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let export = Command(
        "export",
        "Prints the events as NDJSON",
        options: [.store, ExportCommand.learner, ExportCommand.salvage, .out, .mode],
        example: "laurel export --learner anna > anna.ndjson"
    ) { try ExportCommand(arguments: $0, console: $1).run() }
}

private struct ExportCommand {
    static let learner = CommandOption("learner", "LEARNER", "only this learner's events")
    static let salvage = CommandOption(
        "salvage",
        nil,
        "export the undamaged events of a damaged store, and name learners with missing events"
    )

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let output = try arguments.output(console)
        let learner = arguments.text(Self.learner)
        let engine = try arguments.openForInspection()
        if arguments.has(Self.salvage) { return try salvage(engine, learner, output) }
        guard let events = try engine.export(learner: learner, output.write) else {
            throw try engine.unknownLearner(learner ?? "")
        }
        if let file = arguments.text(.out) {
            try output.finish()
            console.message("\(Numbers.count(events, "event")) written to \(file)")
        }
        return .done
    }

    private func salvage(_ engine: ProgressEngine, _ learner: String?, _ output: OutputStream) throws -> ExitStatus {
        let salvage = try engine.salvage(learner: learner, output.write)
        try output.finish()
        for loss in salvage.losses { console.message(Visible.text(loss.description)) }
        console.message(
            "\(Numbers.count(salvage.events, "sound event")) written, "
                + (salvage.losses.isEmpty
                    ? "none is missing" : "some are missing of \(Numbers.count(salvage.losses.count, "learner"))")
        )
        return salvage.losses.isEmpty ? .done : .incomplete
    }
}
