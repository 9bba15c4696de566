// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelSystem

extension Command {
    static let conform = Command(
        "conform",
        "Tries a client, or a service, over a network that breaks",
        details: """
            Without COMMAND, the command sends 800 events to the service at URL, and checks that
            each is stored once. With COMMAND, it checks that a client keeps the promises of
            docs/guides/client.md. Use a service and a store that are only for tests.

            COMMAND is started as `COMMAND… ADDRESS NAME`. It must send its events to ADDRESS, which
            leads to the service, as NDJSON. It records events of the type line.spoken, each with
            its own mark in data.line, and goes on until it is killed. A mark begins with NAME.
            When an event is recorded, the program prints its mark on a line of its own. All runs
            use the same outbox. In the last run, NAME is “drain”: the program records nothing,
            delivers what waits, and ends with status 0.

            On the way, connections are refused and cut, and answers are late, or are 401, 413, 429,
            502, 503 or a foreign page. Some events are refused. Each event that was recorded and
            not refused must be in the service once, with the bytes that were sent first. If a
            promise is broken, the status is 1.

            The variable LAUREL_KEY holds a key with the scope admin, unless the service is open.
            """,
        operand: Operand("URL", .oneAndCommand, "the service's address, and the client's program", second: "COMMAND"),
        options: [ConformCommand.kills, ConformCommand.processes, ConformCommand.seed, .json],
        example: "laurel conform http://localhost:8190 --kills 3 -- ./my-client outbox"
    ) { try ConformCommand(arguments: $0, console: $1).run() }
}

private struct ConformCommand {
    static let kills = CommandOption("kills", "N", "how often the client is killed (default: 10)")
    static let processes = CommandOption("processes", "N", "processes that share the client's outbox (default: 1)")
    static let seed = CommandOption("seed", "S", "repeats the troubles of an earlier trial (default: a new seed)")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let options = ConformTrial.Options(
            service: arguments.operands[0],
            key: System.environment("LAUREL_KEY"),
            client: Array(arguments.operands.dropFirst()),
            seed: try arguments.number(Self.seed, in: 0...UInt64.max) ?? UInt64.random(in: 0...UInt64(UInt32.max)),
            kills: try arguments.number(Self.kills, in: 1...10_000) ?? 10,
            processes: try arguments.number(Self.processes, in: 1...16) ?? 1
        )
        guard ["http://", "https://"].contains(where: options.service.hasPrefix) else {
            throw UsageError(
                "“\(Visible.text(options.service))” is not an address such as http://localhost:8080",
                command: arguments.command
            )
        }
        System.holdSignals()
        let isWatching = SystemThread.start("signals") {
            _ = System.waitForSignal()
            ClientProcess.killAll()
            ExitStatus.incomplete.exit()
        }
        guard isWatching else { throw CommandFailure(.failed, "cannot start a thread") }
        let trial = try ConformTrial(options)
        console.message("seed \(options.seed); the service is at \(trial.address) for the client")
        let report = try trial.run()
        try write(report)
        return report.breaches.isEmpty ? .done : .incomplete
    }

    private func write(_ report: ConformReport) throws {
        guard !arguments.has(.json) else { return try console.output.writeJSON(report) }
        try console.output.writeLine(
            "\(Numbers.count(report.kills, "kill")), \(Numbers.count(report.cuts, "cut connection")),"
                + " \(Numbers.count(report.requests, "request")),"
                + " \(Numbers.count(report.troubles.values.reduce(0, +), "request")) in trouble"
        )
        try console.output.writeLine(
            "\(Numbers.count(report.recorded, "event")) recorded, \(Numbers.grouped(report.stored)) stored,"
                + " \(Numbers.grouped(report.refused)) refused"
        )
        for breach in report.breaches { try console.output.writeLine("broken: \(breach)") }
        if report.breaches.isEmpty { try console.output.writeLine("all promises were kept") }
    }
}
