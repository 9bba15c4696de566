// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules

/// Collects sessions with their statistics. Sessions begin and end as in the fold's overall track.
final class SessionCollector: FoldObserver {
    private struct Open {
        var record: SessionReport
        var lastEventAt: Int64
        var startedAt: Int64?
        var lineErrors = 0
        var detectedErrors = 0
        /// The number of errors mentioned only in an app's statistics.
        var reportedErrors = 0
        /// Lines of the dialog by id. They are needed for spoken lines whose events do not contain the text.
        var texts: [String: (role: String?, text: String?, translation: String?)] = [:]
        /// The XP by the bucket's name.
        var xp: [[UInt8]: Double] = [:]
    }

    private var plan: VersionPlan
    /// Open sessions by the bytes of their id. In Swift, strings that differ only in their Unicode normal form are
    /// equal, but they are different ids.
    private var running: [[UInt8]: Open] = [:]
    private var over: [Open] = []
    private var current: [UInt8]?
    private var currentEnds = false
    private var currentTime: Int64 = 0
    private var isFlagged = false
    /// True if the sessions' XP leaves out flagged XP.
    private let leavesOutFlagged: Bool
    /// The word that the current event is about.
    private var currentWord: SessionReport.NewWord?

    init(plan: FoldPlan, leavingOutFlagged leavesOutFlagged: Bool = false) {
        (self.plan, self.leavesOutFlagged) = (plan.versions[0], leavesOutFlagged)
    }

    func didSwitchVersion(to plan: VersionPlan) { self.plan = plan }

    func records() -> [SessionReport] {
        closeCurrent()
        return (over + running.values).map(finished).sorted {
            $0.startedAt != $1.startedAt
                ? $0.startedAt > $1.startedAt : $0.id.utf8.lexicographicallyPrecedes($1.id.utf8)
        }
    }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        closeCurrent()
        guard table.session[row] != 0 else { return }
        let id = Array(table.texts[table.session[row]])
        if let known = running[id], event.time - known.lastEventAt > SessionCollector.gap {
            over.append(known)
            running[id] = nil
        }
        var session =
            running[id]
            ?? Open(
                record: SessionReport(
                    Session(id: String(decoding: id, as: UTF8.self), startedAt: Date(milliseconds: event.time))
                ),
                lastEventAt: event.time
            )
        session.lastEventAt = event.time
        if session.record.language == nil {
            session.record.language = table.languageTag(row).map { String(decoding: $0, as: UTF8.self) }
        }
        let fields = DataFields(table, row)
        take(fields, table.types.string(table.type[row]), event, &session)
        running[id] = session
        current = id
        currentTime = event.time
        isFlagged = event.flag == .flagged
        currentWord = fields.text("word").map {
            SessionReport.NewWord(id: $0, text: fields.text("text"), translation: fields.text("translation"))
        }
        currentEnds = event.kind == .sessionEnded
    }

    func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double) {
        guard language == nil, let current, !(isFlagged && leavesOutFlagged) else { return }
        running[current]?.xp[Array(plan.buckets[bucket].utf8), default: 0] += amount
        running[current]?.record.xpReachedAt = Date(milliseconds: currentTime)
    }

    func didChangeWord(_ word: WordOutcome) {
        guard word.isNew, let current else { return }
        running[current]?.record.newVocabulary += 1
        if let currentWord { running[current]?.record.newWords.append(currentWord) }
    }

    /// Ends the current session if the last event ended it. Call it at the next event, because an event's XP is
    /// credited after the event.
    private func closeCurrent() {
        if currentEnds, let current, let session = running.removeValue(forKey: current) { over.append(session) }
        current = nil
        currentEnds = false
    }

    private func finished(_ session: Open) -> SessionReport {
        var record = session.record
        for index in record.lines.indices {
            guard let line = record.lines[index].line, let known = session.texts[line] else { continue }
            record.lines[index].role = record.lines[index].role ?? known.role
            record.lines[index].text = record.lines[index].text ?? known.text
            record.lines[index].translation = record.lines[index].translation ?? known.translation
        }
        record.errorsDetected = max(session.detectedErrors, session.lineErrors, session.reportedErrors)
        record.xpBreakdown = NumbersByName(
            session.xp.filter { $0.value != 0 }
                .map { NumbersByName.Element(name: String(decoding: $0.key, as: UTF8.self), value: $0.value) }
                .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        )
        record.xpEarned = Int(whole: session.xp.values.reduce(0, +))
        let accuracies = record.lines.compactMap(\.accuracy)
        record.accuracy = accuracies.isEmpty ? nil : accuracies.reduce(0, +) / Double(accuracies.count)
        record.linesSkipped = record.lines.count(where: \.isSkipped)
        return record
    }

    /// The maximum gap between events of a session in milliseconds: one day, as in the fold.
    private static let gap: Int64 = 86_400_000
}

