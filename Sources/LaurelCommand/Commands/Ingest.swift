import Laurel
import LaurelEvents

extension Command {
    static let ingest = Command(
        "ingest",
        "Reads events, stores them, brings all progress up to date",
        details: """
            Events are CloudEvents, one JSON object a line or a JSON array; files ending in .gz and
            .zst are unpacked. What is refused or in conflict with a stored event goes to quarantine.
            A store remembers the rules it was last given; one that was given none has those of
            Rules/bab-language.yaml.

            Formats:
              cloudevents  the default
            \(Adapters.listing.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
            """,
        operand: Operand("FILE", .any, "what to read; `-` or nothing: standard input"),
        options: IngestCommand.options,
        example: "laurel ingest --store school.db events.ndjson.zst"
    ) { try IngestCommand(arguments: $0, console: $1).run() }
}

private struct IngestCommand {
    static let format = CommandOption("format", "FORMAT", "cloudevents (default), or an adapter's name")
    static let now = CommandOption("now", "TIME", "the ingest clock, RFC 3339 (default: now)")
    static let subject = CommandOption("subject", "LEARNER", "the learner's id, where the format lacks it")
    static let language = CommandOption("language", "L", "the language, where the format lacks it")
    static let timezone = CommandOption(
        "timezone",
        "ZONE",
        "the IANA zone of the learner's clock, where the format lacks it"
    )
    static let source = CommandOption("source", "SOURCE", "the events' source, where the format lacks it")
    static let options: [CommandOption] = [
        .store, .newRules, .json, format, now, subject, language, timezone, source,
    ]

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
        try show(report, seconds: (ContinuousClock.now - start).inSeconds)
        tellProblems(report)
        return status(report)
    }

    private func ingestOptions() throws -> IngestOptions {
        var options = IngestOptions(
            now: try arguments.instant(Self.now)?.milliseconds
                ?? (try arguments.instant(.at)?.milliseconds) ?? System.now()
        )
        options.format = arguments.text(Self.format) ?? options.format
        options.subject = arguments.text(Self.subject)
        options.language = arguments.text(Self.language)
        options.timezone = arguments.text(Self.timezone)
        options.source = arguments.text(Self.source)
        if options.format != IngestOptions(now: 0).format {
            try check(options)
        } else if let given = [Self.subject, Self.language, Self.timezone, Self.source].first(where: arguments.has) {
            throw UsageError(
                "\(given.flag) is for formats that lack it; CloudEvents say it themselves (--format tells which it is)",
                command: "ingest"
            )
        }
        return options
    }

    /// A request that an adapter cannot follow is to fail before a store is made for it.
    private func check(_ options: IngestOptions) throws {
        _ = try Adapters.find(options.format).adapter(
            AdapterOptions(
                subject: options.subject,
                language: options.language,
                timezone: options.timezone,
                source: options.source
            )
        )
    }

    /// All of them, before anything is written.
    private func openSources() throws -> [IngestSource] {
        let files = arguments.operands.isEmpty ? ["-"] : arguments.operands
        return try files.map { file in
            guard file != "-" else { return standardInput() }
            let descriptor = try System.openForReading(file)
            return IngestSource(name: file, descriptor: descriptor, size: System.size(descriptor))
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
        if arguments.has(.json) {
            try console.output.writeJSON { json in
                for (name, number) in numbers { json.member(name, number) }
            }
            return
        }
        let counts = numbers.map { "\($0.0) \(Numbers.grouped($0.1))" }.joined(separator: ", ")
        let rate = Numbers.grouped((Double(report.read) / max(seconds, 0.001)).rounded())
        try console.output.writeLine("\(counts) in \(Numbers.duration(seconds: seconds)) (\(rate)/s)")
    }

    private func tellProblems(_ report: IngestReport) {
        for problem in report.problems {
            console.line("\(problem.file):\(problem.line): \(Visible.text(problem.message))")
        }
        let quarantined = report.refused + report.conflicts
        if quarantined > report.problems.count {
            console.line("… and \(Numbers.grouped(quarantined - report.problems.count)) more")
        }
        if quarantined > 0 {
            let option = arguments.has(.store) ? " --store \(arguments.store)" : ""
            console.message(
                "\(Numbers.count(quarantined, "line")) in quarantine: see `laurel quarantine list\(option)`"
            )
        }
        for error in report.unreadable { console.message("\(error)") }
    }

    private func status(_ report: IngestReport) -> ExitStatus {
        if report.unreadable.contains(where: { $0.code == .cannotRead }) { return .failed }
        if report.read == 0, report.unreadable.contains(where: { $0.code == .otherFormat }) { return .wrongRequest }
        return report.refused + report.conflicts + report.unreadable.count > 0 ? .incomplete : .done
    }
}
