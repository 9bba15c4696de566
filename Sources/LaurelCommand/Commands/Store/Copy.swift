// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let copy = Command(
        "copy",
        "Copies a store into another store of any kind, and compares both",
        details: """
            Copies events, rules with their history, and refused lines. --with-keys also copies
            keys, signing keys and webhooks, which are secrets; the webhooks are off in the copy. A
            file is created. In a database, run `laurel store create` first. The source may be in
            use; the copy is its state at one moment near the end. After an interruption, run the
            command again to continue. Run it again later to copy newer events.
            """,
        operand: Operand("STORE", .two, "the source and the destination: each a file, or postgresql://…"),
        options: [.erase, CopyCommand.withKeys, .quarantineLimit, .mode, .json],
        example: "laurel copy school.db copy.db"
    ) { try CopyCommand(arguments: $0, console: $1).run() }
}

private struct CopyCommand {
    static let withKeys = CommandOption("with-keys", nil, "copy the service's keys, signing keys and webhooks, too")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let (from, to) = (StoreLocation(arguments.operands[0]), StoreLocation(arguments.operands[1]))
        guard from != to, from.isDatabase || to.isDatabase || !System.areSame(from.text, to.text) else {
            throw CommandFailure.wrongRequest("\(from) and \(to) are the same store")
        }
        let source = try ProgressEngine.open(path: from.text, for: .inspection)
        var settings = StoreSettings()
        settings.fileMode = try arguments.mode(ofCopyOf: from.isDatabase ? nil : from.text)
        settings.quarantineLimit = try arguments.size(.quarantineLimit)
        let destination = try ProgressEngine.open(path: to.text, for: .writing, settings: settings)
        let report = try console.withProgress("events") { line in
            try source.copy(
                into: destination,
                erasing: arguments.has(.erase),
                withKeys: arguments.has(Self.withKeys),
                by: System.actor
            ) { line.show($0) }
        }
        if arguments.has(.json) {
            try console.output.writeJSON(report)
        } else {
            try write(report)
        }
        try console.output.flush()
        if report.secretsLeft > 0 {
            console.message("keys, signing keys and webhooks stayed in \(from): --with-keys copies them, too")
        }
        if report.webhooks > 0 {
            console.message(
                "\(Numbers.count(report.webhooks, "webhook")) came along, turned off: turn them on when the source sends no more messages"
            )
        }
        if report.erasedLearners > 0 || report.droppedLines > 0 {
            console.message(
                "\(to) removed what \(from) no longer has: \(Numbers.count(report.erasedLearners, "learner")),"
                    + " \(Numbers.count(report.droppedLines, "refused line"))"
            )
        }
        guard report.linesWithoutRoom > 0 else { return .done }
        console.message(
            "\(Numbers.count(report.linesWithoutRoom, "refused line")) had no room in quarantine: see --quarantine-limit"
        )
        return .incomplete
    }

    private func write(_ report: CopyReport) throws {
        let rows = [
            ("learners", Numbers.grouped(report.learners)),
            ("events", "\(Numbers.grouped(report.events)), \(Numbers.grouped(report.copiedEvents)) of them new"),
            ("rules", "\(Numbers.grouped(report.copiedRules)) new versions"),
            ("refused lines", "\(Numbers.grouped(report.copiedLines)) new"), ("fingerprint", report.fingerprint),
        ]
        for (name, value) in rows { try console.output.writeLine(name.padded(toCells: 15) + value) }
    }
}
