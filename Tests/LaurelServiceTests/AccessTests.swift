// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

@Suite struct AccessTests {
    @Test func withoutKeysOnlyThisMachineIsAnswered() throws {
        let test = try TestService()
        let rows: [(name: String, headers: HTTPHeaders, status: Int)] = [
            ("localhost", [:], 200),
            ("loopback by number", ["Host": "127.0.0.1:8080"], 200),
            ("behind a proxy", ["X-Forwarded-For": "1.2.3.4"], 403),
            ("behind a proxy by the standard", ["Forwarded": "for=1.2.3.4"], 403),
            ("by another name that leads here", ["Host": "evil.example"], 403),
            ("from a page", ["Origin": "https://evil.example"], 403),
            ("with a key that is none", ["Authorization": "Bearer laurel_00_x"], 401),
            ("by a password", ["Authorization": "Basic eDp5"], 401),
        ]
        for row in rows {
            #expect(try test.get("/v1/learners", headers: row.headers).status == row.status, "\(row.name)")
        }
    }

    @Test func scopesSayWhatAKeyIsFor() throws {
        let test = try TestService()
        let (ingest, read, admin) = (try test.key([.ingest]), try test.key([.read]), try test.key([.admin]))
        #expect(try test.get("/v1/learners").status == 401, "loopback is no credential")
        #expect(try test.post(event("1"), headers: ingest).status == 200)
        #expect(try test.post(event("2"), headers: read).code == "missing-scope")
        #expect(try test.post(event("2"), query: "?return=progress", headers: ingest).code == "missing-scope")
        #expect(try test.get("/v1/learners/ana/progress", headers: read).status == 200)
        #expect(try test.get("/v1/learners/ana/progress", headers: ingest).status == 403)
        #expect(try test.get("/v1/quarantine", headers: read).status == 403)
        #expect(try test.get("/v1/quarantine", headers: admin).status == 200)
        #expect(try test.get("/metrics").status == 401)
        #expect(try test.get("/metrics", headers: read).status == 200)
        for path in ["/healthz", "/readyz", "/openapi.json", "/"] { #expect(try test.get(path).status == 200) }
    }

    @Test func aKeyOfASourceSendsNoOthersEvents() throws {
        let test = try TestService()
        let key = try test.key([.ingest], source: "app")
        #expect(try test.post(event("1"), headers: key).status == 200)
        let response = try test.post(event("2") + "\n" + event("3", source: "other"), headers: key)
        #expect(response.status == 403)
        #expect(try test.service.engine.learner("ana").progress()?.events == 1)
    }

    @Test func aTokenIsForOneLearner() throws {
        let test = try TestService()
        let admin = try test.key([.admin, .ingest, .read])
        try test.post(event("1") + "\n" + event("1", learner: "bob"), headers: admin)
        let made = try test.send(
            "POST",
            "/v1/tokens",
            #"{"learner":"ana","scopes":["read","ingest"],"ttl":60}"#,
            type: "application/json",
            headers: admin
        )
        #expect(made.status == 201)
        let text = try #require(made.json["token"] as? String)
        let token: HTTPHeaders = ["Authorization": "Bearer \(text)"]
        #expect(try test.get("/v1/learners/ana/progress", headers: token).status == 200)
        #expect(try test.get("/v1/learners/bob/progress", headers: token).status == 403)
        #expect(try test.get("/v1/learners", headers: token).status == 403)
        #expect(try test.get("/v1/leaderboard", headers: token).status == 403)
        #expect(try test.get("/v1/export", headers: token).status == 403)
        #expect(try test.post(event("2"), headers: token).status == 200)
        #expect(try test.post(event("2", learner: "bob"), headers: token).status == 403)
        #expect(try test.get("/v1/learners/ana/stream?access_token=\(text)").status == 200)
        #expect(try test.get("/v1/stream?learner=bob&access_token=\(text)").status == 403)
        #expect(try test.get("/v1/learners/ana/progress?access_token=\(text)").status == 400, "on streams only")
        var forged = Array(text)
        forged[forged.count - 5] = forged[forged.count - 5] == "A" ? "B" : "A"
        #expect(
            try test.get("/v1/learners/ana/progress", headers: ["Authorization": "Bearer \(String(forged))"]).status
                == 401
        )
        for body in [
            #"{"learner":"ana","scopes":["admin"]}"#, #"{"learner":"","ttl":5}"#, #"{"learner":"ana","ttl":90000}"#,
        ] {
            #expect(try test.send("POST", "/v1/tokens", body, headers: admin).status == 422, "\(body)")
        }
    }

