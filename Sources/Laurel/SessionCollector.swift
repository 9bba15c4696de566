import LaurelEvents
import LaurelProgress
import LaurelRules

/// Gathers sessions with their statistics, as the fold's overall track delimits them.
final class SessionCollector: FoldObserver {
    private struct Open {
        var record: SessionRecord
        var lastEventAt: Int64
        var startedAt: Int64?
        var lineErrors = 0
        var detectedErrors = 0
        var xp: [Int: Double] = [:]
    }

    private let plan: FoldPlan
    /// By the id's bytes: Swift's strings are equal where only their Unicode normal form differs.
    private var running: [[UInt8]: Open] = [:]
    private var over: [Open] = []
    private var current: [UInt8]?
    private var currentEnds = false

    init(plan: FoldPlan) { self.plan = plan }

    func records() -> [SessionRecord] {
        closeCurrent()
        return (over + running.values).map(finished).sorted {
            $0.startedAt != $1.startedAt
                ? $0.startedAt > $1.startedAt : $0.sessionId.utf8.lexicographicallyPrecedes($1.sessionId.utf8)
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
                record: SessionRecord(sessionId: String(decoding: id, as: UTF8.self), startedAt: event.time),
                lastEventAt: event.time
            )
        session.lastEventAt = event.time
        if table.language[row] != 0, session.record.language == nil {
            session.record.language = table.texts.string(table.language[row])
        }
        take(DataFields(table, row), table.types.string(table.type[row]), event, &session)
        running[id] = session
        current = id
        currentEnds = event.kind == .sessionEnded
    }

    func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double) {
        guard language == nil, let current else { return }
        running[current]?.xp[bucket, default: 0] += amount
    }

    func didChangeWord(_ word: WordOutcome) {
        guard word.isNew, let current else { return }
        running[current]?.record.newVocabulary += 1
    }

    /// What the last event ended is over only now, for its XP came after it.
    private func closeCurrent() {
        if currentEnds, let current, let session = running.removeValue(forKey: current) { over.append(session) }
        current = nil
        currentEnds = false
    }

    private func finished(_ session: Open) -> SessionRecord {
        var record = session.record
        record.errorsDetected = max(session.detectedErrors, session.lineErrors)
        record.xpBreakdown = session.xp.filter { $0.value != 0 }
            .map { NamedNumber(name: plan.buckets[$0.key], value: $0.value) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        record.xpEarned = session.xp.values.reduce(0, +)
        return record
    }

    /// As for the fold's own sessions: one day, in milliseconds.
    private static let gap: Int64 = 86_400_000
}

// MARK: What an event tells

extension SessionCollector {
    private func take(_ fields: DataFields, _ type: String, _ event: EventContext, _ session: inout Open) {
        switch type {
        case "session.started":
            session.startedAt = event.time
            session.record.mode = fields.text("mode")
            session.record.scenarioId = fields.text("scenario")
            session.record.partner = fields.text("partner")
        case "session.ended":
            session.record.endedAt = event.time
            session.record.mode = fields.text("mode") ?? session.record.mode
            session.record.scenarioId = fields.text("scenario") ?? session.record.scenarioId
            session.record.partner = fields.text("partner") ?? session.record.partner
            session.record.durationMs =
                fields.integer("durationMs").map { Int64($0) } ?? session.startedAt.map { event.time - $0 }
        case "line.spoken":
            session.record.linesSpoken += 1
            session.lineErrors = session.lineErrors.saturatingAdd(fields.integer("errors") ?? 0)
            session.record.lines.append(line(fields, event, skipped: false))
        case "line.skipped": session.record.lines.append(line(fields, event, skipped: true))
        case "word.encountered":
            session.record.wordsEncountered = session.record.wordsEncountered.saturatingAdd(
                fields.integer("count") ?? 1
            )
        case "error.detected": session.detectedErrors += 1
        case "error.corrected": session.record.errorsCorrected += 1
        default: break
        }
    }

    private func line(_ fields: DataFields, _ event: EventContext, skipped: Bool) -> SessionRecord.DialogLine {
        SessionRecord.DialogLine(
            time: event.time,
            line: fields.text("line"),
            role: fields.text("role"),
            text: fields.text("text"),
            translation: fields.text("translation"),
            accuracy: fields.number("accuracy"),
            errors: fields.integer("errors"),
            skipped: skipped
        )
    }
}

extension Int {
    /// No sum of counts, however absurd, ends the process.
    func saturatingAdd(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
