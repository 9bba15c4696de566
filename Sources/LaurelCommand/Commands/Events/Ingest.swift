// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

extension Command {
    static let ingest = Command(
        "ingest",
        "Reads and stores events, and updates all progress",
        details: """
            Events are CloudEvents: one JSON object per line, or a JSON array. Input compressed with
            gzip or zstd is recognised by its first bytes. Refused and conflicting events go to
            quarantine. A new store gets the rules of --rules, or those of Rules/starter.yaml.
            `laurel rules apply` replaces them.

            Types, attributes and fields that neither the catalogue (`laurel events`) nor the rules
            know are stored. The command lists them, with the name that was probably meant. --strict
            refuses them instead.

            `laurel formats` lists other formats than CloudEvents.
            """,
        operand: Operand("FILE", .any, "the files to read; `-` or none: standard input"),
        options: IngestCommand.options,
        example: "laurel ingest --store school.db events.ndjson.zst"
    ) { try IngestCommand(arguments: $0, console: $1).run() }
}

private struct IngestCommand {
    static let format = CommandOption(
        "format",
        "FORMAT",
        "cloudevents, or one of `laurel formats` (default: cloudevents)",
        completes: .formats
    )
    static let now = CommandOption("now", "TIME", "the ingest clock, RFC 3339 (default: now)")
    static let mapping = CommandOption(
        "mapping",
        "FILE",
        "a mapping file, for a format that is not built in",
        completes: .yaml
    )
    static let strict = CommandOption("strict", nil, "refuse events with unknown types, attributes or fields")
    static let options: [CommandOption] =
        [
            .store, .newRules, .json, strict, format, mapping, now, .quarantineLimit, .mode, .fileSeconds,
        ] + CommandOption.adapting

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let options = try ingestOptions()
        let sources = try openSources()
        let engine = try arguments.openForWriting(clock: options.now)
        let start = ContinuousClock.now
        let report = try console.withProgress("events") { line in
            try engine.ingest(sources, options: options) { progress in
                let share = progress.bytesTotal.map { Double(progress.bytesDone) / Double(max($0, 1)) }
                line.show(progress.events, share: share)
            }
        }
        if report.read == 0, !report.unreadable.isEmpty { try engine.removeStoreIfUnused() }
        // The events are already stored. If another process prevents the merge, a later ingest merges the blocks.
        _ = try? engine.mergeBlocks()
        try show(report, seconds: (ContinuousClock.now - start).inSeconds)
        try printKinds(report)
        printProblems(report)
        printUnknownNames(report)
        return status(report)
    }

    private func ingestOptions() throws -> IngestOptions {
        var options = IngestOptions(
            now: try arguments.instant(Self.now)?.date ?? (try arguments.instant(.at)?.date) ?? System.date()
        )
        options.attributes = try arguments.formatAttributes()
        options.format = try chosenFormat()
        options.looksForUnknownNames = options.format == nil || arguments.has(Self.mapping)
        options.isStrict = arguments.has(Self.strict)
        guard options.looksForUnknownNames || !options.isStrict else {
            throw UsageError(
                "--strict is for CloudEvents and your own mappings; names from built-in formats are always accepted",
                command: "ingest"
            )
        }
        if let format = options.format {
            // An invalid request must fail before the command creates a store.
            try format.check(options.attributes)
        } else if let given = CommandOption.adapting.first(where: arguments.has) {
            throw UsageError(
                "\(given.flag) is for formats that lack it; CloudEvents say it themselves (--format tells which it is)",
                command: "ingest"
            )
        }
        return options
    }

    /// The format; nil for CloudEvents.
    private func chosenFormat() throws -> InputFormat? {
        if let file = arguments.text(Self.mapping) {
            guard !arguments.has(Self.format) else {
                throw UsageError("--mapping is a format of its own; leave out --format", command: "ingest")
            }
            return try InputFormat(mappingAt: file)
        }
        guard let name = arguments.text(Self.format), name != "cloudevents" else { return nil }
        return try InputFormat.named(name)
    }

    /// Opens all files before anything is written.
    private func openSources() throws -> [IngestSource] {
        let files = arguments.operands.isEmpty ? ["-"] : arguments.operands
        return try files.map { file in
            guard file != "-" else { return standardInput() }
            let descriptor = try System.openForReading(file)
            return IngestSource(name: file, descriptor: descriptor, size: System.size(descriptor), path: file)
        }
    }

    private func standardInput() -> IngestSource {
        if console.isInteractive { console.message("reading events from the terminal; Ctrl-D ends them") }
        let descriptor = System.standardInput
        return IngestSource(name: "standard input", descriptor: descriptor, size: System.size(descriptor))
    }

    private func show(_ report: IngestReport, seconds: Double) throws {
        let numbers = [
            ("read", report.read), ("stored", report.stored), ("duplicates", report.duplicates),
            ("conflicts", report.conflicts), ("refused", report.refused),
        ]
        if arguments.has(.json) { return try console.output.writeJSON(report) }
        let counts = numbers.map { "\($0.0) \(Numbers.grouped($0.1))" }.joined(separator: ", ")
        // A very short run is mostly start-up, so its rate means nothing.
        let rate = seconds < 0.1 ? "" : " (\(Numbers.grouped((Double(report.read) / seconds).rounded()))/s)"
        try console.output.writeLine("\(counts) in \(Numbers.duration(seconds: seconds))\(rate)")
    }

    /// Reports the number of records of each kind, and the parts of the input that were left out.
    private func printKinds(_ report: IngestReport) throws {
        guard !arguments.has(.json), report.kinds.contains(where: { $0.read > 0 }) else { return }
        try console.output.flush()
        for kind in report.kinds where kind.read > 0 {
            let numbers = kind.numbers.dropFirst().filter { $0.1 > 0 }.map { "\(Numbers.grouped($0.1)) \($0.0)" }
            console.line("  \(kind.what): \(numbers.joined(separator: ", "))")
        }
        for item in report.leftOut {
            let count = item.count > 0 ? "\(Numbers.grouped(item.count)) " : ""
            console.line("  not taken over: \(count)\(Visible.text(item.what)) (\(Visible.text(item.why)))")
        }
    }

    private func printProblems(_ report: IngestReport) {
        for problem in report.problems {
            console.line("\(problem.file):\(problem.line): \(Visible.text(problem.message))")
        }
        let quarantined = report.refused + report.conflicts
        if quarantined > report.problems.count {
            console.line("… and \(Numbers.grouped(quarantined - report.problems.count)) more")
        }
        if quarantined > report.notKept {
            let option = arguments.has(.store) ? " --store \(arguments.shownStore)" : ""
            console.message(
                "\(Numbers.count(quarantined - report.notKept, "line")) in quarantine: see `laurel quarantine list\(option)`"
            )
        }
        if report.notKept > 0 {
            console.message(
                "\(Numbers.count(report.notKept, "line")) not kept, for quarantine is full: `laurel quarantine drop` makes room,"
                    + " --quarantine-limit allows more; then feed the input again"
            )
        }
        for error in report.unreadable { console.message("\(error)") }
    }

    private static let mostUnknownNames = 20

    /// Reports unknown names, which may be misspelled.
    private func printUnknownNames(_ report: IngestReport) {
        for learner in report.unknown.filter({ $0.kind == "learner" }).prefix(Self.mostUnknownNames) {
            console.message(
                "there are two learners “\(Visible.text(learner.name))”: their ids differ in their Unicode normal form only,"
                    + " first at \(learner.file):\(learner.line); send one of the two forms always"
            )
        }
        let names = report.unknown.filter { $0.kind != "learner" }
        guard !names.isEmpty else { return }
        console.message("stored, but neither the catalogue nor the rules know these names:")
        for unknown in names.prefix(Self.mostUnknownNames) {
            let of = unknown.type.map { " of \($0)" } ?? ""
            let place = "\(unknown.file):\(unknown.line)"
            console.line(
                "  \(unknown.kind) \(Visible.text(unknown.name))\(of): "
                    + "\(Numbers.count(unknown.count, "event")), the first at \(place)\(didYouMean(unknown.nearest))"
            )
        }
        let more = names.count - Self.mostUnknownNames
        if more > 0 || report.unknownNotListed > 0 {
            let list = arguments.has(.json) ? "" : "; --json lists \(report.unknownNotListed > 0 ? "more" : "them")"
            console.line("  … and \(report.unknownNotListed > 0 ? "many" : Numbers.grouped(more)) more\(list)")
        }
    }

    private func status(_ report: IngestReport) -> ExitStatus {
        if report.unreadable.contains(where: { $0.reason == .cannotRead }) { return .failed }
        if report.read == 0, report.unreadable.contains(where: { $0.reason == .otherFormat }) { return .wrongRequest }
        return report.refused + report.conflicts + report.unreadable.count > 0 ? .incomplete : .done
    }
}

extension IngestReport.Kind {
    /// The counts, with the same names as in the total.
    fileprivate var numbers: [(String, Int)] {
        [
            ("read", read), ("stored", stored), ("duplicates", duplicates), ("conflicts", conflicts),
            ("refused", refused),
        ]
    }
}
