import LaurelAdapters
import LaurelEvents
import LaurelProgress

/// The XP that an app says a learner had at an instant: an `xp.adjusted` whose amount is still to be found.
struct AppTotal {
    /// With an amount of 0.
    var event: Event
    var xp: Int64
    /// Which of its format's kinds it is.
    var kind: Int

    /// nil where a record is no total, or one that would be refused with an amount, too.
    init?(_ record: AdaptedRecord, clock: Int64) {
        guard case .total(let json, let xp) = record.outcome, case .object(var members)? = JSONValue(validated: json)
        else { return nil }
        var data: [String: JSONValue] = [:]
        if case .object(let fields)? = members["data"] { data = fields }
        data["amount"] = 0
        members["data"] = .object(data)
        var table = EventTable()
        var decoder = EventDecoder()
        let bytes = Array(JSONValue.object(members).json.utf8)
        guard case .ok = bytes.withUnsafeBufferPointer({ decoder.decode(line: $0, into: &table, clock: clock) }) else {
            return nil
        }
        event = table.event(at: 0)
        self.xp = xp
        kind = record.kind
    }
}

extension ProgressEngine {
    /// Adjusts XP by what apps' totals have beyond what the learners' events explain up to the instant of each.
    ///
    /// Apart from the ingest, after it: what the events are worth is known only when they are stored. Fed again, a total
    /// is explained by then, and nothing is adjusted; a total that is less than the events' stays without effect.
    func settle(_ totals: [AppTotal], _ report: inout IngestReport, now: Int64) throws {
        for total in totals {
            let event = total.event
            let progress = try progress(of: event.subject, language: event.language, at: event.time)
            let missing = Double(total.xp) - (progress?.totalXP ?? 0)
            guard missing >= 1 else {
                report.duplicates += 1
                report.count(.duplicates, of: total.kind)
                continue
            }
            var adjustment = event
            adjustment.id += "-\(Int64(missing))"
            adjustment.data["amount"] = .integer(Int64(missing))
            let outcome = try ingest([adjustment], now: now)
            report.stored += outcome.stored
            report.duplicates += outcome.duplicates + outcome.conflicts
            report.count(outcome.stored > 0 ? .stored : .duplicates, of: total.kind)
        }
    }
}
