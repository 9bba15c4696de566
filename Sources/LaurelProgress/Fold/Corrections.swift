// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Corrections are collected before any event is folded, because retractions and discarded sessions can void events at
/// any position.
extension Fold {
    /// Records all corrections of a learner's events. If a `session.discarded` event is retracted, its session stays
    /// valid.
    package func noteCorrections(_ runs: [PlannedRows]) {
        for run in runs { run.bound.forEachRow(of: .eventRetracted, run.rows) { noteRetraction(run.bound, $0) } }
        for run in runs { run.bound.forEachRow(of: .sessionDiscarded, run.rows) { noteDiscard(run.bound, $0) } }
    }

    private func noteRetraction(_ bound: PlannedTable, _ row: Int) {
        let table = bound.table
        var source: ArraySlice<UInt8> = []
        var id: ArraySlice<UInt8> = []
        for value in table.values(of: row) where value.kind == .text {
            switch table.fields.string(value.field) {
            case "source": source = table.texts[UInt32(value.payload)]
            case "id": id = table.texts[UInt32(value.payload)]
            default: break
            }
        }
        Voids.key(source: source, id: id).withUnsafeBufferPointer { _ = state.voids.retracted.insert($0) }
    }

    private func noteDiscard(_ bound: PlannedTable, _ row: Int) {
        guard !state.voids.isRetracted(bound.table, row), bound.table.session[row] != 0 else { return }
        Array(bound.table.texts[bound.table.session[row]]).withUnsafeBufferPointer {
            _ = state.voids.discardedSessions.insert($0)
        }
    }
}
