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
    /// Why a row is not stored, with its attributes.
    func refusal(of row: Int, _ code: Refusal.Code, _ message: String) -> Refusal {
        Refusal(
            code: code,
            message: message,
            id: String(decoding: identifier(row), as: UTF8.self),
            source: texts.string(source[row]),
            subject: texts.string(subject[row])
        )
    }

    /// Why a row is not stored that contradicts a stored event.
    func conflict(of row: Int) -> Refusal {
        let event =
            "an event with id “\(String(decoding: identifier(row), as: UTF8.self))” of source “\(texts.string(source[row]))”"
        return refusal(of: row, .conflict, "\(event) is stored with other content; the stored one stays")
    }
}

extension PendingEvents {
    /// A row that is not stored, as quarantine keeps it: with the reason, and the line it came in.
    /// - Parameter clock: when it came, in milliseconds since 1970.
    func refused(_ row: Int, _ refusal: Refusal, file: String?, clock: Int64) throws -> RefusedLine {
        let (line, bytes) = try original(row)
        return RefusedLine(record: QuarantineRecord(refusal, file: file, line: line, clock: clock), bytes: Array(bytes))
    }
}

extension Refusal.Code {
    /// The identity of a stored event with other content.
    static let conflict = Refusal.Code(rawValue: "conflict")
}
