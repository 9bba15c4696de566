import Laurel
import LaurelAdapters
import LaurelEvents
import LaurelYAML

extension Command {
    static let formatsList = Command(
        "formats list",
        "The formats that ingest reads besides CloudEvents, with an example each",
        options: [.json],
        example: "laurel formats list --json",
        isGroupDefault: true
    ) { try FormatsCommand(arguments: $0, console: $1).list() }

    static let formatsShow = Command(
        "formats show",
        "A format's mapping file, to learn from or to copy",
        operand: Operand("FORMAT", .one, "one of `laurel formats`"),
        options: [],
        example: "laurel formats show coredata-vocabmaster"
    ) { try FormatsCommand(arguments: $0, console: $1).show() }

    static let formatsCheck = Command(
        "formats check",
        "Checks mapping files, and tries them on a sample",
        details: """
            Mistakes come as FILE:LINE:COLUMN: …, the form that editors make clickable. With --sample
            the mapping reads that file, and tells what would come of it; nothing is stored. What SQL
            asks of a database can be checked on a sample only.
            """,
        operand: Operand("FILE", .oneOrMore, "a mapping file"),
        options: [FormatsCommand.sample, .json] + CommandOption.adapting,
        example: "laurel formats check my-app.yaml --sample my-app.sqlite"
    ) { try FormatsCommand(arguments: $0, console: $1).check() }
}

extension CommandOption {
    /// What a format may lack, by the names of ``AdapterOptions``.
    static let adapting: [CommandOption] = [
        CommandOption("subject", "LEARNER", "the learner's id, where the format lacks it"),
        CommandOption("language", "L", "the language, where the format lacks it"),
        CommandOption("timezone", "ZONE", "the IANA zone of the learner's clock, where the format lacks it"),
        CommandOption("source", "SOURCE", "the events' source, where the format lacks it"),
    ]
}

extension Arguments {
    var adapterOptions: AdapterOptions {
        let values = CommandOption.adapting.map { text($0) }
        return AdapterOptions(subject: values[0], language: values[1], timezone: values[2], source: values[3])
    }
}

extension Mapping {
    static func load(file: String) throws -> Mapping {
        try Mapping(yaml: try ProgressEngine.read(file, limit: 1 << 20), file: file)
    }
}

private struct FormatsCommand {
    static let sample = CommandOption("sample", "DATA", "a file of the app, to try the mapping on")

    let arguments: Arguments
    let console: Console

    func list() throws -> ExitStatus {
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for kind in Adapters.all {
                try list.add { json in
                    json.member("name", kind.name)
                    json.member("summary", kind.summary)
                    json.strings("needs", kind.needs.map(\.rawValue))
                    json.strings("takes", kind.takes.map(\.rawValue))
                    json.member("example", kind.example)
                }
            }
            try list.finish()
            return .done
        }
        for kind in Adapters.all {
            try console.output.writeLine(console.style.paint(kind.name, .bold) + " " + kind.usage)
            try console.output.writeLine("  \(kind.summary)\n  \(kind.example)")
        }
        return .done
    }

    func show() throws -> ExitStatus {
        let kind = try Adapters.find(arguments.operands[0])
        guard let mapping = kind.mapping else {
            throw CommandFailure.wrongRequest("\(kind.name) is no mapping file; it is written in Swift")
        }
        try console.output.write(String(decoding: mapping.text, as: UTF8.self))
        return .done
    }

    func check() throws -> ExitStatus {
        var isRight = true
        var diagnostics: [Diagnostic] = []
        for file in arguments.operands {
            do {
                let mapping = try Mapping.load(file: file)
                diagnostics += mapping.warnings
                guard let sample = arguments.text(Self.sample) else {
                    if !arguments.has(.json) { try console.output.writeLine("\(file): ok") }
                    continue
                }
                isRight = try trial(mapping, file: file, on: sample) && isRight
            } catch let error as MappingError {
                diagnostics += error.diagnostics
                isRight = false
            }
        }
        if arguments.has(.json) { try console.output.writeJSON { $0.diagnostics(diagnostics) } }
        if !arguments.has(.json) {
            for diagnostic in diagnostics {
                try console.output.write(DiagnosticText(diagnostic, style: console.style).text)
            }
        }
        return isRight ? .done : .incomplete
    }

    /// Reads a sample into nothing.
    private func trial(_ mapping: Mapping, file: String, on sample: String) throws -> Bool {
        var options = arguments.adapterOptions
        options.subject = options.subject ?? (mapping.needs.contains(.subject) ? "sample" : nil)
        let kind = AdapterKind(mapping: mapping)
        var trial = Trial(kinds: mapping.kinds)
        var adapter = try kind.adapter(options)
        var reader = try InputReader(path: sample, shape: kind.shape)
        let leftOut = try adapter.read(&reader, path: sample) { trial.take($0) }
        guard !arguments.has(.json) else { return trial.isRight }
        try console.output.writeLine("\(file): \(Numbers.count(trial.total, "event")) from \(sample)")
        for (what, count, refused) in trial.counts {
            let suffix = refused > 0 ? ", \(Numbers.grouped(refused)) refused" : ""
            try console.output.writeLine("  \(what): \(Numbers.grouped(count))\(suffix)")
        }
        for item in leftOut {
            try console.output.writeLine("  not taken over: \(item.count) \(item.what) (\(item.why))")
        }
        for problem in trial.problems { try console.output.writeLine("\(sample):\(Visible.text(problem))") }
        return trial.isRight
    }
}

/// What would come of a sample.
private struct Trial {
    private(set) var counts: [(what: String, count: Int, refused: Int)]
    private(set) var problems: [String] = []
    private var decoder = EventDecoder()
    private var table = EventTable()

    init(kinds: [String]) { counts = kinds.map { ($0, 0, 0) } }

    var total: Int { counts.reduce(0) { $0 + $1.count } }
    var isRight: Bool { problems.isEmpty }

    mutating func take(_ record: AdaptedRecord) {
        if counts.indices.contains(record.kind) { counts[record.kind].count += 1 }
        guard let refusal = refusal(of: record) else { return }
        if counts.indices.contains(record.kind) { counts[record.kind].refused += 1 }
        let place = record.place.map { "\($0): " } ?? ""
        if problems.count < 20 { problems.append("\(record.line): \(place)\(refusal.message)") }
    }

    private mutating func refusal(of record: AdaptedRecord) -> Refusal? {
        switch record.outcome {
        case .refused(let refusal): return refusal
        case .event(let json):
            if table.count > 10_000 { table = EventTable() }
            let result = json.withUnsafeBufferPointer {
                decoder.decode(line: $0, into: &table, clock: Timestamp.latest.milliseconds)
            }
            if case .refused(let refusal) = result { return refusal }
            return nil
        }
    }
}