// MARK: Data of an event

extension SessionCollector {
    private func take(_ fields: DataFields, _ type: String, _ event: EventContext, _ session: inout Open) {
        switch type {
        case "session.started":
            session.startedAt = event.time
            session.record.mode = fields.text("mode")
            session.record.scenario = fields.text("scenario")
            session.record.partner = fields.text("partner")
        case "session.ended":
            session.record.endedAt = Date(milliseconds: event.time)
            session.record.mode = fields.text("mode") ?? session.record.mode
            session.record.scenario = fields.text("scenario") ?? session.record.scenario
            session.record.partner = fields.text("partner") ?? session.record.partner
            session.record.durationMs =
                fields.integer("durationMs") ?? session.startedAt.map { Int(event.time - $0) }
            // An app may count more words than it lists by name.
            session.record.wordsEncountered = max(
                session.record.wordsEncountered,
                fields.integer("wordsEncountered") ?? 0
            )
        case "line.spoken":
            session.record.linesSpoken += 1
            session.lineErrors = session.lineErrors.saturatingAdd(fields.integer("errors") ?? 0)
            session.record.lines.append(line(fields, event, skipped: false))
        case "line.added":
            guard let line = fields.text("line") else { return }
            session.texts[line] = (fields.text("role"), fields.text("text"), fields.text("translation"))
        case "line.skipped": session.record.lines.append(line(fields, event, skipped: true))
        case "word.encountered":
            session.record.wordsEncountered = session.record.wordsEncountered.saturatingAdd(
                fields.integer("count") ?? 1
            )
        case "error.detected" where fields.text("kind") == "statistics": session.reportedErrors += 1
        case "error.detected":
            session.detectedErrors += 1
            session.record.mistakes.append(mistake(fields, event, isCorrection: false))
        case "error.corrected":
            session.record.errorsCorrected += 1
            session.record.mistakes.append(mistake(fields, event, isCorrection: true))
        default: count(fields, type, &session.record)
        }
    }

    private func count(_ fields: DataFields, _ type: String, _ record: inout SessionReport) {
        switch type {
        case "review.graded": record.reviews += 1
        case "hint.used": record.hintsUsed += 1
        case "repair.made": if fields.boolean("helped") ?? true { record.repairsMade += 1 }
        case "help.given": record.helpGiven += 1
        default: break
        }
    }

    private func mistake(_ fields: DataFields, _ event: EventContext, isCorrection: Bool) -> SessionReport.Mistake {
        var mistake = SessionReport.Mistake(time: Date(milliseconds: event.time))
        mistake.kind = fields.text("kind")
        mistake.original = fields.text("original")
        mistake.corrected = fields.text("corrected")
        mistake.line = fields.text("line")
        mistake.isCorrection = isCorrection
        return mistake
    }

    private func line(_ fields: DataFields, _ event: EventContext, skipped: Bool) -> SessionReport.DialogLine {
        var line = SessionReport.DialogLine(time: Date(milliseconds: event.time))
        line.line = fields.text("line")
        line.role = fields.text("role")
        line.text = fields.text("text")
        line.translation = fields.text("translation")
        line.accuracy = fields.number("accuracy")
        line.errors = fields.integer("errors")
        line.isSkipped = skipped
        return line
    }
}

extension Int {
    /// The sum, bounded by `Int.max`, so that extreme counts cannot crash the process.
    func saturatingAdd(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
