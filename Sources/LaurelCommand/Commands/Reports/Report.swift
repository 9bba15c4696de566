// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports

extension Command {
    static let report = Command(
        "report",
        "A report on a learner, a cohort or everyone: HTML, Markdown, CSV or JSON",
        details: """
            Without --learner or --cohort, the report is about everyone. With --out, it is a file in
            that folder, by default HTML. Otherwise it goes to standard output, by default as
            Markdown. `laurel report check FILE…` checks a report of your own.
            """,
        operand: Operand(
            "NAME",
            .atMostOne,
            "a report's name, or its file: see docs/reports.md",
            completes: .reports
        ),
        options: ReportCommand.options,
        example: "laurel report weekly-xp --learner anna --out reports"
    ) { try ReportCommand(arguments: $0, console: $1).run() }
}

struct ReportCommand {
    static let list = CommandOption("list", nil, "list the available reports")
    static let week = CommandOption(
        "week",
        "W",
        "the week, such as 2026-W06, a date in it, or last (default: that of --at)"
    )
    static let learner = CommandOption("learner", "L", "on this learner", completes: .learners)
    static let cohort = CommandOption("cohort", "C", "on the learners of this cohort", completes: .cohorts)
    static let each = CommandOption("each", nil, "one report per learner, and an index; needs --out")
    static let format = CommandOption(
        "format",
        "FORMAT",
        "html, md, csv or json",
        completes: .words(["html", "md", "csv", "json"])
    )
    static let folder = CommandOption("out", "DIR", "write to a file in this folder, which is made if it is missing")
    static let locale = CommandOption(
        "locale",
        "L",
        "the language, and the format of numbers and dates, such as de_DE (default: en_GB)"
    )
    static let reports = CommandOption("reports", "DIR", "a folder of your own reports")
    static let options: [CommandOption] =
        [
            list, .store, .rules, .at, week, learner, cohort, .language, each, format, folder, locale, reports, .mode,
            .json,
        ] + ReportDelivery.options

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let library = try ReportLibrary(folder: arguments.text(Self.reports))
        if arguments.has(Self.list) { return try list(library.all()) }
        guard let name = arguments.operands.first else {
            throw UsageError("report: NAME is missing; `laurel report --list` lists them", command: arguments.command)
        }
        try checkOptions()
        let format = try format()
        _ = try browser()
        let definition = try definition(name, library)
        for warning in definition.warnings { console.line("\(warning)") }
        try check(definition)
        let at = try arguments.at()
        let locale = try Self.askedLocale(arguments) ?? ReportLocale.usual
        if !definition.isWritten(for: locale) {
            let languages = definition.languages.joined(separator: ", ")
            console.message("the report has no texts for \(locale), so it is in English; its languages: \(languages)")
        }
        let engine = try arguments.openForReading()
        let request = ReportRequest(
            week: try week(engine, at),
            at: at,
            language: arguments.text(.language),
            cohort: arguments.text(Self.cohort),
            locale: locale
        )
        do {
            try make(ReportMaker(definition, engine, request), format, engine)
        } catch let problem as ReportProblem {
            throw try failure(problem, engine, at)
        }
        return .done
    }

    // MARK: Request

    private func definition(_ name: String, _ library: ReportLibrary) throws -> ReportDefinition {
        do {
            return try library.report(name)
        } catch ReportProblem.unknownReport(_, let nearest, let known) {
            throw unknownReport(name, nearest, known)
        } catch let error as EngineError where error.code == .invalidReport {
            throw CommandFailure.wrongRequest(
                error.diagnostics.filter { $0.severity == .error }.map(\.description).joined(separator: "\n"),
                hint: "this report cannot be used"
            )
        }
    }

    private func checkOptions() throws(UsageError) {
        func exclude(_ one: CommandOption, _ other: CommandOption) throws(UsageError) {
            guard arguments.has(one), arguments.has(other) else { return }
            throw UsageError("\(one.flag) and \(other.flag) exclude each other", command: arguments.command)
        }
        try exclude(Self.learner, Self.cohort)
        try exclude(Self.learner, Self.each)
        try exclude(.json, Self.format)
        try delivery.checkOptions()
        if arguments.has(Self.each), !arguments.has(Self.folder), !arguments.has(ReportDelivery.mail) {
            throw UsageError("--each writes many files; name a folder for them with --out", command: arguments.command)
        }
    }

    private func format() throws(UsageError) -> ReportFormat {
        if arguments.has(.json) { return .json }
        let names = ReportFormat.allCases.map(\.rawValue)
        guard let text = arguments.text(Self.format) else { return arguments.has(Self.folder) ? .html : .markdown }
        guard let format = ReportFormat(rawValue: text) else {
            throw arguments.wrong(
                Self.format,
                "is not one of \(names.joined(separator: ", "))\(didYouMean(names.nearest(to: text)))"
            )
        }
        if format == .csv, !arguments.has(Self.folder) {
            throw UsageError("csv is one file per table; name a folder for them with --out", command: arguments.command)
        }
        return format
    }

    private func check(_ definition: ReportDefinition) throws(UsageError) {
        for (option, parameter) in [(Self.week, ReportParameter.week), (.language, .language)]
        where arguments.has(option) && !definition.parameters.contains(parameter) {
            throw UsageError("the report \(definition.name) takes no \(option.flag)", command: arguments.command)
        }
    }

    /// The requested locale; nil if no locale was given.
    static func askedLocale(_ arguments: Arguments) throws(UsageError) -> String? {
        guard let identifier = arguments.text(Self.locale) else { return nil }
        guard let known = ReportLocale.known(identifier) else {
            throw arguments.wrong(
                Self.locale,
                "is no locale, such as de_DE\(didYouMean(ReportLocale.nearest(to: identifier)))"
            )
        }
        return known
    }

    private func week(_ engine: ProgressEngine, _ at: Timestamp) throws -> LocalDay {
        let present = try engine.week(of: at.date, for: arguments.text(Self.learner), timeZone: at.timeZone)
        guard let text = arguments.text(Self.week) else { return present }
        let week: LocalDay
        do throws(EngineError) {
            week = try engine.week(named: text, at: at.date, for: arguments.text(Self.learner), timeZone: at.timeZone)
        } catch {
            throw arguments.wrong(Self.week, error.description)
        }
        // A learner's local day may be one day ahead of the day by the rules' clock.
        guard week <= present else {
            let name = week.weekName(firstWeekday: engine.latestRules.firstWeekday)
            throw arguments.wrong(Self.week, "has not begun as of \(at): \(name) starts on \(week)")
        }
        return week
    }

    // MARK: Output

    private var delivery: ReportDelivery { ReportDelivery(arguments: arguments, console: console) }

    private func make(_ maker: ReportMaker, _ format: ReportFormat, _ engine: ProgressEngine) throws {
        if arguments.has(Self.each) {
            let changes = try delivery.changes(engine)
            if let folder = arguments.text(ReportDelivery.mail) {
                try delivery.write(maker, to: folder, only: changes?.learners)
            } else {
                try makeEach(maker, format, only: changes?.learners)
            }
            if let changes { try delivery.remember(changes.commit) }
            return
        }
        let document: ReportDocument
        if let learner = arguments.text(Self.learner) {
            document = try maker.document(ofLearner: learner)
        } else {
            document = try console.withProgress("learners") { line in
                try maker.document { line.show($0, share: Double($0) / Double(max(1, $1))) }
            }
        }
        guard let folder = arguments.text(Self.folder) else {
            try console.output.write(document.text(format) ?? "")
            return
        }
        try System.makeFolder(folder)
        let files = document.files(format)
        let browser = try self.browser()
        let mode = try arguments.mode()
        let names = try files.map { file in
            try Self.write(file.content, to: "\(folder)/\(file.name)", paper: browser, mode: mode)
        }
        try console.output.flush()
        console.message("wrote \(names.joined(separator: ", "))")
    }

    private func makeEach(_ maker: ReportMaker, _ format: ReportFormat, only: Set<String>?) throws {
        guard let folder = arguments.text(Self.folder) else { return }
        try System.makeFolder(folder)
        let browser = try self.browser()
        let mode = try arguments.mode()
        let written = try console.withProgress("learners") { line in
            try maker.each(format, only: only) {
                line.show($0, share: Double($0) / Double(max(1, $1)))
            } write: { name, content in
                _ = try Self.write(content, to: "\(folder)/\(name)", paper: browser, mode: mode)
            }
        }
        console.message("wrote \(Numbers.count(written, "report")) and an index to \(folder)")
    }

    private func browser() throws -> URL? { arguments.has(ReportDelivery.pdf) ? try ReportDelivery.browser() : nil }

    /// - Parameter browser: the browser that prints the page as PDF; nil to write the page as HTML.
    /// - Returns: the name of the file.
    private static func write(
        _ content: String,
        to file: String,
        paper browser: URL?,
        mode: UInt32
    ) throws -> String {
        guard let browser, file.hasSuffix(".html") else {
            try write(content, to: file, mode: mode)
            return file
        }
        let paper = String(file.dropLast(".html".count) + ".pdf")
        // The browser keeps the permissions of an existing file, so the file is created first.
        if !System.exists(paper) { try write("", to: paper, mode: mode) }
        try ReportDelivery.print(content, to: paper, browser)
        return paper
    }

    /// - Parameter mode: the permissions of a new file. They matter, because the file contains learners' data.
    static func write(_ content: String, to file: String, mode: UInt32) throws {
        let output = OutputStream(file: file, mode: mode)
        try output.write(content)
        try output.finish()
    }

    // MARK: Failures

    private func failure(_ problem: ReportProblem, _ engine: ProgressEngine, _ at: Timestamp) throws -> CommandFailure {
        switch problem {
        case .unknownReport(let name, let nearest, let known): return unknownReport(name, nearest, known)
        case .noView(let ofLearner, let report):
            return .wrongRequest(
                ofLearner
                    ? "\(report) is not about one learner; leave --learner and --each out"
                    : "\(report) is about one learner: name them with --learner, or all with --each"
            )
        case .unknownLearner(let learner): return try engine.unknownLearner(learner)
        case .unknownLanguage(let language, let known):
            return unknown(
                "there are no events in “\(Visible.text(language))” as of \(at)",
                language,
                known,
                "languages"
            )
        case .unknownCohort(let cohort, let known):
            return unknown("there is no cohort “\(Visible.text(cohort))” as of \(at)", cohort, known, "cohorts")
        }
    }

    private func unknownReport(_ name: String, _ nearest: String?, _ known: [String]) -> CommandFailure {
        .wrongRequest(
            "there is no report “\(Visible.text(name))”\(didYouMean(nearest))",
            hint: "`laurel report --list` lists them: \(known.map(Visible.text).joined(separator: ", "))"
        )
    }

    private func unknown(_ message: String, _ name: String, _ known: [String], _ what: String) -> CommandFailure {
        let shown = known.prefix(20).map(Visible.text).joined(separator: ", ") + (known.count > 20 ? ", …" : "")
        return .wrongRequest(
            message + didYouMean(known.nearest(to: name).map(Visible.text)),
            hint: "\(what): \(known.isEmpty ? "none" : shown)"
        )
    }

    // MARK: Listing

    private func list(_ definitions: [ReportDefinition]) throws -> ExitStatus {
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for definition in definitions { try list.add(definition.listing) }
            try list.finish()
            return .done
        }
        var table = Table([.prose("report"), .prose("about"), .prose("takes").spare, .prose("what it tells")])
        for report in definitions.map(\.listing) {
            table.add([
                report.name, report.about.joined(separator: ", "),
                report.parameters.map { "--\($0)" }.joined(separator: " "), report.description,
            ])
        }
        try table.write(to: console.output, style: console.style)
        return .done
    }
}
