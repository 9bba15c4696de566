// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

extension Refusal {
    /// The refusal of an oversized line.
    static let oversized = Refusal(
        code: .tooLong,
        message: "the line is longer than \(Limits.event) bytes; an event may have 1 MiB at most"
    )
}

extension QuarantineRecord {
    /// Creates the record of a line that is not an event.
    /// - Parameter clock: the time of arrival, in milliseconds since 1970.
    init(_ refusal: Refusal, file: String?, line: Int, clock: Int64) {
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

extension EventTable {
    /// The reason why a row is not stored, with the row's attributes.
    func refusal(of row: Int, _ code: Refusal.Code, _ message: String) -> Refusal {
        Refusal(
            code: code,
            message: message,
            id: String(decoding: identifier(row), as: UTF8.self),
            source: texts.string(source[row]),
            subject: texts.string(subject[row])
        )
    }

    /// The refusal of a row that contradicts a stored event.
    func conflict(of row: Int) -> Refusal {
        let event =
            "an event with id “\(String(decoding: identifier(row), as: UTF8.self))” of source “\(texts.string(source[row]))”"
        return refusal(of: row, .conflict, "\(event) is stored with other content; the stored one stays")
    }
}

extension PendingEvents {
    /// A row that is not stored, for quarantine, with the reason and the row's line.
    /// - Parameter clock: the time of arrival, in milliseconds since 1970.
    func refused(_ row: Int, _ refusal: Refusal, clock: Int64) throws -> RefusedLine {
        let (line, bytes) = try original(row)
        let record = QuarantineRecord(refusal, file: file(row), line: line, clock: clock)
        return RefusedLine(record: record, bytes: Array(bytes))
    }
}

extension Refusal.Code {
    /// The code for an event whose identity is stored with other content.
    static let conflict = Refusal.Code(rawValue: "conflict")
}
