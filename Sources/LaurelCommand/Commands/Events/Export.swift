// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

extension Command {
    static let export = Command(
        "export",
        "Prints the events as NDJSON, or writes them as tables for research",
        details: """
            The format ndjson has one event a line, and `laurel ingest` reads it again. csv and
            parquet are tables: a file for each event type in the folder --out, such as
            line.spoken.csv. DuckDB, pyarrow and polars read parquet. fsrs-revlog has the reviews,
            without void ones, in the columns that the Python package fsrs-optimizer reads.

            In a table, each field of the catalogue has a column. The column data has other fields
            as JSON, and extensions other attributes. Times are in UTC. offsetMinutes is the offset
            as sent. In csv, a text that begins like a formula gets an apostrophe.

            In fsrs-revlog, the card_id is the word, after LEARNER/ and LANGUAGE/ unless --learner
            and --language are given. A review_duration of 0 is unknown.

            With --pseudonyms, an export may be shared. Ids and names become keyed hashes (HMAC with
            SHA-256): the attributes id, source, subject and session, and the fields
            \(ExportCommand.fields(.name)).
            Free text is left out: the fields \(ExportCommand.fields(.freeText)).
            Also left out are fields and attributes that Laurel does not know, and events of types
            that the catalogue does not have. Numbers, dates, languages, time zones and other fields
            are kept. --keep keeps more, such as quest.finished (the type), quest.finished:stars or
            line.spoken:text (a field as it is).
            Make a secret with `head -c 32 /dev/urandom > secret`. The same secret gives the same
            pseudonyms, so that exports can be joined.
            """,
        options: [
            .store, ExportCommand.learner, ExportCommand.language, ExportCommand.format, ExportCommand.pseudonyms,
            ExportCommand.keep, ExportCommand.salvage, ExportCommand.out, .mode,
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
    static let pseudonyms = CommandOption(
        "pseudonyms",
        "SECRET-FILE",
        "replace ids and names by keyed hashes, and leave out free text",
        completes: .files([])
    )
    static let keep = CommandOption("keep", "NAMES", "with --pseudonyms: types and fields to keep, comma-separated")
    static let salvage = CommandOption(
        "salvage",
        nil,
        "export the undamaged events of a damaged store, and name learners with missing events"
    )
    static let out = CommandOption(
        "out",
        "PATH",
        "write to this file instead of standard output; with csv and parquet, into this folder",
        completes: .files([])
    )

    /// The maximum length of a secret in bytes. A longer file is refused, because it is probably the wrong file.
    private static let longestSecret = 1 << 16

    /// The names of all fields in the catalogue with a kind of content, broken into lines for help.
    static func fields(_ content: Field.Content) -> String {
        let names = Set(Catalogue.types.flatMap(\.fields).filter { $0.content == content }.map(\.name))
        return names.sorted().joined(separator: ", ").broken(toCells: 90).joined(separator: "\n")
    }

    /// The formats of an export.
    enum Format: String, CaseIterable {
        case ndjson, csv, parquet
        case reviewLog = "fsrs-revlog"

        static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

        /// The format of tables in a folder; nil if the export is one file.
        var tables: EventTableFormat? { EventTableFormat(rawValue: rawValue) }
    }

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let format = try chosenFormat()
        if arguments.has(Self.salvage), format != .ndjson || arguments.has(Self.pseudonyms) {
            throw UsageError(
                "--salvage exports events as they were sent; leave --format and --pseudonyms out",
                command: arguments.command
            )
        }
        if arguments.has(Self.language), format != .reviewLog {
            throw UsageError("--language needs --format fsrs-revlog", command: arguments.command)
        }
        let pseudonyms = try pseudonyms()
        if let tables = format.tables { return try writeTables(tables, pseudonyms) }
        let output = try arguments.output(console)
        let learner = arguments.text(Self.learner)
        if format == .reviewLog { return try writeReviewLog(learner, pseudonyms, output) }
        let engine = try arguments.openForInspection()
        if arguments.has(Self.salvage) { return try salvage(engine, learner, output) }
        guard let events = try engine.export(learner: learner, pseudonyms: pseudonyms, output.write) else {
            throw try engine.unknownLearner(learner ?? "")
        }
        try tellLeftOut(engine, events)
        return try finish(output, Numbers.count(events, "event"))
    }

    /// Says how many events are left out because of their types.
    private func tellLeftOut(_ engine: ProgressEngine, _ written: Int) throws {
        guard arguments.has(Self.pseudonyms), arguments.text(Self.learner) == nil else { return }
        let leftOut = try engine.size().events - written
        guard leftOut > 0 else { return }
        console.message(
            "\(Numbers.count(leftOut, "event")) left out, because the catalogue does not have their types;"
                + " --keep TYPE keeps them"
        )
    }

    private func chosenFormat() throws -> Format {
        guard let text = arguments.text(Self.format) else { return .ndjson }
        guard let format = Format(rawValue: text) else {
            throw arguments.wrong(Self.format, "is not a format of an export; use \(Format.names)")
        }
        return format
    }

    private func pseudonyms() throws -> Pseudonyms? {
        guard let file = arguments.text(Self.pseudonyms) else {
            guard arguments.has(Self.keep) else { return nil }
            throw UsageError("--keep needs --pseudonyms", command: arguments.command)
        }
        let secret = FileHandle(fileDescriptor: try System.openForReading(file), closeOnDealloc: true)
        let bytes = try secret.read(upToCount: Self.longestSecret + 1) ?? Data()
        guard bytes.count <= Self.longestSecret else {
            throw arguments.wrong(Self.pseudonyms, "is longer than \(Self.longestSecret) bytes, so it is no secret")
        }
        let names = arguments.text(Self.keep)?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return try Pseudonyms(secret: Array(bytes), keeping: names ?? [])
    }

    private func writeTables(_ format: EventTableFormat, _ pseudonyms: Pseudonyms?) throws -> ExitStatus {
        guard let folder = arguments.text(.out) else {
            throw UsageError(
                "--format \(format.rawValue) writes a file for each event type; name a folder with --out",
                command: arguments.command
            )
        }
        System.raiseFileLimit()
        let engine = try arguments.openForInspection()
        let learner = arguments.text(Self.learner)
        let events = try engine.exportTables(
            format,
            into: folder,
            learner: learner,
            pseudonyms: pseudonyms,
            mode: try arguments.mode()
        )
        guard let events else { throw try engine.unknownLearner(learner ?? "") }
        try tellLeftOut(engine, events)
        console.message("\(Numbers.count(events, "event")) written into \(folder)")
        return .done
    }

    private func writeReviewLog(
        _ learner: String?,
        _ pseudonyms: Pseudonyms?,
        _ output: OutputStream
    ) throws -> ExitStatus {
        let engine = try arguments.openForReading()
        let language = arguments.text(Self.language)
        let reviews = try engine.exportReviewLog(
            learner: learner,
            language: language,
            pseudonyms: pseudonyms,
            output.write
        )
        guard let reviews else { throw try engine.unknownLearner(learner ?? "") }
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
