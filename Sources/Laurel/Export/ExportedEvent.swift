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

extension ExportedEvent {
    /// Appends the event as one line of CloudEvents JSON, without the line end.
    func write(to output: inout [UInt8]) {
        func put(_ name: StaticString, _ text: [UInt8]?) {
            guard let text else { return }
            JSONWriter.write(name, to: &output)
            JSONWriter.write(string: text, to: &output)
        }
        put("{\"id\":", id)
        put(",\"source\":", source)
        put(",\"type\":", type)
        put(",\"subject\":", subject)
        put(",\"time\":", Array(time.description.utf8))
        put(",\"language\":", language)
        put(",\"session\":", session)
        put(",\"timezone\":", timezone)
        if !data.isEmpty {
            JSONWriter.write(",\"data\":", to: &output)
            JSONTree.object(data).write(to: &output)
        }
        for member in extensions {
            output.append(UInt8(ascii: ","))
            JSONWriter.write(string: member.key, to: &output)
            output.append(UInt8(ascii: ":"))
            member.value.write(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }
}

extension StoreReader {
    /// Calls a function for each stored event. Learners come one after another, each with the events in the learner's
    /// order.
    /// - Parameters:
    ///   - id: the only learner; nil for all.
    ///   - pseudonyms: the pseudonyms that the events get; nil for none.
    /// - Returns: the number of events; nil for an unknown learner.
    func forEachExportedEvent(
        of id: String?,
        _ pseudonyms: Pseudonymiser?,
        _ body: (ExportedEvent) throws -> Void
    ) throws -> Int? {
        var events = 0
        func export(_ learner: LearnerRecord, _ runs: [EventRun]) throws {
            try Cancellation.check()
            let runs = runs.inLearnerOrder
            pseudonyms?.begin(runs)
            for run in runs {
                let table = run.table
                for row in run.rows {
                    let event = ExportedEvent(table, row, subject: learner.subject)
                    guard let event = pseudonyms.map({ $0.event(event) }) ?? event else { continue }
                    try body(event)
                    events += 1
                }
            }
        }
        guard let id else {
            for ids in try learnerRanges() { try forEachLearner(ids: ids, export) }
            return events
        }
        guard let learner = try learner(named: Array(id.utf8)) else { return nil }
        try export(learner, try self.events(of: learner.id))
        return events
    }
}
