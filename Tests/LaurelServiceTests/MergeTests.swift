// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelStore
import StoreTesting
import Testing

@testable import LaurelService

/// Merges by request, and what they do to tokens.
@Suite struct MergeTests {
    private func token(_ test: TestService, _ learner: String, by key: HTTPHeaders) throws -> HTTPHeaders {
        let made = try test.send(
            "POST",
            "/v1/tokens",
            #"{"learner":"\#(learner)","scopes":["read","ingest"]}"#,
            headers: key
        )
        return ["Authorization": "Bearer \(try #require(made.json["token"] as? String))"]
    }

    @Test func `is an administrator's, and its answers say what happened`() throws {
        let test = try TestService()
        let admin = try test.key([.admin])
        try test.post([event("1", learner: "phone"), event("2")].joined(separator: "\n"), headers: admin)
        let rows: [(key: HTTPHeaders, from: String, body: String, status: Int, code: String?)] = [
            (try test.key([.ingest, .read, .erase, .decree]), "phone", #"{"into":"ana"}"#, 403, "missing-scope"),
            (try token(test, "phone", by: admin), "phone", #"{"into":"ana"}"#, 403, nil),
            (admin, "phone", #"{"into":""}"#, 400, nil),
            (admin, "phone", #"{"in":"ana"}"#, 400, "unknown-member"),
            (admin, "phone", #"{}"#, 400, "invalid-json"),
            (admin, "phone", #"{"into":"phone"}"#, 409, "same-learner"),
            (admin, "phone", #"{"into":"ana"}"#, 200, nil),
            (admin, "phone", #"{"into":"ana"}"#, 200, nil),
            (admin, "ana", #"{"into":"phone"}"#, 409, "same-learner"),
        ]
        for row in rows {
            let answer = try test.send("POST", "/v1/learners/\(row.from)/merge", row.body, headers: row.key)
            #expect(answer.status == row.status, "\(row.body): \(answer.text)")
            if let code = row.code { #expect(answer.code == code, "\(row.body)") }
        }
        let progress = try test.get("/v1/learners/phone/progress", headers: admin)
        #expect(progress.status == 200)
        #expect(try progress.text == test.get("/v1/learners/ana/progress", headers: admin).text)
        let log = try test.get("/v1/audit", headers: admin).list.filter { $0["action"] as? String == "learner.merged" }
        #expect(log.count == 1 && log[0]["learner"] as? String == "ana" && log[0]["target"] as? String == "phone")
    }

    @Test func `tokens of the merged learner end, and its id means the other one`() throws {
        let test = try TestService()
        let admin = try test.key([.admin])
        let (old, other) = (try token(test, "phone", by: admin), try token(test, "ana", by: admin))
        #expect(try test.post(event("1", learner: "phone"), headers: old).status == 200)
        #expect(try test.post(event("2"), headers: other).status == 200)
        #expect(try test.get("/v1/learners/phone/progress", headers: other).status == 403)
        let merge = try test.send("POST", "/v1/learners/phone/merge", #"{"into":"ana"}"#, headers: admin)
        #expect(merge.status == 200 && merge.json["events"] as? Int == 1, "\(merge.text)")
        #expect(try test.get("/v1/learners/phone/progress", headers: old).status == 401)
        #expect(try test.post(event("3", learner: "phone"), headers: old).status == 401)
        let new = try token(test, "phone", by: admin)
        for headers in [other, new] {
            for learner in ["phone", "ana"] {
                #expect(try test.get("/v1/learners/\(learner)/progress", headers: headers).status == 200)
                let id = "\(learner)-\(headers["Authorization"]?.count ?? 0)"
                #expect(try test.post(event(id, learner: learner), headers: headers).status == 200)
            }
            #expect(try test.post(event("4", learner: "leo"), headers: headers).status == 403)
        }
        #expect(try test.service.engine.learnerIDs() == ["ana"])
        #expect(try test.service.engine.verify().problems == [])
    }

    /// A token's rights depend on merges. If these cannot be read, the answer names the store, not the token.
    @Test func `a store that cannot be read is not taken for a lack of rights`() throws {
        let store = WatchedStore(MemoryStore())
        let test = try TestService(over: store)
        let admin = try test.key([.admin])
        let own = try token(test, "ana", by: admin)
        #expect(try test.post(event("1"), headers: own).status == 200)
        #expect(try test.post(event("2", learner: "leo"), headers: own).status == 403)
        store.willRead = { throw StoreError(.unavailable, "reading fails") }
        defer { store.willRead = {} }
        #expect(try test.get("/v1/learners/phone/progress", headers: own).status == 503)
        #expect(try test.post(event("3", learner: "phone"), headers: own).status == 503)
        let made = try test.send("POST", "/v1/tokens", #"{"learner":"phone","scopes":["read"]}"#, headers: admin)
        #expect(made.status == 503, "\(made.text)")
    }
}
