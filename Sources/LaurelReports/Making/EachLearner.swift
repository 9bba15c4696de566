// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules

/// Makes a report for each learner, and an index of the reports.
extension ReportMaker {
    /// A learner's entry in the index.
    private struct Entry: Sendable {
        var learner: String
        var name: String?
        var file: String
        var weekXP: Double
        var streak: Int
        var level: Int
        /// The most urgent reason why the learner needs a teacher, and the number of reasons.
        var need: LearnerNeeds.Reason?
        var needs: Int

        /// Orders learners by the urgency of their most urgent reason, then by the number of reasons, then by id.
        static func isMoreUrgent(_ one: Entry, _ other: Entry) -> Bool {
            let (mine, others) = (one.need?.rawValue ?? .max, other.need?.rawValue ?? .max)
            if mine != others { return mine < others }
            if one.needs != other.needs { return one.needs > other.needs }
            return one.learner.utf8.lexicographicallyPrecedes(other.learner.utf8)
        }
    }

    /// Makes the reports of all learners, or of all learners in the requested cohort, on all cores.
    ///
    /// - Parameters:
    ///   - format: the format of the reports and of the index.
    ///   - observe: receives the number of processed learners, and the number of all learners.
    ///   - write: receives the name and the content of a file. Each name occurs once. The function is called on several
    ///     threads at the same time.
    /// - Returns: the number of reports. A learner without events up to the instant, or without events in the requested
    ///   language, gets no report.
    /// - Throws: ``ReportProblem``, ``ReportError`` if a query fails, `EngineError`, and the errors of `write`.
    @discardableResult
    public func each(
        _ format: ReportFormat,
        observe: (_ done: Int, _ total: Int) -> Void = { _, _ in },
        write: @escaping @Sendable (_ file: String, _ content: String) throws -> Void
    ) throws -> Int {
        try each(format, only: nil, observe: observe, write: write)
    }

    /// - Parameter only: the ids of the learners that get a report; nil for all learners.
    @discardableResult
    package func each(
        _ format: ReportFormat,
        only: Set<String>?,
        observe: (_ done: Int, _ total: Int) -> Void,
        write: @escaping @Sendable (_ file: String, _ content: String) throws -> Void
    ) throws -> Int {
        try EngineError.passing { try writeEach(format, only, observe: observe, write: write) }
    }

    private func writeEach(
        _ format: ReportFormat,
        _ only: Set<String>?,
        observe: (_ done: Int, _ total: Int) -> Void,
        write: @escaping @Sendable (_ file: String, _ content: String) throws -> Void
    ) throws -> Int {
        let view = try learnerView()
        let whole = try definition.cohort.map { try ReportDesk(self, $0) }
        var entries: [Entry] = []
        func gather() throws {
            try engine.mapFacts(periodOfAll(view), wants: selectionOfAll(view)) { learners in
                try share(learners, format, only, write)
            } receive: { share, done, total in
                entries += share.entries
                for facts in share.facts { try whole?.add(facts) }
                observe(done, total)
            }
        }
        if let whole {
            try whole.database.transaction {
                try whole.begin()
                try gather()
            }
        } else {
            try gather()
        }
        entries.sort(by: Entry.isMoreUrgent)
        let file = try self.write(whole, entries, format, write)
        let locale = try ReportDesk(self, view).locale
        for (name, content) in index(entries, view, file, locale).files(format) { try write(name, content) }
        return entries.count
    }

    /// The period of the learner's view or of the cohort's view, whichever is longer. Both views use this period, so
    /// that each learner's events are read only once.
    private func periodOfAll(_ view: ReportView) -> ReportPeriod {
        let (own, whole) = (period(view), definition.cohort.map(period))
        return whole.map { $0.weeks > own.weeks ? $0 : own } ?? own
    }

    private func selectionOfAll(_ view: ReportView) -> FactSelection {
        selection(view).union(ReportTable.needs.facts).union(definition.cohort.map(selection) ?? [])
    }

