// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelEvents
package import LaurelResults
package import LaurelStore

/// Notes that people write about learners. No number depends on them.
extension ProgressEngine {
    /// The maximum number of notes about a learner. A further note is refused.
    package static let mostNotes = 1000

    /// The notes about a learner, the newest first; nil for an unknown learner.
    package func notes(of learner: String) throws(EngineError) -> [NoteRecord]? {
        try EngineError.translating {
            try store.read { reader in
                try reader.learner(named: Array(learner.utf8)).map { try reader.notes(of: $0.id).reversed() }
            }
        }
    }

    /// Writes a note, and an entry of the audit log without the note's text.
    /// - Returns: the note; nil for an unknown learner.
    package func addNote(
        _ text: String,
        about learner: String,
        by actor: AuditActor,
        at date: Date
    ) throws(EngineError) -> NoteRecord? {
        let id = AuditRecords.newID(at: date.milliseconds)
        let note = NoteRecord(id: id, milliseconds: date.milliseconds, author: actor.name, text: text)
        return try changeNotes(about: learner, AuditNote(.noteWritten, by: actor, target: id, learner: learner)) {
            guard try $0.notes(of: $1).count < Self.mostNotes else {
                throw EngineError(
                    .invalidRequest,
                    "there are \(Self.mostNotes) notes about the learner already; remove some first"
                )
            }
            try $0.write([note], of: $1)
            return note
        }
    }

    /// Removes a note, and writes an entry of the audit log.
    /// - Returns: false if there is no such note.
    package func removeNote(_ id: String, about learner: String, by actor: AuditActor) throws(EngineError) -> Bool {
        let found = try changeNotes(about: learner, AuditNote(.noteRemoved, by: actor, target: id, learner: learner)) {
            guard try $0.notes(of: $1).contains(where: { $0.id.utf8.elementsEqual(id.utf8) }) else {
                return Bool?.none
            }
            try $0.deleteNotes([id], of: $1)
            return true
        }
        return found ?? false
    }

    /// Changes a learner's notes, and writes an audit entry about it, in one transaction.
    /// - Parameter change: called with the learner's number; nil if there is nothing to change.
    /// - Returns: the result of `change`; nil for an unknown learner.
    private func changeNotes<Result>(
        about learner: String,
        _ entry: AuditNote,
        _ change: (any StoreTransaction, Int64) throws -> Result?
    ) throws(EngineError) -> Result? {
        try EngineError.translating {
            let subject = Array(try currentID(of: learner).utf8)
            let (result, versions) = try store.write(in: store.partition(of: subject)) { transaction in
                var result: Result?
                if let record = try transaction.learner(named: subject) {
                    result = try change(transaction, record.id)
                    if result != nil { try transaction.write(entry) }
                }
                return (result, transaction.versions)
            }
            recent.commit(versions: versions)
            return result
        }
    }
}
