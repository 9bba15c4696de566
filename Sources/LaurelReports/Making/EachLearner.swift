// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules

/// A report per learner, and an index of them.
extension ReportMaker {
    /// What was written about a learner.
    private struct Entry: Sendable {
        var learner: String
        var name: String?
        var file: String
        var weekXP: Double
        var streak: Int
        var level: Int
    }

    /// Makes the report of every learner, or of every one of the cohort, on all cores.
    ///
    /// - Parameters:
    ///   - format: of the reports and of the index.
    ///   - observe: Told how many learners of how many were looked at.
    ///   - write: Called on several threads at once with a file's name and content, each name once.
    /// - Returns: how many reports were written. Learners without events up to then, or without any in the language asked
    ///   for, get none.
    /// - Throws: ``ReportProblem``, ``ReportError`` where a query fails, `EngineError`, and what `write` throws.
    @discardableResult
    public func each(
        _ format: ReportFormat,
        observe: (_ done: Int, _ total: Int) -> Void = { _, _ in },
        write: @escaping @Sendable (_ file: String, _ content: String) throws -> Void
    ) throws -> Int {
        try EngineError.passing { try writeEach(format, observe: observe, write: write) }
    }

    private func writeEach(
        _ format: ReportFormat,
        observe: (_ done: Int, _ total: Int) -> Void,
        write: @escaping @Sendable (_ file: String, _ content: String) throws -> Void
    ) throws -> Int {
        let view = try learnerView()
        var entries: [Entry] = []
        try engine.mapFacts(period(view), wants: selection(view)) { learners in
            let desk = try ReportDesk(self, view)
            return try learners.compactMap { facts in try self.write(facts, format, desk, write) }
        } receive: { written, done, total in
            entries += written
            observe(done, total)
        }
        entries.sort { $0.learner.utf8.lexicographicallyPrecedes($1.learner.utf8) }
        let desk = try ReportDesk(self, view)
        for (suffix, content) in index(entries, view, desk.locale).files(format) {
            try write("index" + suffix, content)
        }
        return entries.count
    }

    private func write(
        _ facts: LearnerFacts,
        _ format: ReportFormat,
        _ desk: ReportDesk,
        _ write: (_ file: String, _ content: String) throws -> Void
    ) throws -> Entry? {
        guard facts.hasBegun, request.cohort == nil || facts.cohort == request.cohort,
            let document = try desk.document(facts),
            let track = facts.tracks.first(where: { $0.projection.language == request.language })
        else { return nil }
        let base = FileName.of(facts.learner)
        var first = base
        for (place, file) in format.files(document, desk.locale).enumerated() {
            if place == 0 { first = base + file.suffix }
            try write(base + file.suffix, file.content)
        }
        return Entry(
            learner: facts.learner,
            name: facts.displayName,
            file: first,
            weekXP: track.weekXP,
            streak: track.projection.currentStreak,
            level: track.progress.currentLevel
        )
    }

    private func index(_ entries: [Entry], _ view: ReportView, _ locale: LocaleText) -> IndexPage {
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
                numbers: [entry.weekXP, Double(entry.streak), Double(entry.level)]
            )
        }
        return IndexPage(document: document, rows: rows, locale: locale)
    }
}
