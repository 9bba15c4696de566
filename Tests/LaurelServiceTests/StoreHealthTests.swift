// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelHTTP
import Testing

@testable import LaurelService

@Suite struct StoreHealthTests {
    /// A pause longer than the time for which the result of a try is used.
    private static let pause: UInt32 = 2_100_000

    @Test func `a service whose store was moved away is not ready until the store is back`() throws {
        let test = try TestService()
        #expect(try test.post(event("1")).status == 200)
        #expect(try test.get("/readyz").status == 200)
        #expect(try test.get("/metrics").text.contains("laurel_store_writable 1\n"))
        usleep(Self.pause)
        let elsewhere = test.path + ".moved"
        try FileManager.default.moveItem(atPath: test.path, toPath: elsewhere)
        let ready = try test.get("/readyz")
        #expect(ready.status == 503 && ready.code == "io-error", "also before anything is sent: \(ready.text)")
        for id in 2...4 { #expect(try test.post(event("\(id)")).status == 503) }
        usleep(Self.pause)
        #expect(try test.get("/readyz").status == 503)
        try FileManager.default.moveItem(atPath: elsewhere, toPath: test.path)
        let metrics = try test.get("/metrics").text
        #expect(metrics.contains("laurel_store_writable 0\n"))
        #expect(metrics.contains("laurel_commit_failures_total{code=\"io-error\"} 3\n"), "\(metrics)")
        usleep(Self.pause)
        #expect(try test.get("/readyz").status == 200)
        #expect(try test.post(event("5")).json["stored"] as? Int == 1)
        #expect(try test.get("/metrics").text.contains("laurel_store_writable 1\n"))
    }
}
