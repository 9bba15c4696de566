// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import LaurelSimulation

extension Command {
    static let reportCheck = Command(
        "report check",
        "Checks reports, and runs their queries",
        details: """
            A mistake is printed as FILE:LINE:COLUMN: …, which editors make clickable. The queries
            run on an empty class and on a simulated class.
            """,
        operand: Operand("FILE", .oneOrMore, "a report, YAML or JSON", completes: .yaml),
        options: [.rules, .json],
        example: "laurel report check Reports/weekly-xp.yaml"
    ) { try ReportCheckCommand(arguments: $0, console: $1).run() }
}

private struct ReportCheckCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let rules = try arguments.text(.rules).map { try Rules(path: $0) }
        let engines = try [0, 6].map { try Self.sample(learners: $0, rules) }
        var found: [Diagnostic] = []
        var failures: [String] = []
        for file in arguments.operands {
            let (diagnostics, problem) = try check(file, engines)
            found += diagnostics
            if let problem { failures.append(problem) }
            guard !arguments.has(.json) else { continue }
            for diagnostic in diagnostics {
                try console.output.write(DiagnosticText(diagnostic, style: console.style).text)
            }
            if let problem { try console.output.writeLine(problem) }
            if problem == nil, diagnostics.allSatisfy({ $0.severity == .warning }) {
                try console.output.writeLine("\(file): ok")
            }
        }
        if arguments.has(.json) {
            try console.output.writeJSON(FoundMistakes(diagnostics: found, failures: failures))
        }
        try console.output.flush()
        let errors = found.count { $0.severity == .error } + failures.count
        let counts = [
            Numbers.count(arguments.operands.count, "file"), Numbers.count(errors, "error"),
            Numbers.count(found.count { $0.severity == .warning }, "warning"),
        ]
        console.message(counts.joined(separator: ", "))
        return errors > 0 ? .incomplete : .done
    }

    /// The mistakes in a file, and the failure if its reports could not be made.
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
        let request = ReportRequest(week: try engine.week(named: "this", at: Self.end), at: Timestamp(Self.end))
        let maker = ReportMaker(definition, engine, request)
        if definition.isAboutCohorts { _ = try maker.document() }
        if definition.isAboutLearners { try maker.each(.json) { _, _ in } }
    }

    /// 2026-02-16, the day after the last day of the sample.
    private static let end = Date(timeIntervalSince1970: 1_771_200_000)

    /// A simulated class in memory.
    private static func sample(learners: Int, _ rules: Rules?) throws -> ProgressEngine {
        let options = Simulation.Options(
            learners: learners,
            days: 42,
            seed: 7,
            start: Simulation.Options.defaultStart,
            disorder: false,
            uuid: false
        )
        var events = Data()
        _ = Simulation(options).run { events.append(contentsOf: $0) }
        let engine = try ProgressEngine.inMemory(rules: rules)
        try engine.ingest(cloudEvents: events, now: end)
        return engine
    }
}

/// The mistakes found, as JSON.
private struct FoundMistakes: Encodable {
    var diagnostics: [Diagnostic]
    /// The failures when reports were made.
    var failures: [String]
}
