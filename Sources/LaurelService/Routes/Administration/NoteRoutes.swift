// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelStore

/// A note about a learner, for teachers and administrators.
struct Note: Codable {
    /// The id. Ids ascend with time.
    var id: String
    /// The time at which the note was written.
    var writtenAt: Date
    /// The author: `key` and a key's id, or another name as in the audit log.
    var author: String
    /// The text.
    var text: String

    init(_ record: NoteRecord) {
        (id, author, text) = (record.id, record.author, record.text)
        writtenAt = Date(milliseconds: record.milliseconds)
    }
}

/// A new note.
struct NoteText: JSONBody {
    /// The text, at most 10,000 bytes.
    var text: String

    static let example = #"{"text":"Was ill last week; speaks well."}"#
}

extension Route {
    /// The routes of notes. A learner's token cannot use them.
    static let noteRoutes = [
        Route(
            "GET",
            "/v1/learners/{id}/notes",
            "The notes about a learner, newest first.",
            access: .scopes([.read, .decree]),
            answer: .list(Note.self),
            action: .question { service, request in
                guard let notes = try service.engine.notes(of: request.path("id")) else {
                    throw Problem.unknownLearner
                }
                return JSONAnswer.response(try JSONAnswer.list(notes.map { Note($0) }))
            }
        ),
        Route(
            "POST",
            "/v1/learners/{id}/notes",
            "Writes a note about a learner.",
            access: .scopes([.read, .decree]),
            answer: .json(Note.self, status: 201),
            body: NoteText.shape,
            codes: ["invalid-note"],
            action: .document(limit: 64 << 10) { service, request, bytes in
                let text = try NoteText.read(bytes).text
                let note = try NoteRoutes.add(text, about: request.path("id"), by: request.caller, service)
                return try JSONAnswer.response(Note(note), status: 201)
            }
        ),
        Route(
            "DELETE",
            "/v1/learners/{id}/notes/{note}",
            "Removes a note about a learner for good.",
            access: .scopes([.read, .decree]),
            answer: .nothing,
            action: .question { service, request in
                try NoteRoutes.remove(request.path("note"), about: request.path("id"), by: request.caller, service)
                return HTTPResponse(204)
            }
        ),
    ]
}

/// The operations on notes, for routes and for the dashboard.
enum NoteRoutes {
    static let mostBytes = 10_000

    static func add(
        _ text: String,
        about learner: String,
        by caller: Caller,
        _ service: LaurelService
    ) throws -> NoteRecord {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...mostBytes).contains(text.utf8.count), !text.utf8.contains(0) else {
            throw Problem(
                422,
                "invalid-note",
                "a note has 1 to \(mostBytes) bytes of text without NUL; this has \(text.utf8.count)"
            )
        }
        let date = service.options.now()
        guard let note = try service.engine.addNote(text, about: learner, by: caller.actor, at: date) else {
            throw Problem.unknownLearner
        }
        return note
    }

    static func remove(_ note: String, about learner: String, by caller: Caller, _ service: LaurelService) throws {
        guard try service.engine.removeNote(note, about: learner, by: caller.actor) else {
            throw Problem.notFound("there is no such note about the learner")
        }
    }
}
