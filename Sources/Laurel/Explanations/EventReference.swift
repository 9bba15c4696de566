import LaurelEvents
package import LaurelProgress
import LaurelRules

/// The event that something is due to.
package struct EventReference: Sendable, Equatable {
    /// Milliseconds since 1970.
    package var time: Int64
    package var id: String
    package var source: String
    package var type: String
    package var session: String?
    package var language: String?
    /// The learner's local day, and seconds east of UTC on the wall clock.
    package var day: LocalDay
    package var offset: Int32
    /// What says so: the event's timezone, the offset written in its time, or the rules' default timezone.
    package var zone: String
    /// Where a correction voids the event: which.
    package var void: VoidReason?

    init(_ table: EventTable, _ row: Int, _ local: LocalTime, defaultTimezone: String, void: VoidReason? = nil) {
        func text(_ index: UInt32) -> String? { index == 0 ? nil : table.texts.string(index) }
        time = table.milliseconds[row]
        id = String(decoding: table.identifier(row), as: UTF8.self)
        source = table.texts.string(table.source[row])
        type = table.types.string(table.type[row])
        session = text(table.session[row])
        language = text(table.language[row])
        day = local.day
        offset = local.offset
        zone = text(table.timezone[row]) ?? defaultTimezone
        if table.timezone[row] == 0, case .minutes(let minutes) = WrittenOffset(code: table.offsets[row]) {
            zone = EventReference.spell(offset: Int32(minutes) * 60)
        }
        self.void = void
    }

    /// `+05:30`.
    package static func spell(offset seconds: Int32) -> String {
        func twoDigits(_ number: UInt32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = seconds.magnitude / 60
        return "\(seconds < 0 ? "-" : "+")\(twoDigits(minutes / 60)):\(twoDigits(minutes % 60))"
    }
}

/// The event being folded, for collectors; a reference to it is made only where it is needed.
struct EventAtHand {
    let table: EventTable
    let row: Int
    let local: LocalTime
    let kind: EventKind

    init(_ table: EventTable, _ row: Int, _ event: EventContext) {
        self.table = table
        self.row = row
        local = event.local
        kind = event.kind
    }

    var data: DataFields { DataFields(table, row) }

    func reference(_ plan: VersionPlan) -> EventReference {
        EventReference(table, row, local, defaultTimezone: plan.rules.calendar.defaultTimezone)
    }
}

extension EventTable {
    /// Whether a row carries the language; every row belongs to the overall track, nil.
    func isOf(_ language: [UInt8]?, _ row: Int) -> Bool {
        guard let language else { return true }
        return self.language[row] != 0 && texts[self.language[row]].elementsEqual(language)
    }
}

extension EventReference {
    /// Of an event that corrections void.
    init(void table: EventTable, _ row: Int, _ reason: VoidReason, _ clock: inout LocalClock, _ plan: VersionPlan) {
        self.init(
            table,
            row,
            clock.localTime(of: row, in: table),
            defaultTimezone: plan.rules.calendar.defaultTimezone,
            void: reason
        )
    }
}
