// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Corrections are collected before any event is folded, because retractions and discarded sessions can void events at
/// any position, and flags can be cleared at any position.
extension Fold {
    /// Records all corrections of a learner's events. If a `session.discarded` event is retracted, its session stays
    /// valid.
    package func noteCorrections(_ runs: [PlannedRows]) {
        for run in runs { run.bound.forEachRow(of: .eventRetracted, run.rows) { noteRetraction(run.bound, $0) } }
        for run in runs { run.bound.forEachRow(of: .sessionDiscarded, run.rows) { noteDiscard(run.bound, $0) } }
        for run in runs { run.bound.forEachRow(of: .flagCleared, run.rows) { noteClearance(run.bound, $0) } }
    }

    private func noteRetraction(_ bound: PlannedTable, _ row: Int) {
        key(named: bound.table, row).withUnsafeBufferPointer { _ = state.voids.retracted.insert($0) }
    }

    private func noteClearance(_ bound: PlannedTable, _ row: Int) {
        guard !state.voids.isRetracted(bound.table, row) else { return }
        key(named: bound.table, row).withUnsafeBufferPointer { _ = state.plausibility.cleared.insert($0) }
    }

    /// The key of the event that a correction refers to.
    private func key(named table: EventTable, _ row: Int) -> [UInt8] {
        var source: ArraySlice<UInt8> = []
        var id: ArraySlice<UInt8> = []
        for value in table.values(of: row) where value.kind == .text {
            switch table.fields.string(value.field) {
            case "source": source = table.texts[UInt32(value.payload)]
            case "id": id = table.texts[UInt32(value.payload)]
            default: break
            }
        }
        return Voids.key(source: source, id: id)
    }

    private func noteDiscard(_ bound: PlannedTable, _ row: Int) {
        guard !state.voids.isRetracted(bound.table, row), bound.table.session[row] != 0 else { return }
        Array(bound.table.texts[bound.table.session[row]]).withUnsafeBufferPointer {
            _ = state.voids.discardedSessions.insert($0)
        }
    }
}
