// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// A table, and what its types and fields are to the hand-written rules.
final class HandWrittenTable {
    enum Kind { case line, review, word, practice, told, help, started, ended, adjusted, mended, frozen, passedOver }
    enum WordType { case none, encountered, learned }
    enum Field: String, CaseIterable {
        case accuracy, errors, durationMs, word, grade, mode, partner, kind, amount, date, source, id
    }

    let shared: EventTableReference
    /// Tells tables apart in keys of their texts' indexes.
    let stamp: UInt64
    /// Per type.
    let kinds: [Kind]
    let wordTypes: [WordType]
    let retraction: UInt32?
    let discard: UInt32?
    /// Per field.
    private let fields: [Field?]

    init(_ shared: EventTableReference, _ types: [String], stamp: UInt64) {
        self.shared = shared
        self.stamp = stamp
        kinds = types.map(HandWrittenTable.kind)
        wordTypes = types.map { $0 == "word.encountered" ? .encountered : $0 == "word.learned" ? .learned : .none }
        retraction = types.firstIndex(of: "event.retracted").map { UInt32($0) }
        discard = types.firstIndex(of: "session.discarded").map { UInt32($0) }
        let table = shared.table
        fields = (0..<table.fields.count).map { Field(rawValue: table.fields.string(UInt32($0))) }
    }

    private static func kind(_ type: String) -> Kind {
        switch type {
        case "line.spoken": .line
        case "review.graded": .review
        case "word.added", "word.encountered", "word.learned": .word
        case "scenario.completed", "conversation.ended": .practice
        case "error.detected": .told
        case "help.given": .help
        case "session.started": .started
        case "session.ended": .ended
        case "xp.adjusted": .adjusted
        case "streak.repaired": .mended
        case "streak.frozen": .frozen
        default: .passedOver
        }
    }

    /// Accuracy, errors and duration; NaN for none.
    @inline(__always)
    func line(_ columns: EventColumns, _ row: Int) -> (accuracy: Double, errors: Double, duration: Double) {
        var found = (accuracy: Double.nan, errors: Double.nan, duration: Double.nan)
        for place in Int(columns.valueStarts[row])..<Int(columns.valueStarts[row + 1]) {
            let value = columns.values[place]
            switch fields[Int(value.field)] {
            case .accuracy: found.accuracy = HandWrittenTable.number(value)
            case .errors: found.errors = HandWrittenTable.number(value)
            case .durationMs: found.duration = HandWrittenTable.number(value)
            default: break
            }
        }
        return found
    }

    func number(_ field: Field, _ columns: EventColumns, _ row: Int) -> Double {
        value(field, columns, row).map(HandWrittenTable.number) ?? .nan
    }

    /// Empty where there is none.
    func text(_ field: Field, _ columns: EventColumns, _ row: Int) -> UnsafeBufferPointer<UInt8> {
        guard let value = value(field, columns, row), case .text = value.kind else { return columns.text(0) }
        return columns.text(UInt32(truncatingIfNeeded: value.payload))
    }

    private func value(_ field: Field, _ columns: EventColumns, _ row: Int) -> EventValue? {
        for place in Int(columns.valueStarts[row])..<Int(columns.valueStarts[row + 1])
        where fields[Int(columns.values[place].field)] == field {
            return columns.values[place]
        }
        return nil
    }

    private static func number(_ value: EventValue) -> Double {
        switch value.kind {
        case .integer: Double(Int64(bitPattern: value.payload))
        case .double: Double(bitPattern: value.payload)
        default: .nan
        }
    }
}

/// The events of a learner that others take back.
struct HandWrittenVoids {
    private var retracted: Set<[UInt8]> = []
    private var discarded: Set<[UInt8]> = []

    var isEmpty: Bool { retracted.isEmpty && discarded.isEmpty }

    init(_ runs: some Sequence<(HandWrittenTable, EventRun)>) {
        let runs = Array(runs)
        for (bound, run) in runs {
            for row in run.rows where bound.retraction == run.table.type[row] {
                run.table.withColumns { columns in
                    let (source, id) = (bound.text(.source, columns, row), bound.text(.id, columns, row))
                    retracted.insert(source + [0] + id)
                }
            }
        }
        for (bound, run) in runs {
            for row in run.rows where bound.discard == run.table.type[row] && !isRetracted(run.table, row) {
                discarded.insert(Array(run.table.texts[run.table.session[row]]))
            }
        }
    }

    private func isRetracted(_ table: EventTable, _ row: Int) -> Bool {
        !retracted.isEmpty && retracted.contains(Array(table.texts[table.source[row]]) + [0] + table.identifier(row))
    }

    func contain(_ bound: HandWrittenTable, _ columns: EventColumns, _ row: Int) -> Bool {
        let table = bound.shared.table
        if !discarded.isEmpty, discarded.contains(Array(columns.text(columns.session[row]))) { return true }
        return isRetracted(table, row)
    }
}
