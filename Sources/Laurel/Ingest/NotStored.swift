// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

extension Refusal {
    /// Of a line too long to hold.
    static let oversized = Refusal(
        code: .tooLong,
        message: "the line is longer than \(Limits.event) bytes; an event may have 1 MiB at most"
    )
}

extension QuarantineRecord {
    /// Of what is no event.
    /// - Parameter clock: when it came, in milliseconds since 1970.
    init(_ refusal: Refusal, file: String, line: Int, clock: Int64) {
        self.init(
            reason: refusal.code.rawValue,
            message: refusal.message,
            file: file,
            line: line,
            receivedAt: clock,
            eventID: refusal.id.map { Array($0.utf8) },
            source: refusal.source.map { Array($0.utf8) },
            subject: refusal.subject.map { Array($0.utf8) }
        )
    }
}

extension PendingEvents {
    /// A row that contradicts a stored event, as quarantine keeps it: with what is to be told, and the line it came in.
    /// - Parameter clock: when it came, in milliseconds since 1970.
    func conflict(_ row: Int, file: String?, clock: Int64) -> (record: QuarantineRecord, bytes: [UInt8]) {
        let table = table
        let (line, bytes) = original(row)
        let id = table.identifier(row)
        let message =
            "an event with id “\(String(decoding: id, as: UTF8.self))” of source "
            + "“\(table.texts.string(table.source[row]))” is stored with other content; the stored one stays"
        let record = QuarantineRecord(
            reason: "conflict",
            message: message,
            file: file,
            line: line,
            receivedAt: clock,
            eventID: id,
            source: Array(table.texts[table.source[row]]),
            subject: Array(table.texts[table.subject[row]])
        )
        return (record, Array(bytes))
    }
}
