// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules

/// The event being folded, for collectors. The reference to the event is created only when it is needed.
struct ObservedEvent {
    let table: EventTable
    let row: Int
    let local: LocalTime
    let kind: EventKind
    private let flag: FlagState

    init(_ table: EventTable, _ row: Int, _ event: EventContext) {
        self.table = table
        self.row = row
        local = event.local
        kind = event.kind
        flag = event.flag
    }

    var data: DataFields { DataFields(table, row) }

    func reference(_ plan: VersionPlan) -> EventReference {
        var reference = EventReference(table, row, local, defaultTimezone: plan.rules.calendar.defaultTimezone)
        if flag != .plausible, let limit = plan.rules.plausible.first(where: { $0.type == reference.type }) {
            reference.flag = .init(atMost: limit.atMost, per: limit.span.rawValue, isCleared: flag == .cleared)
        }
        return reference
    }
}

extension EventTable {
    /// True if an event belongs to the track of a language. If `language` is nil, the track is the overall track, and
    /// the result is always true.
    func isOf(_ language: [UInt8]?, _ row: Int) -> Bool {
        guard let language else { return true }
        return languageTag(row) == language
    }
}

extension EventReference {
    fileprivate init(_ table: EventTable, _ row: Int, _ local: LocalTime, defaultTimezone: String) {
        func text(_ index: UInt32) -> String? { index == 0 ? nil : table.texts.string(index) }
        var zone = text(table.timezone[row]) ?? defaultTimezone
        if table.timezone[row] == 0, let offset = WrittenOffset(code: table.offsets[row]).text { zone = offset }
        self.init(
            time: Date(milliseconds: table.milliseconds[row]),
            day: local.day,
            zone: zone,
            source: table.texts.string(table.source[row]),
            id: String(decoding: table.identifier(row), as: UTF8.self),
            type: table.types.string(table.type[row])
        )
        session = text(table.session[row])
        language = table.languageTag(row).map { String(decoding: $0, as: UTF8.self) }
        secondsFromGMT = Int(local.offset)
    }

    /// Creates a reference to an event that corrections void.
    init(
        void table: EventTable,
        _ row: Int,
        _ reason: LaurelProgress.VoidReason,
        _ clock: inout LocalClock,
        _ plan: VersionPlan
    ) {
        let local = clock.localTime(of: row, in: table)
        self.init(table, row, local, defaultTimezone: plan.rules.calendar.defaultTimezone)
        switch reason {
        case .retracted: void = .retracted
        case .sessionDiscarded: void = .sessionDiscarded
        }
    }
}
