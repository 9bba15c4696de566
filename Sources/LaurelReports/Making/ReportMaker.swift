// SPDX-License-Identifier: Apache-2.0

public import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelWire

/// What a report is to be made of.
public struct ReportRequest: Sendable, Hashable {
    /// The week's first day.
    public var week: LocalDay
    /// Only events up to it count. The offset written in it, where there is one, decides which day it is then; else the clock
    /// that the learners' events tell.
    public var at: Timestamp
    /// nil for all languages together.
    public var language: String?
    /// nil for everyone.
    public var cohort: String?
    /// The language, and how numbers and dates are written, such as `de_DE`.
    public var locale: String

    /// Asks for a week, as of an instant.
    public init(
        week: LocalDay,
        at: Timestamp,
        language: String? = nil,
        cohort: String? = nil,
        locale: String = ReportLocale.usual
    ) {
        (self.week, self.at) = (week, at)
        (self.language, self.cohort, self.locale) = (language, cohort, locale)
    }
}

/// Why a report cannot be made as it was asked for.
public enum ReportProblem: Error, Sendable, Hashable {
    /// No report has that name; the nearest, and all that there are.
    case unknownReport(String, nearest: String?, known: [String])
    /// The report is not about one learner, or about one only.
    case noView(ofLearner: Bool, report: String)
    /// No event is about this learner up to then.
    case unknownLearner(String)
    /// No event is in this language up to then.
    case unknownLanguage(String, known: [String])
    /// No learner is in this cohort up to then.
    case unknownCohort(String, known: [String])
}

/// Makes documents of a report.
public struct ReportMaker: Sendable {
    let definition: ReportDefinition
    let engine: ProgressEngine
    private(set) var request: ReportRequest

    /// Makes reports of one definition.
    /// - Parameters:
    ///   - definition: the report.
    ///   - engine: what it is about.
    ///   - request: which week, and of whom.
    public init(_ definition: ReportDefinition, _ engine: ProgressEngine, _ request: ReportRequest) {
        self.definition = definition
        self.engine = engine
        self.request = request
        self.request.language = request.language?.canonicalLanguageTag
    }

    /// The report on one learner.
    /// - Parameter id: the learner's.
    /// - Throws: ``ReportProblem``, ``ReportError`` where a query fails, and `EngineError`.
    public func document(ofLearner id: String) throws -> ReportDocument {
        try EngineError.passing { ReportDocument(try learner(id), request) }
    }

    /// The report on a cohort, or on everyone.
    /// - Parameter observe: told how many learners of how many were looked at.
    /// - Throws: ``ReportProblem``, ``ReportError`` where a query fails, and `EngineError`.
    public func document(observe: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws -> ReportDocument {
        try EngineError.passing { ReportDocument(try cohort(observe: observe), request) }
    }

    package func learner(_ id: String) throws -> Document {
        let view = try learnerView()
        let period = period(view)
        guard let facts = try engine.facts(of: id, period, wants: selection(view)) else {
            throw ReportProblem.unknownLearner(id)
        }
        let desk = try ReportDesk(self, view, isOfOne: true)
        guard let document = try desk.document(facts) else {
            throw ReportProblem.unknownLanguage(
                request.language ?? "",
                known: facts.tracks.compactMap(\.projection.language)
            )
        }
        return document
    }

    package func cohort(observe: (_ done: Int, _ total: Int) -> Void = { _, _ in }) throws -> Document {
        guard let view = definition.cohort else {
            throw ReportProblem.noView(ofLearner: false, report: definition.name)
        }
        let desk = try ReportDesk(self, view)
        let (cohort, language) = (request.cohort, request.language)
        var cohorts: Set<String> = []
        var languages: Set<String> = []
        try desk.database.transaction {
            try desk.filler.begin()
            try engine.mapFacts(period(view), wants: selection(view)) { learners in
                learners.filter(\.hasBegun)
            } receive: { learners, done, total in
                for facts in learners {
                    if let name = facts.cohort { cohorts.insert(name) }
                    guard cohort == nil || facts.cohort == cohort else { continue }
                    languages.formUnion(facts.tracks.compactMap(\.projection.language))
                    try desk.filler.add(facts)
                }
                observe(done, total)
            }
        }
        if let cohort, !cohorts.contains(cohort) {
            throw ReportProblem.unknownCohort(cohort, known: cohorts.sorted())
        }
        if let language, !languages.contains(language) {
            throw ReportProblem.unknownLanguage(language, known: languages.sorted())
        }
        return try desk.document(cohort)
    }

    func learnerView() throws -> ReportView {
        guard let view = definition.learner else {
            throw ReportProblem.noView(ofLearner: true, report: definition.name)
        }
        return view
    }

    func period(_ view: ReportView) -> ReportPeriod {
        ReportPeriod(week: request.week, weeks: view.weeks, at: request.at)
    }

    func selection(_ view: ReportView) -> FactSelection {
        view.tables.reduce(into: []) { $0.formUnion($1.facts) }
    }
}

/// Where documents are made one after another: tables, prepared queries and formats are kept between them.
///
/// Not for two threads at once.
final class ReportDesk {
    let maker: ReportMaker
    private let title: String
    let view: ReportView
    let database: ReportDatabase
    let filler: TableFiller
    let locale: LocaleText
    private let period: ReportPeriod

