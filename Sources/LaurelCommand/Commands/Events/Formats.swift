// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let formatsList = Command(
        "formats list",
        "The formats that ingest reads besides CloudEvents, each with an example",
        options: [.json],
        example: "laurel formats list --json",
        isGroupDefault: true
    ) { try FormatsCommand(arguments: $0, console: $1).list() }

    static let formatsShow = Command(
        "formats show",
        "Prints a format's mapping file, as an example for your own",
        operand: Operand("FORMAT", .one, "one of `laurel formats`", completes: .formats),
        options: [],
        example: "laurel formats show coredata-vocabmaster"
    ) { try FormatsCommand(arguments: $0, console: $1).show() }

    static let formatsCheck = Command(
        "formats check",
        "Checks mapping files, and tries them on a sample",
        details: """
            A mistake is printed as FILE:LINE:COLUMN: …, which editors make clickable. With
            --sample, the mapping reads that file, and the command shows the result; nothing is
            stored. SQL for a database can be checked only with a sample.
            """,
        operand: Operand("FILE", .oneOrMore, "a mapping file", completes: .yaml),
        options: [FormatsCommand.sample, .json, .fileSeconds] + CommandOption.adapting,
        example: "laurel formats check my-app.yaml --sample my-app.sqlite"
    ) { try FormatsCommand(arguments: $0, console: $1).check() }

    static let formatsDraft = Command(
        "formats draft",
        "Drafts a mapping file for a spreadsheet or a JSON file",
        details: """
            Prints a first mapping. It recognises the separator, the encoding and the header, and
            guesses which column is a learner, a time, a word or a grade. Comments in the mapping
            say what to check. Then try it with `laurel formats check MAPPING --sample FILE`.
            """,
        operand: Operand("FILE", .one, "a table such as CSV, or JSON records"),
        options: [],
        example: "laurel formats draft words.csv > words.yaml"
    ) { try FormatsCommand(arguments: $0, console: $1).draft() }
}

extension CommandOption {
    /// The options for attributes that a format does not provide. They have the names of ``FormatAttributes``.
    static let adapting: [CommandOption] = [
        CommandOption("subject", "LEARNER", "the learner's id, if the format lacks it"),
        CommandOption("language", "L", "the language, if the format lacks it"),
        CommandOption("timezone", "ZONE", "the IANA zone of the learner's clock, if the format lacks it"),
        CommandOption("source", "SOURCE", "the events' source, if the format lacks it"),
    ]
    static let fileSeconds = CommandOption(
        "file-seconds",
        "N",
        "the maximum number of seconds for SQLite to read a file (default: 600)"
    )
}

extension Arguments {
    func formatAttributes() throws -> FormatAttributes {
        let values = CommandOption.adapting.map { text($0) }
        var given = FormatAttributes(learner: values[0], language: values[1], timeZone: values[2], source: values[3])
        given.fileSeconds = try number(.fileSeconds, in: 1...86_400).map { (seconds: Int) in Double(seconds) }
        return given
    }
}

extension InputFormat {
    /// The options in help, such as `--subject [--language]`. Brackets mark optional attributes.
    fileprivate var usage: String {
        takes.map { needs.contains($0) ? "--\($0.rawValue)" : "[--\($0.rawValue)]" }.joined(separator: " ")
    }
}

private struct FormatsCommand {
    static let sample = CommandOption("sample", "DATA", "a file of the app, to try the mapping")

    let arguments: Arguments
    let console: Console

    func list() throws -> ExitStatus {
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for format in InputFormat.all { try list.add(format.listing) }
            try list.finish()
            return .done
        }
        for format in InputFormat.all {
            try console.output.writeLine(console.style.paint(format.name, .bold) + " " + format.usage)
            try console.output.writeLine("  \(format.summary)\n  \(format.example)")
        }
        return .done
    }

    func show() throws -> ExitStatus {
        let format = try InputFormat.named(arguments.operands[0])
        guard let mapping = format.mapping else {
            throw CommandFailure.wrongRequest("\(format.name) is no mapping file; it is written in Swift")
        }
        try console.output.write(mapping)
        return .done
    }

    func draft() throws -> ExitStatus {
        try console.output.write(try InputFormat.draft(forFileAt: arguments.operands[0]))
        return .done
    }

    func check() throws -> ExitStatus {
        var isRight = true
        var diagnostics: [Diagnostic] = []
        for file in arguments.operands {
            do {
                let format = try InputFormat(mappingAt: file)
                diagnostics += format.warnings
                guard let sample = arguments.text(Self.sample) else {
                    if !arguments.has(.json) { try console.output.writeLine("\(file): ok") }
                    continue
                }
                isRight = try trial(format, file: file, on: sample) && isRight
            } catch let error as EngineError where error.code == .invalidMapping {
                diagnostics += error.diagnostics
                isRight = false
            }
        }
        if arguments.has(.json) { try console.output.writeJSON(["diagnostics": diagnostics]) }
        if !arguments.has(.json) {
            for diagnostic in diagnostics {
                try console.output.write(DiagnosticText(diagnostic, style: console.style).text)
            }
        }
        return isRight ? .done : .incomplete
    }

    /// Reads a sample file with the format, without storing events.
    private func trial(_ format: InputFormat, file: String, on sample: String) throws -> Bool {
        let trial = try format.trial(on: sample, attributes: arguments.formatAttributes())
        guard !arguments.has(.json) else { return trial.problems.isEmpty }
        try console.output.writeLine("\(file): \(Numbers.count(trial.events, "event")) from \(sample)")
        for kind in trial.kinds {
            let suffix = kind.refused > 0 ? ", \(Numbers.grouped(kind.refused)) refused" : ""
            try console.output.writeLine("  \(kind.what): \(Numbers.grouped(kind.events))\(suffix)")
        }
        for item in trial.leftOut {
            try console.output.writeLine("  not taken over: \(item.count) \(item.what) (\(item.why))")
        }
        for problem in trial.problems { try console.output.writeLine("\(sample):\(Visible.text(problem))") }
        return trial.problems.isEmpty
    }
}
