import Laurel
import LaurelEvents
import LaurelReports
import LaurelRules
import LaurelSimulation
import LaurelStore
import LaurelYAML

extension Command {
    static let reportCheck = Command(
        "report check",
        "Checks reports: what they say, and that their queries run",
        details: """
            Mistakes come as FILE:LINE:COLUMN: …, the form that editors make clickable. Queries run on
            an empty class and on a simulated one.
            """,
        operand: Operand("FILE", .oneOrMore, "a report, YAML or JSON"),
        options: [.rules, .json],
        example: "laurel report check Reports/weekly-xp.yaml"
    ) { try ReportCheckCommand(arguments: $0, console: $1).run() }
}

private struct ReportCheckCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let rules = try arguments.text(.rules).map { try ProgressEngine.loadRules(file: $0) }
        let engines = try [0, 6].map { try Self.sample(learners: $0, rules) }
        var found: [Diagnostic] = []
        var failures: [String] = []
        for file in arguments.operands {
            let (diagnostics, problem) = try check(file, engines)
            found += diagnostics
            if let problem { failures.append(problem) }
            guard !arguments.has(.json) else { continue }
            for diagnostic in diagnostics { try console.output.writeLine("\(diagnostic)") }
            if let problem { try console.output.writeLine(problem) }
            if problem == nil, diagnostics.allSatisfy({ $0.severity == .warning }) {
                try console.output.writeLine("\(file): ok")
            }
        }
        if arguments.has(.json) { try writeJSON(found, failures) }
        try console.output.flush()
        let errors = found.count { $0.severity == .error } + failures.count
        let counts = [
            Numbers.count(arguments.operands.count, "file"), Numbers.count(errors, "error"),
            Numbers.count(found.count { $0.severity == .warning }, "warning"),
        ]
        console.message(counts.joined(separator: ", "))
        return errors > 0 ? .incomplete : .done
    }

    /// What is wrong with a file as such, and what went wrong when it was made into reports.
    private func check(_ file: String, _ engines: [ProgressEngine]) throws -> ([Diagnostic], String?) {
        let definition: ReportDefinition
        do throws(EngineError) {
            definition = try ReportLibrary.load(file: file)
        } catch {
            guard error.code == .invalidReport else { throw error }
            return (error.diagnostics, nil)
        }
        do {
            for engine in engines { try make(definition, engine) }
        } catch let error as ReportError {
            return (definition.warnings, error.description)
        }
        return (definition.warnings, nil)
    }

    private func make(_ definition: ReportDefinition, _ engine: ProgressEngine) throws {
        let at = Timestamp(milliseconds: Self.end)
        let request = ReportRequest(
            week: try engine.week(of: at),
            at: at
        )
        let maker = ReportMaker(definition, engine, request)
        if definition.isAboutCohorts { _ = try maker.document() }
        if definition.isAboutLearners { try maker.each(.json) { _, _ in } }
    }

    /// 2026-02-16, the day after the sample's last.
    private static let end: Int64 = 1_771_200_000_000

    /// A simulated class in memory.
    private static func sample(learners: Int, _ rules: RuleSet?) throws -> ProgressEngine {
        let options = Simulation.Options(
            learners: learners,
            days: 42,
            seed: 7,
            start: Simulation.Options.defaultStart,
            disorder: false,
            uuid: false
        )
        var lines: [UInt8] = []
        _ = Simulation(options).run { lines += $0 }
        return try ProgressEngine.inMemory(events: lines, rules: rules)
    }

    private func writeJSON(_ diagnostics: [Diagnostic], _ failures: [String]) throws {
        try console.output.writeJSON { json in
            json.list("diagnostics", diagnostics) { json, diagnostic in
                json.member("severity", diagnostic.severity.rawValue)
                json.member("file", diagnostic.file)
                json.member("line", diagnostic.line)
                json.member("column", diagnostic.column)
                json.member("message", diagnostic.message)
                json.member("suggestion", diagnostic.suggestion)
            }
            json.strings("failures", failures)
        }
    }
}