    /// - Parameter isOfOne: Whether documents are about one learner each.
    init(_ maker: ReportMaker, _ view: ReportView, isOfOne: Bool = false) throws {
        self.maker = maker
        let texts = maker.definition.texts.table(for: maker.request.locale)
        title = texts.text(maker.definition.title)
        self.view = texts.isEnglish ? view : view.translated(by: texts)
        period = maker.period(view)
        database = try ReportDatabase(isOfOne: isOfOne)
        locale = LocaleText(identifier: maker.request.locale, texts: texts)
        filler = TableFiller(
            database: database,
            tables: view.tables,
            period: period,
            plan: maker.engine.plan,
            texts: texts,
            locale: locale.identifier
        )
    }

    /// nil where the learner has nothing in the language asked for.
    func document(_ facts: LearnerFacts) throws -> Document? {
        if let language = maker.request.language, !facts.tracks.contains(where: { $0.projection.language == language })
        {
            return nil
        }
        try database.transaction {
            try filler.begin()
            try filler.add(facts)
        }
        let values = values(asOf: facts.asOf, today: facts.today, learner: facts.learner)
        return try builder(values).build(
            .learner(id: facts.learner, name: facts.displayName),
            isUnfinished: facts.asOf == maker.request.at
        )
    }

    /// Of what the tables hold.
    func document(_ cohort: String?) throws -> Document {
        let clock = maker.engine.plan.clock
        let end = period.end(clock: clock)
        var today = period.lastDay
        if end == nil {
            var clock = clock
            today = min(clock.localTime(of: maker.request.at).day, period.lastDay)
        }
        let values = values(asOf: end ?? maker.request.at, today: today, learner: nil)
        return try builder(values).build(cohort.map(DocumentSubject.cohort) ?? .everyone, isUnfinished: end == nil)
    }

    private func builder(_ values: QueryValues) -> DocumentBuilder {
        DocumentBuilder(
            name: maker.definition.name,
            title: title,
            view: view,
            database: database,
            values: values,
            locale: locale
        )
    }

    private func values(asOf: Timestamp, today: LocalDay, learner: String?) -> QueryValues {
        QueryValues(
            period: period,
            weekName: period.week.weekName(firstWeekday: maker.engine.rules.calendar.weekStartsOn),
            today: today,
            asOf: asOf,
            language: maker.request.language ?? "*",
            learner: learner,
            cohort: maker.request.cohort
        )
    }
}

extension LearnerFacts {
    /// True if there was anything of the learner yet.
    var hasBegun: Bool { tracks.first.map { $0.projection.numbers.counts.events > 0 } ?? false }

    /// The local day of an instant for the learner, by the clock of the facts' own instant.
    /// - Parameter dayStart: When days start after midnight, in milliseconds.
    func day(of milliseconds: Int64, dayStart: Int64) -> LocalDay {
        let offset: Int64 = if case .minutes(let minutes) = asOf.offset { Int64(minutes) * 60_000 } else { 0 }
        return LocalDay(containing: milliseconds + offset - dayStart)
    }
}
