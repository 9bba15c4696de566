// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// A table, with its types and fields as the hand-written rules use them.
final class HandWrittenTable {
    enum Kind { case line, review, word, practice, told, help, started, ended, adjusted, mended, frozen, passedOver }
    enum WordType { case none, encountered, learned }
    enum Field: String, CaseIterable {
        case accuracy, errors, durationMs, word, grade, mode, partner, kind, amount, date, source, id
    }

    let shared: EventTableReference
    /// A number that differs between tables, for keys that are made from it and from the index of a text.
    let stamp: UInt64
    /// The kinds, by type.
    let kinds: [Kind]
    let wordTypes: [WordType]
    let retraction: UInt32?
    let discard: UInt32?
    /// The fields, by index.
    private let fields: [Field?]
    /// For each text, the index of the word with that id among the words of the latest learner.
    private var wordPlaces: [WordPlace]

    init(_ shared: EventTableReference, _ types: [String], stamp: UInt64) {
        self.shared = shared
        self.stamp = stamp
        kinds = types.map(HandWrittenTable.kind)
        wordTypes = types.map { $0 == "word.encountered" ? .encountered : $0 == "word.learned" ? .learned : .none }
        retraction = types.firstIndex(of: "event.retracted").map { UInt32($0) }
        discard = types.firstIndex(of: "session.discarded").map { UInt32($0) }
        let table = shared.table
        fields = (0..<table.fields.count).map { Field(rawValue: table.fields.string(UInt32($0))) }
        wordPlaces = Array(repeating: WordPlace(), count: table.texts.count + 1)
    }

    private struct WordPlace {
        var learner: UInt32 = 0
        var language: UInt32 = 0
        var place: Int32 = 0
    }

    /// - Parameter find: looks up the word by name; called if the latest call was for another learner or language.
    func placeOfWord(_ word: UInt32, in language: UInt32, of learner: UInt32, find: () -> Int) -> Int {
        let known = wordPlaces[Int(word)]
        if known.learner == learner, known.language == language { return Int(known.place) }
        let place = find()
        wordPlaces[Int(word)] = WordPlace(learner: learner, language: language, place: Int32(place))
        return place
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

    /// The accuracy, errors and duration; NaN if absent.
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

    /// The text; empty if absent.
    func text(_ field: Field, _ columns: EventColumns, _ row: Int) -> UnsafeBufferPointer<UInt8> {
        columns.text(textIndex(field, columns, row))
    }

    /// The text's index; 0, the empty text, if absent.
    func textIndex(_ field: Field, _ columns: EventColumns, _ row: Int) -> UInt32 {
        guard let value = value(field, columns, row), case .text = value.kind else { return 0 }
        return UInt32(truncatingIfNeeded: value.payload)
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

/// The corrections of a learner's events.
struct HandWrittenVoids {
    private var retracted: Set<[UInt8]> = []
    private var discarded: Set<[UInt8]> = []
    /// For each retracted id, bit n % 64 is set, where n is the number at the end of the id. An event whose bit is
    /// not set is not retracted, so most events need no further check.
    private var retractedNumbers: UInt64 = 0
    /// The latest session.
    private var session: UInt32?
    private var isDiscarded = false

    var isEmpty: Bool { retracted.isEmpty && discarded.isEmpty }

    init(_ runs: some Sequence<(HandWrittenTable, EventRun)>) {
        let runs = Array(runs)
        for (bound, run) in runs where bound.retraction != nil {
            run.table.withColumns { columns in
                for row in run.rows where bound.retraction == columns.type[row] {
                    let (source, id) = (bound.text(.source, columns, row), bound.text(.id, columns, row))
                    retracted.insert(source + [0] + id)
                    retractedNumbers |= 1 << (EventIdentifier.split(id).number & 63)
                }
            }
        }
        for (bound, run) in runs where bound.discard != nil {
            let table = run.table
            table.withColumns { columns in
                for row in run.rows where bound.discard == columns.type[row] && !isRetracted(table, row) {
                    discarded.insert(Array(columns.text(columns.session[row])))
                }
            }
        }
    }

    private func isRetracted(_ table: EventTable, _ row: Int) -> Bool {
        !retracted.isEmpty && retracted.contains(Array(table.texts[table.source[row]]) + [0] + table.identifier(row))
    }

    mutating func leaveTable() { session = nil }

    mutating func contain(_ bound: HandWrittenTable, _ columns: EventColumns, _ row: Int) -> Bool {
        if columns.session[row] != session {
            session = columns.session[row]
            isDiscarded = discarded.contains(Array(columns.text(columns.session[row])))
        }
        if isDiscarded { return true }
        let mayBeRetracted = retractedNumbers & 1 << (columns.identifiers[row].number & 63) != 0
        return mayBeRetracted && isRetracted(bound.shared.table, row)
    }
}
