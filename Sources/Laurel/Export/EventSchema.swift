// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The columns of a table with the events of one type.
///
/// The attributes come first, then a column for each field of the catalogue. The column `data` has all other fields as
/// one JSON object. The column `extensions` has all other attributes. A value that does not have its column's type is
/// also in `data`. Such values are possible if the event was stored before the catalogue had the type.
struct EventSchema {
    enum Kind {
        case text, integer, number, boolean
        /// A time in milliseconds since 1970, UTC.
        case instant
        /// A list or an object, as JSON.
        case json
    }

    struct Column {
        let name: String
        let kind: Kind
        var isRequired = false
    }

    enum Cell: Equatable {
        case null
        case text([UInt8])
        case integer(Int64)
        case number(Double)
        case boolean(Bool)
        /// Milliseconds since 1970, UTC.
        case instant(Int64)
    }

    /// The name of the event type.
    let type: String
    let columns: [Column]
    /// The index of each field's column.
    private let fields: [[UInt8]: Int]

    private static let attributes = [
        Column(name: "id", kind: .text, isRequired: true), Column(name: "source", kind: .text, isRequired: true),
        Column(name: "subject", kind: .text, isRequired: true), Column(name: "time", kind: .instant, isRequired: true),
        // The offset in `time`, in minutes east of UTC; null for `Z` and `-00:00`.
        Column(name: "offsetMinutes", kind: .integer), Column(name: "language", kind: .text),
        Column(name: "session", kind: .text), Column(name: "timezone", kind: .text),
    ]

    /// - Parameter type: the name of a type, which the catalogue need not have.
    init(type: String) {
        self.type = type
        let known = Catalogue.type(named: type)?.fields ?? []
        let first = Self.attributes.count
        fields = Dictionary(
            uniqueKeysWithValues: known.enumerated().map { (Array($0.element.name.utf8), first + $0.offset) }
        )
        let others = ["data", "extensions"].map { Column(name: $0, kind: .json) }
        columns = Self.attributes + known.map(Self.column) + others
    }

    private static func column(_ field: Field) -> Column {
        // Retractions have fields with the same names as attributes.
        let isTaken = attributes.contains { $0.name == field.name }
        return Column(name: isTaken ? "data_\(field.name)" : field.name, kind: kind(field))
    }

    private static func kind(_ field: Field) -> Kind {
        switch field.type {
        case .text, .date: .text
        case .boolean: .boolean
        case .instant: .instant
        case .textList, .numberList: .json
        case .number: if case .integer = field.constraint { .integer } else { .number }
        }
    }

    /// The event's cells, one for each column.
    func cells(of event: ExportedEvent) -> [Cell] {
        var cells = [Cell](repeating: .null, count: columns.count)
        func put(_ index: Int, _ text: [UInt8]?) { if let text { cells[index] = .text(text) } }
        put(0, event.id)
        put(1, event.source)
        put(2, event.subject)
        cells[3] = .instant(event.time.milliseconds)
        if case .minutes(let minutes) = event.time.offset { cells[4] = .integer(Int64(minutes)) }
        put(5, event.language)
        put(6, event.session)
        put(7, event.timezone)
        var others: ExportedEvent.Members = []
        for member in event.data {
            if let index = fields[member.key], let cell = Self.cell(member.value, columns[index].kind) {
                cells[index] = cell
            } else {
                others.append(member)
            }
        }
        put(columns.count - 2, Self.json(others))
        put(columns.count - 1, Self.json(event.extensions))
        return cells
    }

    private static func json(_ members: ExportedEvent.Members) -> [UInt8]? {
        members.isEmpty ? nil : JSONTree.object(members).bytes
    }

    /// The cell of a value; nil if the value does not have the column's type.
    private static func cell(_ value: JSONTree, _ kind: Kind) -> Cell? {
        switch (kind, value) {
        case (_, .null): .null
        case (.text, .string(let text)): .text(text)
        case (.integer, .integer(let number)): .integer(number)
        case (.integer, .double(let number)): Int64(exactly: number).map { .integer($0) }
        case (.number, .integer(let number)): Double(exactly: number).map { .number($0) }
        case (.number, .double(let number)): .number(number)
        case (.number, .spelled(let digits)): number(digits)
        case (.boolean, .yes): .boolean(true)
        case (.boolean, .no): .boolean(false)
        case (.instant, .string(let text)): instant(text)
        case (.json, .array), (.json, .object): .text(value.bytes)
        default: nil
        }
    }

    /// The number as the nearest double, as other JSON readers read it; nil if the number is too large for a double.
    private static func number(_ digits: [UInt8]) -> Cell? {
        guard let number = Double(String(decoding: digits, as: UTF8.self)), number.isFinite else { return nil }
        return .number(number)
    }

    private static func instant(_ text: [UInt8]) -> Cell? {
        (try? Timestamp(String(decoding: text, as: UTF8.self))).map { .instant($0.milliseconds) }
    }
}

extension JSONTree {
    /// The value as JSON on one line.
    fileprivate var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }
}