    @Test func tokensOfOtherAlgorithmsAreNone() throws {
        let secret = Array("secret".utf8)
        let token = LearnerToken(learner: "ana", scopes: [.read], seconds: 60, at: Date())
        let parts = token.signed(secret).split(separator: ".").map(String.init)
        #expect(LearnerToken(parts.joined(separator: "."), secret: secret, at: Date()) == token)
        #expect(LearnerToken(parts.joined(separator: "."), secret: secret, at: Date() + 61) == nil)
        #expect(LearnerToken(parts.joined(separator: "."), secret: [1], at: Date()) == nil)
        let none = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
        #expect(LearnerToken("\(none).\(parts[1]).", secret: secret, at: Date()) == nil)
        #expect(LearnerToken("\(none).\(parts[1]).\(parts[2])", secret: secret, at: Date()) == nil)
    }

    /// RFC 4231, test cases 1, 2 and 6.
    @Test func authenticatesAsTheStandardSays() {
        let rows: [(key: [UInt8], text: String, code: String)] = [
            (
                [UInt8](repeating: 0x0B, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ]
        for row in rows {
            let code = Secrets.authenticate(Array(row.text.utf8), key: row.key)
            #expect(code.map { String(format: "%02x", $0) }.joined() == row.code)
        }
    }

    @Test func aRevokedKeyStopsAlsoWhereAnotherProcessRevokedIt() throws {
        let test = try TestService()
        let key = try test.key([.read])
        _ = try test.key([.admin])
        #expect(try test.get("/v1/learners", headers: key).status == 200)
        let other = try ProgressEngine.open(path: test.path, for: .removal)
        let keys = AccessKeys(other)
        let id = try #require(try keys.all().first { $0.scopes == [.read] }?.id)
        #expect(try keys.revoke(id))
        #expect(try !keys.revoke(id))
        let start = Date()
        while try test.get("/v1/learners", headers: key).status == 200, Date().timeIntervalSince(start) < 5 {
            usleep(100_000)
        }
        #expect(try test.get("/v1/learners", headers: key).status == 401)
    }

    @Test func everyoneHasTheirOwnLimit() throws {
        let test = try TestService { $0.requestsPerSecond = 5 }
        let (one, other) = (try test.key([.read]), try test.key([.read]))
        let answers = try (0..<15).map { _ in try test.get("/v1/learners", headers: one) }
        let refused = answers.filter { $0.status == 429 }
        #expect(refused.count >= 4)
        #expect(refused.first?.headers["Retry-After"] == "1")
        #expect(try test.get("/v1/learners", headers: other).status == 200)
        #expect(try test.get("/healthz").status == 200)
    }

    @Test func pagesOfAllowedOriginsMayAsk() throws {
        let test = try TestService { $0.corsOrigins = ["https://app.example"] }
        func preflight(_ origin: String) throws -> HTTPResponse {
            try test.send(
                "OPTIONS",
                "/v1/events",
                headers: ["Origin": origin, "Access-Control-Request-Method": "POST"]
            )
        }
        #expect(try preflight("https://app.example").headers["Access-Control-Allow-Origin"] == "https://app.example")
        #expect(try preflight("https://app.example.evil").headers["Access-Control-Allow-Origin"] == nil)
        let answer = try test.get("/v1/learners", headers: ["Origin": "https://app.example"])
        #expect(answer.status == 200 && answer.headers["Access-Control-Allow-Origin"] == "https://app.example")
        #expect(answer.headers.values(of: "Vary").contains("Origin"))
    }
}
