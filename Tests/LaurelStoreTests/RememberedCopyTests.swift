// SPDX-License-Identifier: Apache-2.0

import LaurelStore
import StoreTesting
import Testing

/// The remembered copies of apps' stores.
@Suite struct RememberedCopyTests {
    @Test(arguments: Backend.allCases) func `is kept by learner and name, replaced, forgotten and erased`(
        backend: Backend
    ) throws {
        let test = try backend.make()
        let names = ["é", "b", "a"]
        let (ana, bo) = try test.store.write { transaction throws in
            let ids = try ["ana", "bo"].map { try transaction.learnerID(for: Array($0.utf8)) }
            for id in ids {
                for name in names {
                    try transaction.remember(RememberedCopy(name: name, data: Array("\(name) of \(id)".utf8)), of: id)
                }
            }
            try transaction.remember(RememberedCopy(name: "b", data: [0, 255]), of: ids[0])
            try transaction.forgetCopies(named: ["a", "none"], of: ids[0])
            return (ids[0], ids[1])
        }
        try test.reopen()
        try test.store.read { reader throws in
            let copies = try reader.copies(of: ana)
            #expect(copies.map(\.name) == ["b", "é"] && copies.first?.data == [0, 255])
            #expect(try reader.copies(of: bo).map(\.name) == ["a", "b", "é"])
        }
        #expect(try test.store.write { try $0.erase(subject: Array("bo".utf8)) })
        try test.store.read { reader throws in
            #expect(try reader.copies(of: bo) == [])
            #expect(try reader.copies(of: ana).count == 2)
        }
    }
}