    /// The results for some of the learners.
    private struct Share: Sendable {
        var entries: [Entry] = []
        /// The data for the report on all learners together.
        var facts: [LearnerFacts] = []
    }

    /// Writes the reports of some of the learners.
    private func share(
        _ learners: [LearnerFacts],
        _ format: ReportFormat,
        _ only: Set<String>?,
        _ write: (_ file: String, _ content: String) throws -> Void
    ) throws -> Share {
        let view = try learnerView()
        let desk = try ReportDesk(self, view, isOfOne: true)
        var share = Share()
        for facts in learners where facts.hasBegun && (request.cohort == nil || facts.cohort == request.cohort) {
            if let cohort = definition.cohort {
                share.facts.append(facts.narrowed(to: period(cohort), wants: selection(cohort)))
            }
            guard only?.contains(facts.learner) ?? true else { continue }
            let own = facts.narrowed(to: period(view), wants: selectionOfAll(view))
            if let entry = try self.write(own, format, desk, write) { share.entries.append(entry) }
        }
        return share
    }

    /// Writes the report on all learners together. Names in it link to the learners' own reports.
    /// - Returns: the name of the report's first file; nil if there is no such report.
    private func write(
        _ whole: ReportDesk?,
        _ entries: [Entry],
        _ format: ReportFormat,
        _ write: (_ file: String, _ content: String) throws -> Void
    ) throws -> String? {
        guard let whole, !entries.isEmpty else { return nil }
        var document = try whole.document(request.cohort)
        document.pages = Dictionary(entries.map { ($0.learner, $0.file) }) { first, _ in first }
        let files = format.files(document, whole.locale, base: FileName.everyone)
        for file in files { try write(file.name, file.content) }
        return files.first?.name
    }

    private func write(
        _ facts: LearnerFacts,
        _ format: ReportFormat,
        _ desk: ReportDesk,
        _ write: (_ file: String, _ content: String) throws -> Void
    ) throws -> Entry? {
        guard let document = try desk.document(facts),
            let track = facts.tracks.first(where: { $0.projection.language == request.language })
        else { return nil }
        let files = format.files(document, desk.locale, base: FileName.of(facts.learner))
        for file in files { try write(file.name, file.content) }
        let needs = LearnerNeeds(facts, track, period(desk.view))
        return Entry(
            learner: facts.learner,
            name: facts.displayName,
            file: files.first?.name ?? "",
            weekXP: track.weekXP,
            streak: track.projection.numbers.currentStreak,
            level: track.progress.numbers.level,
            need: needs.first,
            needs: needs.reasons.count
        )
    }

    private func index(_ entries: [Entry], _ view: ReportView, _ whole: String?, _ locale: LocaleText) -> IndexPage {
        let period = period(view)
        let end = period.end(clock: engine.plan.clock)
        let document = Document(
            name: definition.name,
            title: locale.texts.text(definition.title),
            subject: request.cohort.map(DocumentSubject.cohort) ?? .everyone,
            week: period.week.weekName(firstWeekday: engine.rules.calendar.weekStartsOn),
            weekStart: period.week,
            weekEnd: period.lastDay,
            language: request.language ?? "*",
            asOf: end ?? request.at,
            isUnfinished: end == nil,
            texts: locale.texts,
            sections: []
        )
        let rows = entries.map { entry in
            IndexPage.Row(
                file: entry.file,
                learner: entry.learner,
                name: entry.name,
                why: entry.need?.phrase,
                numbers: [entry.weekXP, Double(entry.streak), Double(entry.level)]
            )
        }
        return IndexPage(document: document, rows: rows, overallFile: whole, locale: locale)
    }
}

extension LearnerNeeds.Reason {
    /// The reason in words.
    var phrase: Phrase {
        switch self {
        case .away: .away
        case .behind: .behind
        case .stuck: .stuck
        case .streakLost: .streakLost
        case .back: .back
        }
    }
}
