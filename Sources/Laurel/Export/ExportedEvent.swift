// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// A stored event, taken apart for an export.
struct ExportedEvent {
    /// The members of a JSON object, in the order in which they were sent.
    typealias Members = [(key: [UInt8], value: JSONTree)]

    var id: [UInt8]
    var source: [UInt8]
    var type: [UInt8]
    /// The learner's id.
    var subject: [UInt8]
    var time: Timestamp
    /// The language in canonical case; nil if the event has none.
    var language: [UInt8]?
    var session: [UInt8]?
    var timezone: [UInt8]?
    /// The fields of `data`; empty if the event has no `data`.
    var data: Members
    /// The attributes that Laurel does not know.
    var extensions: Members

    init(_ table: EventTable, _ row: Int, subject: [UInt8]) {
        func text(_ index: UInt32) -> [UInt8]? { index == 0 ? nil : Array(table.texts[index]) }
        id = table.identifier(row)
        source = Array(table.texts[table.source[row]])
        type = Array(table.types[table.type[row]])
        self.subject = subject
        time = table.timestamp(row)
        language = table.languageTag(row)
        session = text(table.session[row])
        timezone = text(table.timezone[row])
        data = table.values(of: row).map { (Array(table.fields[$0.field]), table.tree($0)) }
        let others = text(table.extensions[row]).flatMap { JSONTree(validated: $0) }
        if case .object(let members)? = others { extensions = members } else { extensions = [] }
    }
}

extension EventTable {
    /// A field's value as JSON.
    fileprivate func tree(_ value: EventValue) -> JSONTree {
        switch value.kind {
        case .null: .null
        case .no: .no
        case .yes: .yes
        case .integer: .integer(Int64(bitPattern: value.payload))
        case .double: .double(Double(bitPattern: value.payload))
        case .text: .string(Array(texts[UInt32(value.payload)]))
        case .spelled: .spelled(Array(texts[UInt32(value.payload)]))
        case .json: JSONTree(validated: texts[UInt32(value.payload)]) ?? .null
        }
    }
}

extension ProgressEngine {
    /// Calls a function for each stored event. Learners come one after another, each with the events in the learner's
    /// order.
    /// - Parameter id: the only learner; nil for all.
    /// - Returns: the number of events; nil for an unknown learner.
    func forEachExportedEvent(of id: String?, _ body: (ExportedEvent) throws -> Void) throws -> Int? {
        try store.read { reader in
            var events = 0
            func export(_ learner: LearnerRecord, _ runs: [EventRun]) throws {
                try Cancellation.check()
                for run in runs.inLearnerOrder {
                    let table = run.table
                    for row in run.rows { try body(ExportedEvent(table, row, subject: learner.subject)) }
                    events += run.rows.count
                }
            }
            guard let id else {
                for ids in try reader.learnerRanges() { try reader.forEachLearner(ids: ids, export) }
                return events
            }
            guard let learner = try reader.learner(named: Array(id.utf8)) else { return nil }
            try export(learner, try reader.events(of: learner.id))
            return events
        }
    }
}
