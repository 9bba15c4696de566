// SPDX-License-Identifier: Apache-2.0

import LaurelStore
import StoreTesting
import Testing

/// Notes about learners.
@Suite struct NoteTests {
    private func note(_ id: String, _ text: String = "é\n\u{0}\u{1}") -> NoteRecord {
        NoteRecord(id: id, milliseconds: 1_770_000_000_000, author: "key \(id)", text: text)
    }

    @Test(arguments: Backend.allCases) func `is kept by learner and id, replaced, removed and erased`(
        backend: Backend
    ) throws {
        let test = try backend.make()
        let (ana, bo) = try test.store.write { transaction throws in
            let ids = try ["ana", "bo"].map { try transaction.learnerID(for: Array($0.utf8)) }
            for id in ids { try transaction.write(["3", "1", "2"].map { note($0) }, of: id) }
            try transaction.write([note("2", "new")], of: ids[0])
            try transaction.deleteNotes(["1", "none"], of: ids[0])
            return (ids[0], ids[1])
        }
        try test.reopen()
        try test.store.read { reader throws in
            #expect(try reader.notes(of: ana) == [note("2", "new"), note("3")])
            #expect(try reader.notes(of: bo) == ["1", "2", "3"].map { note($0) })
            var all: [Int64] = []
            try reader.forEachNote(of: nil) { learner, _ in all.append(learner) }
            #expect(all.sorted() == ([ana, ana, bo, bo, bo] as [Int64]).sorted())
            #expect(try reader.verify { _, _ in } == [])
        }
        #expect(try test.store.write { try $0.erase(subject: Array("bo".utf8)) })
        try test.store.read { reader throws in
            #expect(try reader.notes(of: bo) == [])
            #expect(try reader.notes(of: ana).count == 2)
        }
    }
}
