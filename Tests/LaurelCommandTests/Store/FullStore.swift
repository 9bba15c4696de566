// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import Testing

extension Laurel {
    /// A store with all kinds of data: two versions of the rules, one withdrawn, a refused line, a conflict, keys.
    static func full() throws -> Laurel {
        let laurel = try Laurel(events: Laurel.events)
        try laurel.write(
            "{\n[]\n" + Laurel.events.replacing("\"accuracy\":0.95", with: "\"accuracy\":0.5"),
            to: "bad.ndjson"
        )
        try laurel.run("ingest", "--now", "2026-03-02T00:00:00Z", "bad.ndjson")
        try laurel.write(Laurel.rules.replacing("award: 10", with: "award: 20"), to: "dearer.yaml")
        try laurel.write(Laurel.rules.replacing("award: 10", with: "award: 30"), to: "dearest.yaml")
        #expect(try laurel.run("rules", "apply", "--yes", "dearer.yaml").status == 0)
        #expect(try laurel.run("rules", "apply", "--yes", "--from", "2099-01-01", "dearest.yaml").status == 0)
        #expect(try laurel.run("rules", "apply", "--yes", "--from", "2098-01-01", "dearer.yaml").status == 0)
        #expect(try laurel.run("rules", "withdraw", "2098-01-01").status == 0)
        #expect(try laurel.run("keys", "add", "--scope", "read").status == 0)
        return laurel
    }

    /// The kinds of stores on this machine.
    static let places: [String] = ["file"] + (DatabaseServer.binaries == nil ? [] : ["database"])

    /// The address of a new store; a file is not made yet.
    func newPlace(_ kind: String, _ name: String) throws -> String {
        guard kind == "database", let server = DatabaseServer.shared else { return "\(name).db" }
        let location = server.newLocation()
        #expect(try run("store", "create", location).status == 0)
        return location
    }
}
