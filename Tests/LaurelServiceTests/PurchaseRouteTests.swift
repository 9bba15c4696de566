// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// `POST /v1/learners/{id}/purchases`.
@Suite struct PurchaseRouteTests {
    private let test: TestService
    private let admin: HTTPHeaders

    init() throws {
        test = try TestService()
        try test.service.engine.apply(
            Rules(
                yaml: """
                    version: 1
                    currencies: {gems: {start: 10}}
                    items: {potion: {price: {gems: 7}, limit: 1}}
                    """
            )
        )
        admin = try test.key([.admin])
    }

    private func buy(_ body: String, learner: String = "ana", headers: HTTPHeaders? = nil) throws -> HTTPResponse {
        try test.send(
            "POST",
            "/v1/learners/\(learner)/purchases",
            body,
            type: "application/json",
            headers: headers ?? admin
        )
    }

    private func code(_ response: HTTPResponse) -> String { response.json["code"] as? String ?? "" }

    @Test func `a purchase, the same again, and another`() throws {
        let body = #"{"item":"potion","id":"1","time":"2026-04-05T18:00:00+02:00"}"#
        let first = try buy(body)
        let balances = (first.json["progress"] as? [String: Any])?["balances"] as? [String: Int]
        #expect(first.status == 200 && balances == ["gems": 3] && first.json["duplicate"] as? Bool == false)
        #expect(try buy(body).json["duplicate"] as? Bool == true)
        let other = try buy(#"{"item":"potion","time":"2026-04-05T18:00:00+02:00"}"#)
        #expect(other.status == 409 && code(other) == "limit-reached")
        let changed = try buy(#"{"item":"potion","id":"1","count":2,"time":"2026-04-05T18:00:00+02:00"}"#)
        #expect(changed.status == 409 && code(changed) == "conflict")
    }

    @Test(
        arguments: [
            (#"{"item":"sword"}"#, 422, "unknown-item"), (#"{"item":"potion","count":2}"#, 409, "limit-reached"),
            (#"{"item":"potion","count":0}"#, 400, "invalid-request"),
            (#"{"item":"potion","time":"noon"}"#, 400, "invalid-request"),
            (#"{"thing":"potion"}"#, 400, "unknown-member"),
        ]
    )
    func `refused with a code`(body: String, status: Int, code: String) throws {
        let response = try buy(body)
        #expect(response.status == status && self.code(response) == code)
    }

    @Test func `a token buys for its learner only`() throws {
        let body = #"{"learner":"ana","scopes":["read","ingest"],"ttl":60}"#
        let made = try test.send("POST", "/v1/tokens", body, type: "application/json", headers: admin)
        let token: HTTPHeaders = ["Authorization": "Bearer \(try #require(made.json["token"] as? String))"]
        #expect(try buy(#"{"item":"potion"}"#, learner: "bob", headers: token).status == 403)
        #expect(try buy(#"{"item":"potion"}"#, headers: token).status == 200)
        let reader = try test.key([.read])
        #expect(try buy(#"{"item":"potion"}"#, headers: reader).status == 403)
    }
}
