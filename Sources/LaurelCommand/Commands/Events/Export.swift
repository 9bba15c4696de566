// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let export = Command(
        "export",
        "Prints the events as NDJSON, or writes them as tables for research",
        details: """
            Formats:
              ndjson       one event a line, which `laurel ingest` reads again (default)
              csv          a file TYPE.csv in the folder --out for each event type
              fsrs-revlog  the reviews in the columns that the Python package fsrs-optimizer reads,
                           without void ones
            In a table, each field of the catalogue has a column. The column data has other fields
            as JSON, and extensions other attributes. Times are in UTC. offsetMinutes is the offset
            as sent. In csv, a text that begins like a formula gets an apostrophe. In fsrs-revlog,
            the card_id is the word, after LEARNER/ and LANGUAGE/ unless --learner and --language
            are given. A review_duration of 0 is unknown.
            """,
        options: [
            .store, ExportCommand.learner, ExportCommand.language, ExportCommand.format, ExportCommand.salvage,
            ExportCommand.out, .mode,
        ],
        example: "laurel export --learner anna > anna.ndjson"
    ) { try ExportCommand(arguments: $0, console: $1).run() }
}

private struct ExportCommand {
    static let learner = CommandOption("learner", "LEARNER", "only this learner's events")
    static let language = CommandOption(
        "language",
        "L",
        "fsrs-revlog: only the words of this language, such as es",
        completes: .languages
    )
    static let format = CommandOption(
        "format",
        "FORMAT",
        "\(Format.names) (default: ndjson)",
        completes: .words(Format.allCases.map(\.rawValue))
    )
    static let salvage = CommandOption(
        "salvage",
        nil,
        "export the undamaged events of a damaged store, and name learners with missing events"
    )
    static let out = CommandOption(
        "out",
        "PATH",
        "write to this file instead of standard output; with csv, into this folder",
        completes: .files([])
    )

    /// The formats of an export.
    enum Format: String, CaseIterable {
        case ndjson, csv
        case reviewLog = "fsrs-revlog"

        static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

        /// The format of tables in a folder; nil if the export is one file.
        var tables: EventTableFormat? { EventTableFormat(rawValue: rawValue) }
    }

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let format = try chosenFormat()
        if arguments.has(Self.salvage), format != .ndjson {
            throw UsageError("--salvage exports NDJSON; leave --format out", command: arguments.command)
        }
        if arguments.has(Self.language), format != .reviewLog {
            throw UsageError("--language needs --format fsrs-revlog", command: arguments.command)
        }
        if let tables = format.tables { return try writeTables(tables) }
        let output = try arguments.output(console)
        let learner = arguments.text(Self.learner)
        if format == .reviewLog { return try writeReviewLog(learner, output) }
        let engine = try arguments.openForInspection()
        if arguments.has(Self.salvage) { return try salvage(engine, learner, output) }
        guard let events = try engine.export(learner: learner, output.write) else {
            throw try engine.unknownLearner(learner ?? "")
        }
        return try finish(output, Numbers.count(events, "event"))
    }

    private func chosenFormat() throws -> Format {
        guard let text = arguments.text(Self.format) else { return .ndjson }
        guard let format = Format(rawValue: text) else {
            throw arguments.wrong(Self.format, "is not a format of an export; use \(Format.names)")
        }
        return format
    }

    private func writeTables(_ format: EventTableFormat) throws -> ExitStatus {
        guard let folder = arguments.text(.out) else {
            throw UsageError(
                "--format \(format.rawValue) writes a file for each event type; name a folder with --out",
                command: arguments.command
            )
        }
        System.raiseFileLimit()
        let engine = try arguments.openForInspection()
        let learner = arguments.text(Self.learner)
        let events = try engine.exportTables(format, into: folder, learner: learner, mode: try arguments.mode())
        guard let events else { throw try engine.unknownLearner(learner ?? "") }
        console.message("\(Numbers.count(events, "event")) written into \(folder)")
        return .done
    }

    private func writeReviewLog(_ learner: String?, _ output: OutputStream) throws -> ExitStatus {
        let engine = try arguments.openForReading()
        let language = arguments.text(Self.language)
        guard let reviews = try engine.exportReviewLog(learner: learner, language: language, output.write) else {
            throw try engine.unknownLearner(learner ?? "")
        }
        return try finish(output, Numbers.count(reviews, "review"))
    }

    private func finish(_ output: OutputStream, _ written: String) throws -> ExitStatus {
        guard let file = arguments.text(.out) else { return .done }
        try output.finish()
        console.message("\(written) written to \(file)")
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
