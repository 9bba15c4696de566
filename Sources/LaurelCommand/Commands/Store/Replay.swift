// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let replay = Command(
        "replay",
        "Rebuilds all progress from the events",
        options: [.store, .json, ReplayCommand.check],
        example: "laurel replay --check"
    ) { try ReplayCommand(arguments: $0, console: $1).run() }

    static let fingerprint = Command(
        "fingerprint",
        "Prints a hash over all progress; equal events and rules give an equal hash",
        options: [.store, .rules, .json],
        example: "laurel fingerprint --store school.db"
    ) { try ReplayCommand(arguments: $0, console: $1).fingerprint() }
}

private struct ReplayCommand {
    static let check = CommandOption(
        "check",
        nil,
        "compare a replay in memory with the stored progress; writes nothing"
    )

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let isCheck = arguments.has(Self.check)
        // Neither form of the command creates a missing store.
        let engine = try isCheck ? arguments.openForReading() : arguments.openForRewriting()
        let report = try console.withProgress("events") { line in
            isCheck ? try engine.check { line.show($0) } : try engine.replay { line.show($0) }
        }
        if arguments.has(.json) {
            try console.output.writeJSON(report)
        } else {
            try write(report, isCheck: isCheck)
        }
        return report.differences.isEmpty ? .done : .incomplete
    }

    func fingerprint() throws -> ExitStatus {
        let engine = try arguments.openForReading()
        let fingerprint = try console.withProgress("events") { line in
            try engine.fingerprint { line.show($0) }
        }
        if arguments.has(.json) {
            try console.output.writeJSON(["fingerprint": fingerprint])
        } else {
            try console.output.write(fingerprint + "\n")
        }
        return .done
    }

    private func write(_ report: ReplayReport, isCheck: Bool) throws {
        let rows = [
            ("learners", Numbers.grouped(report.learners)), ("events", Numbers.grouped(report.events)),
            ("seconds", Numbers.grouped(report.seconds, decimals: 3)),
            ("events per second", Numbers.grouped(report.eventsPerSecond)),
            ("fingerprint", report.fingerprint),
        ]
        for (name, value) in rows {
            try console.output.writeLine(name.padded(toCells: 19) + value)
        }
        for difference in report.differences { try console.output.writeLine(Visible.text(difference)) }
        guard isCheck else { return }
        try console.output.flush()
        if report.isOutdated {
            return console.message(
                "the stored progress is from an older version of Laurel, and is not read; the next write rebuilds it"
            )
        }
        console.message(
            report.differences.isEmpty
                ? "the stored progress agrees with the events"
                : "the stored progress differs from the events; `laurel replay` rebuilds it"
        )
    }
}
