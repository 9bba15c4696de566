// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelReports
import LaurelWire

/// A request for a report on any subject.
struct ReportQuestion {
    var learner: String?
    var cohort: String?
    var week: String?
    var language: String?
    var locale: String?
    var at: Timestamp

    /// Makes the report.
    /// - Throws: ``Problem`` and `EngineError`.
    func document(_ definition: ReportDefinition, _ engine: ProgressEngine) throws -> ReportDocument {
        try answer(definition, engine) { maker in
            try learner.map { try maker.document(ofLearner: $0) } ?? maker.document()
        }
    }

    /// Makes the report. A report on many learners may come from the cache, if it was made recently.
    func report(_ definition: ReportDefinition, _ service: LaurelService) throws -> TimedReport {
        let now = at.date
        return try answer(definition, service.engine) { maker in
            guard let learner else { return try service.reportCache.report(maker, at: now) }
            return TimedReport(document: try maker.document(ofLearner: learner), time: now, isCached: false)
        }
    }

    /// Calls `body` with the maker of the report. Errors in `body` become problems.
    func answer<Answer>(
        _ definition: ReportDefinition,
        _ engine: ProgressEngine,
        _ body: (ReportMaker) throws -> Answer
    ) throws -> Answer {
        if learner != nil, cohort != nil { throw Problem.badRequest("learner and cohort exclude each other") }
        let present = try engine.week(of: at.date, for: learner)
        let first = try week.map { try engine.week(named: $0, at: at.date, for: learner) } ?? present
        guard first <= present else { throw Problem.badRequest("the week has not begun yet") }
        var wanted = ReportRequest(week: first, at: at, language: language, cohort: cohort)
        if let locale {
            guard let known = ReportLocale.known(locale) else { throw Problem.badRequest("there is no such locale") }
            wanted.locale = known
        }
        do {
            return try body(ReportMaker(definition, engine, wanted))
        } catch let problem as ReportProblem {
            throw Problem(problem)
        } catch let error as ReportError {
            throw Problem(422, "failed-report", "the report \(definition.name) has no result: \(error.message)")
        }
    }
}
