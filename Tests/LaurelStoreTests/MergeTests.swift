// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore
import StoreTesting
import Testing

/// Ids of merged learners.
@Suite struct MergeTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func merge(_ learner: String, _ other: String, at milliseconds: Int64) -> MergeRecord {
        MergeRecord(
            bytes(learner),
            into: bytes(other),
            named: (bytes("named \(learner)"), bytes("\u{0}\u{1}")),
            at: milliseconds
        )
    }

    @Test(arguments: Backend.allCases) func `are found, followed, listed and erased`(backend: Backend) throws {
        let test = try backend.make()
        let merges = [merge("a", "b", at: 2), merge("b", "c", at: 3), merge("x", "c", at: 1)]
        try test.store.write { transaction throws in
            _ = try transaction.learnerIDs(for: [bytes("b"), bytes("c")])
            for merge in merges { try transaction.merge(merge) }
            #expect(throws: MergedLearners.self) { try transaction.learnerIDs(for: [bytes("new"), bytes("a")]) }
        }
        try test.reopen()
        try test.store.read { reader throws in
            let learners = try reader.learners(.subjects(["a", "b", "c", "x", "y"].map(bytes))).map { $0?.subject }
            #expect(learners == [bytes("c"), bytes("c"), bytes("c"), bytes("c"), nil])
            #expect(try reader.currentNames(of: ["a", "c", "y"].map(bytes)) == [bytes("a"): bytes("c")])
            #expect(try reader.names(of: bytes("b")) == ["c", "x", "b", "a"].map(bytes))
            #expect(try reader.names(of: bytes("y")) == [bytes("y")])
            var all: [MergeRecord] = []
            try reader.forEachMerge { all.append($0) }
            #expect(all == [merges[2], merges[0], merges[1]])
            #expect(try reader.verify { _, _ in } == [])
        }
        #expect(try test.store.write { try $0.erase(subject: bytes("b")) }, "the merge of an id is data of the id")
        #expect(try test.store.write { try !$0.erase(subject: bytes("b")) })
        try test.store.read { reader throws in
            #expect(try reader.currentNames(of: ["a", "b"].map(bytes)) == [bytes("a"): bytes("b")])
            #expect(try reader.verify { _, _ in } == [])
        }
    }
}
