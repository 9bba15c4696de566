// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import LaurelStore
import StoreTesting
import Testing

/// The table that finds the learners of a group.
@Suite struct GroupLearnersTests {
    private func projection(_ groups: [String]) -> LearnerProjection {
        var projection = DerivedStateTests.projection(seed: 1)
        projection.joinedGroups = groups
        return projection
    }

    @Test(arguments: Backend.allCases) func `finds everybody who joined a group, until they are erased`(
        backend: Backend
    ) throws {
        let test = try backend.make()
        let names = ["ana", "bo", "cy", "di"]
        let ids = try test.store.write { transaction throws in
            let ids = try names.map { try transaction.learnerID(for: Array($0.utf8)) }
            for (id, groups) in zip(ids, [["blue", "é\u{0}\u{1}"], ["blue"], [], ["red"]]) {
                try transaction.project(projection(groups), of: id, days: .all)
            }
            // A later projection lists only new groups. The others stay.
            try transaction.project(projection(["blue", "red"]), of: ids[1], days: .all)
            try transaction.project(projection([]), of: ids[0], days: .all)
            return ids
        }
        try test.reopen()
        func members(_ group: String) throws -> [Int64] {
            try test.store.read { try $0.learners(where: .mayBeIn(group: group)) }
        }
        #expect(try members("blue") == [ids[0], ids[1]].sorted())
        #expect(try members("red") == [ids[1], ids[3]].sorted())
        #expect(try members("é\u{0}\u{1}") == [ids[0]])
        #expect(try members("Blue") == [])
        try test.store.read { reader throws in
            #expect(try reader.groupNames(after: "", limit: 9) == ["blue", "red", "é\u{0}\u{1}"])
            #expect(try reader.groupNames(after: "blue", limit: 1) == ["red"])
            #expect(try reader.groupNames(of: [ids[0], ids[1], ids[2]]) == ["blue", "red", "é\u{0}\u{1}"])
            #expect(try reader.groupNames(of: [ids[3], ids[3] + 1000]) == ["red"])
            #expect(try reader.groupNames(of: []) == [])
        }
        // Rules do not change the groups that learners joined.
        try test.store.write { try $0.dropDerivedState() }
        #expect(try members("blue") == [ids[0], ids[1]].sorted())
        #expect(try test.store.write { try $0.erase(subject: Array("bo".utf8)) })
        #expect(try members("blue") == [ids[0]])
        #expect(try members("red") == [ids[3]])
        #expect(try test.store.read { try $0.verify { _, _ in } } == [])
    }
}
