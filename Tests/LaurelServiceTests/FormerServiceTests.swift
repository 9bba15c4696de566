// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// Stores of a service of version 0.2: format 7 in a file, format 2 in PostgreSQL. Both contain the same events, two
/// keys and a webhook.
@Suite struct FormerServiceTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures").path
    private static let fingerprint = "57f536b610bd4a4c0336a1b56720377289468eab3a7876eba22318d99bdb51b2"

    private func check(_ store: String, admin: String, ingest: String) throws {
        let test = try TestService(store: store)
        #expect(try test.service.engine.fingerprint() == Self.fingerprint)
        #expect(try test.get("/v1/learners").status == 401)
        let headers = { (key: String) -> HTTPHeaders in ["Authorization": "Bearer \(key)"] }
        #expect(try test.get("/v1/learners", headers: headers(admin)).list.count == 3)
        #expect(try test.get("/v1/keys", headers: headers(admin)).list.count == 2)
        let webhooks = try test.get("/v1/webhooks", headers: headers(admin)).list
        #expect(webhooks.map { $0["url"] as? String } == ["https://app.example/laurel"])
        #expect(try test.post(event("1"), headers: headers(ingest)).status == 200)
        #expect(try test.post(event("2", source: "other"), headers: headers(ingest)).status == 403)
        #expect(try test.get("/v1/learners", headers: headers(ingest)).status == 403)
    }

    @Test func `a file goes on with its keys, webhook and numbers`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-former-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appending(path: "former.db").path
        let unpacking = Process()
        unpacking.executableURL = URL(filePath: "/usr/bin/env")
        unpacking.arguments = ["zstd", "-dq", "\(Self.fixtures)/format-7.db.zst", "-o", store]
        try unpacking.run()
        unpacking.waitUntilExit()
        try #require(unpacking.terminationStatus == 0)
        try check(
            store,
            admin: "laurel_e3cdfdb42413_EwcvgtYwOJyBChzhbvRuwXT65mip_69P6wkXmK4VXTA",
            ingest: "laurel_e63f4d2e0af0_StXNMGsoKlg3dpWIPvlJ-9j65Z7kCytd-ezgefgkxhI"
        )
    }

    @Test(.enabled(if: DatabaseServer.shared != nil, "there is no PostgreSQL on this machine"))
    func `a database goes on with its keys, webhook and numbers`() throws {
        let server = try #require(DatabaseServer.shared)
        let store = try server.restore("\(Self.fixtures)/database-2.sql.zst", schema: "school")
        #expect(throws: (any Error).self) { try TestService(store: store) }
        #expect(try StoreManagement(StoreLocation(store)).migrate() == 2)
        try check(
            store,
            admin: "laurel_650a97633931_r61l3suFFBc2oeXHlBEmK2lZ6JrmGPV41evamcwIzls",
            ingest: "laurel_cbbab64c65c7_rTKmi_fM9XmWsoEtZco5UESAKkV04o30TGZAO7e32YE"
        )
    }
}
