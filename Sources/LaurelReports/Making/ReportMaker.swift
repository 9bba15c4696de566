// SPDX-License-Identifier: Apache-2.0

public import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelWire

/// The time, the subject and the language of a report.
public struct ReportRequest: Sendable, Hashable {
    /// The week's first day.
    public var week: LocalDay
    /// The instant of the report. Later events do not count. If the instant is written with an offset, the offset
    /// decides the local day. Otherwise the clock of each learner's events decides it.
    public var at: Timestamp
    /// The language of the tracks; nil for all languages together.
    public var language: String?
    /// The cohort; nil for all learners.
    public var cohort: String?
    /// The locale of words, numbers and dates, such as `de_DE`.
    public var locale: String

    /// Requests the report of a week, as of an instant.
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

/// The reason why a report cannot be made as requested.
public enum ReportProblem: Error, Sendable, Hashable {
    /// No report has the requested name. The values are the nearest name, and all names.
    case unknownReport(String, nearest: String?, known: [String])
    /// The report has no view for the requested subject. It is either only about single learners, or only about cohorts
    /// and all learners.
    case noView(ofLearner: Bool, report: String)
    /// The learner has no events up to the report's instant.
    case unknownLearner(String)
    /// No event up to the report's instant has the requested language.
    case unknownLanguage(String, known: [String])
    /// At the report's instant, no learner is in the requested cohort.
    case unknownCohort(String, known: [String])
}

/// The identity of a report on many learners. Reports of the same identity differ only by the instant.
package struct ReportIdentity: Sendable, Hashable {
    /// The hash of the report's file.
    private let hash: [UInt8]
    private let request: ReportRequest

    fileprivate init(_ maker: ReportMaker) {
        hash = maker.definition.hash
        var request = maker.request
        request.at = Timestamp(milliseconds: 0)
        self.request = request
    }
}

/// Makes the documents of a report.
public struct ReportMaker: Sendable {
    let definition: ReportDefinition
    let engine: ProgressEngine
    private(set) var request: ReportRequest

    /// Creates a maker for one report.
    /// - Parameters:
    ///   - definition: the report.
    ///   - engine: the engine of the store with the data.
    ///   - request: the week and the subject.
    public init(_ definition: ReportDefinition, _ engine: ProgressEngine, _ request: ReportRequest) {
        self.definition = definition
        self.engine = engine
        self.request = request
        self.request.language = request.language?.canonicalLanguageTag
    }

    package var identity: ReportIdentity { ReportIdentity(self) }

    /// The report on one learner.
    /// - Parameter id: the learner's id.
    /// - Throws: ``ReportProblem``, ``ReportError`` if a query fails, and `EngineError`.
    public func document(ofLearner id: String) throws -> ReportDocument {
        try EngineError.passing { ReportDocument(try learner(id), request) }
    }

    /// The report on a cohort, or on everyone.
    /// - Parameter observe: receives the number of processed learners, and the number of all learners.
    /// - Throws: ``ReportProblem``, ``ReportError`` if a query fails, and `EngineError`.
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
            try desk.begin()
            try engine.mapFacts(period(view), wants: selection(view)) { learners in
                learners.filter(\.hasBegun)
            } receive: { learners, done, total in
                for facts in learners {
                    if let name = facts.cohort { cohorts.insert(name) }
                    guard cohort == nil || facts.cohort == cohort else { continue }
                    languages.formUnion(facts.tracks.compactMap(\.projection.language))
                    try desk.add(facts)
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

/// Makes documents one after another. The tables, the prepared queries and the formatters are reused.
///
/// A desk must not be used by two threads at the same time.
final class ReportDesk {
    let maker: ReportMaker
    private let title: String
    let view: ReportView
    private let tables: Set<ReportTable>
    let database: ReportDatabase
    private let source: TableSource
    let locale: LocaleText
    private let period: ReportPeriod

    /// - Parameter isOfOne: true if each document is about one learner.
    init(_ maker: ReportMaker, _ view: ReportView, isOfOne: Bool = false) throws {
        self.maker = maker
        let texts = maker.definition.texts.table(for: maker.request.locale)
        title = texts.text(maker.definition.title)
        self.view = texts.isEnglish ? view : view.translated(by: texts)
        period = maker.period(view)
        tables = self.view.tables
        database = try ReportDatabase(tables.union(ReportTable.all), isOfOne: isOfOne)
        locale = LocaleText(identifier: maker.request.locale, texts: texts)
        source = TableSource(
            period: period,
            plan: maker.engine.plan,
            texts: texts,
            locale: locale.identifier
        )
    }

    /// Prepares the tables for the next document.
    func begin() throws { try database.begin(tables, source) }

    func add(_ facts: LearnerFacts) throws { try database.add(facts, to: tables, source) }

    /// The document of a learner; nil if the learner has no events in the requested language.
    func document(_ facts: LearnerFacts) throws -> Document? {
        if let language = maker.request.language, !facts.tracks.contains(where: { $0.projection.language == language })
        {
            return nil
        }
        try database.transaction {
            try begin()
            try add(facts)
        }
        let values = values(asOf: facts.asOf, today: facts.today, learner: facts.learner)
        return try builder(values).build(
            .learner(id: facts.learner, name: facts.displayName),
            isUnfinished: facts.asOf == maker.request.at
        )
    }

    /// The document about the learners that were added to the tables.
    func document(_ cohort: String?) throws -> Document {
        let clock = maker.engine.plan.clock
        let end = period.end(clock: clock)
        var today = period.lastDay
        if end == nil {
            var clock = clock
            today = min(clock.localTime(of: maker.request.at).day, period.lastDay)
        }
        let values = values(asOf: end ?? maker.request.at, today: today, learner: nil)
        try database.index(tables)
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
    /// True if the learner has events up to `asOf`.
    var hasBegun: Bool { tracks.first.map { $0.projection.numbers.counts.events > 0 } ?? false }

    /// The local day of an instant, by the time zone offset that the learner's clock has at `asOf`.
    /// - Parameter dayStart: the milliseconds from midnight to the start of a day.
    func day(of milliseconds: Int64, dayStart: Int64) -> LocalDay {
        let offset: Int64 = if case .minutes(let minutes) = asOf.offset { Int64(minutes) * 60_000 } else { 0 }
        return LocalDay(containing: milliseconds + offset - dayStart)
    }
}
