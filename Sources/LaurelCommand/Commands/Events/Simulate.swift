// SPDX-License-Identifier: Apache-2.0

import LaurelSimulation

extension Command {
    static let simulate = Command(
        "simulate",
        "Writes a realistic stream of events; equal arguments give equal bytes",
        options: SimulateCommand.options,
        example: "laurel simulate --learners 20 --days 30 --seed 1 | laurel ingest"
    ) { try SimulateCommand(arguments: $0, console: $1).run() }
}

private struct SimulateCommand {
    static let learners = CommandOption("learners", "N", "the number of learners")
    static let days = CommandOption("days", "D", "the number of days")
    static let seed = CommandOption("seed", "S", "another seed gives another school")
    static let start = CommandOption(
        "start",
        "DATE",
        "the first day, YYYY-MM-DD (default: 2026-01-05, earlier for more than 180 days)"
    )
    static let disorder = CommandOption("disorder", nil, "deliver events late, repeatedly and in another order")
    static let uuid = CommandOption("uuid", nil, "random UUIDs as event ids")
    static let visits = CommandOption("visits", "N", "everyone practises N times every day (default: realistic habits)")
    static let together = CommandOption(
        "together",
        nil,
        "add friends, teams, cheats, and learners who come back after 2 to 8 months"
    )
    static let options: [CommandOption] = [learners, days, seed, start, visits, together, disorder, uuid, .out]

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let simulation = Simulation(try simulationOptions())
        let output = arguments.text(.out).map { OutputStream(file: $0) } ?? console.output
        // On one terminal, results and the progress line would overwrite each other.
        let showsProgress = arguments.has(.out) || !console.style.isTerminal
        var bytes = 0
        let events = try console.withProgress("bytes") { line in
            try simulation.run { chunk in
                try output.write(chunk)
                bytes += chunk.count
                if showsProgress { line.show(bytes, share: nil) }
            }
        }
        if let file = arguments.text(.out) {
            try output.finish()
            console.message("\(Numbers.count(events, "event")) written to \(file)")
        }
        return .done
    }

    private func simulationOptions() throws -> Simulation.Options {
        Simulation.Options(
            learners: try arguments.requiredNumber(Self.learners, in: 0...Simulation.Options.mostLearners),
            days: try arguments.requiredNumber(Self.days, in: 0...Simulation.Options.mostDays),
            seed: try arguments.requiredNumber(Self.seed, in: 0...UInt64.max),
            start: try startDay(),
            disorder: arguments.has(Self.disorder),
            uuid: arguments.has(Self.uuid),
            visits: try arguments.number(Self.visits, in: 1...Simulation.Options.mostVisits),
            together: arguments.has(Self.together)
        )
    }

    private func startDay() throws(UsageError) -> CalendarDay? {
        guard let text = arguments.text(Self.start) else { return nil }
        guard let day = CalendarDay(text) else {
            throw arguments.wrong(Self.start, "is no date from 1970-01-01 to 9999-12-31, such as 2026-01-05")
        }
        return day
    }
}
