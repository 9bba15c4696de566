// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

extension Command {
    static let backup = Command(
        "backup",
        "Writes a whole store into a backup file, and checks it",
        details: """
            A backup has events, rules with their history, refused lines, keys, signing keys,
            webhooks and the audit log. It has no sign-ins and no jobs. The store may be in use; the
            backup is its state at one moment. FILE gets its name, with permissions 600, when it is
            complete, checked and on the disk. An older backup with that name is replaced; any other
            file is not.
            """,
        operand: Operand("FILE", .one, "the backup"),
        options: [.store, .json],
        example: "laurel backup --store school.db school-backup.db"
    ) { try BackupCommand(arguments: $0, console: $1).run() }

    static let restore = Command(
        "restore",
        "Makes a store from a backup file, and checks it",
        details: """
            A damaged backup is refused, and so is a store that is not empty. A new file gets its
            name when it is complete. A database needs an empty store, made by `laurel store
            create`. If the restore is interrupted, run it again. A backup still has learners who
            were erased after it was taken. Name the store used since then with --erasures-from, to
            erase them again.
            """,
        operand: Operand("FILE", .one, "the backup"),
        options: [.store, RestoreCommand.erasuresFrom, RestoreCommand.webhooksOff, .mode, .json],
        example: "laurel restore --store restored.db school-backup.db"
    ) { try RestoreCommand(arguments: $0, console: $1).run() }
}

private struct BackupCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let file = arguments.operands[0]
        let report = try console.withProgress("events") { line in
            try arguments.openForInspection().backUp(to: file) { line.show($0) }
        }
        if arguments.has(.json) {
            try console.output.writeJSON(report)
        } else {
            try console.output.write(
                report.content,
                of: report.takenAt,
                and: [
                    ("size", ByteText.size(report.bytes)),
                    ("fingerprint", "\(report.fingerprint), the same as the store's"),
                ]
            )
        }
        try console.output.flush()
        return .done
    }
}

private struct RestoreCommand {
    static let erasuresFrom = CommandOption(
        "erasures-from",
        "STORE",
        "the store used since the backup: repeat its erasures"
    )
    static let webhooksOff = CommandOption(
        "webhooks-off",
        nil,
        "turn the webhooks off, because another store stays in use"
    )

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let file = arguments.operands[0]
        var settings = StoreManagement.RestoreSettings()
        settings.erasuresFrom = arguments.text(Self.erasuresFrom).map { StoreLocation($0) }
        settings.turnsWebhooksOff = arguments.has(Self.webhooksOff)
        settings.fileMode = try arguments.mode()
        let store = StoreManagement(StoreLocation(arguments.store))
        let report = try console.withProgress("events") { line in
            try store.restore(from: file, settings: settings, by: System.actor) { line.show($0) }
        }
        if arguments.has(.json) {
            try console.output.writeJSON(report)
        } else {
            try console.output.write(
                report.content,
                of: report.takenAt,
                and: [
                    ("erased again", Numbers.grouped(report.erasedAgain.count)),
                    ("fingerprint", report.fingerprint + (isSame(report) ? ", the same as the backup's" : "")),
                ]
            )
        }
        try console.output.flush()
        return tell(report)
    }

    private func isSame(_ report: RestoreReport) -> Bool { report.erasedAgain.isEmpty && !report.isRecomputed }

    /// Tells the operator about the effects of the restore, and about the work that remains.
    private func tell(_ report: RestoreReport) -> ExitStatus {
        let taken = Timestamp(report.takenAt)
        for learner in report.erasedAgain {
            console.message("“\(Visible.text(learner))” was erased after \(taken), and is erased here, too")
        }
        if report.isRecomputed {
            console.message(
                "another version of Laurel or of the time zone data took the backup: all numbers were computed anew"
                    + " from the same events"
            )
        }
        if report.content.webhooks > 0 {
            let webhooks = Numbers.count(report.content.webhooks, "webhook")
            let state = arguments.has(Self.webhooksOff) ? "turned off" : "as in the backup, with waiting messages"
            console.message("\(webhooks) \(state)")
        }
        if arguments.text(Self.erasuresFrom) == nil {
            console.message(
                "learners erased after \(taken) are in the store again: repeat each `laurel erase ID --yes`, or restore"
                    + " with --erasures-from"
            )
        }
        guard !report.unknownErasures.isEmpty else { return .done }
        let times = report.unknownErasures.map { "\(Timestamp($0))" }
        console.message(
            "it is not known whom these erasures were about; repeat them with `laurel erase ID --yes`:"
                + " \(times.joined(separator: ", "))"
        )
        return .incomplete
    }
}

extension OutputStream {
    fileprivate func write(_ content: BackupContent, of date: Date, and rest: [(String, String)]) throws {
        let rows = [
            ("taken at", "\(Timestamp(date))"),
            ("learners", Numbers.grouped(content.learners)),
            ("events", Numbers.grouped(content.events)),
            ("rules", Numbers.count(content.rules, "version")),
            ("refused lines", Numbers.grouped(content.refusedLines)),
            ("keys", Numbers.grouped(content.keys)),
            ("webhooks", Numbers.grouped(content.webhooks)),
        ]
        for (name, value) in rows + rest { try writeLine(name.padded(toCells: 15) + value) }
    }
}

extension ProgressLine {
    /// Shows the progress of a copy.
    func show(_ progress: CopyProgress) {
        show(progress.events, share: Double(progress.events) / Double(max(1, progress.eventsTotal)))
    }
}
