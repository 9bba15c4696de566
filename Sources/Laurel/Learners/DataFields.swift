// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The texts and numbers of an event's data.
struct DataFields {
    private var values: [String: JSONValue] = [:]

    init(_ table: EventTable, _ row: Int) {
        for value in table.values(of: row) { values[table.fields.string(value.field)] = table.json(value) }
    }

    func text(_ name: String) -> String? {
        if case .string(let text)? = values[name] { text } else { nil }
    }

    /// An integer field; nil for other values. The catalogue limits integers to 2⁵³. Larger numbers from other sources
    /// are left out.
    func integer(_ name: String) -> Int? { values[name]?.wholeNumber }

    func number(_ name: String) -> Double? { values[name]?.number }

    func boolean(_ name: String) -> Bool? {
        if case .boolean(let value)? = values[name] { value } else { nil }
    }

    func date(_ name: String) -> LocalDay? { text(name).flatMap { LocalDay(parsing: $0.utf8) } }
}

extension JSONValue {
    var text: String? { if case .string(let text) = self { text } else { nil } }

    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    var wholeNumber: Int? { number.flatMap { Int(exactly: $0) } }
}
