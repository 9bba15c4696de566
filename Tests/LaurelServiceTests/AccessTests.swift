// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import Testing

@testable import LaurelService

@Suite struct AccessTests {
    @Test func `an open service answers this machine alone`() throws {
        let test = try TestService()
        let rows: [(name: String, peer: String, headers: HTTPHeaders, status: Int)] = [
            ("localhost", "127.0.0.1", [:], 200), ("by number", "127.0.0.1", ["Host": "127.0.0.1:8080"], 200),
            ("IPv6", "::1", ["Host": "[::1]:8080"], 200), ("without a port", "127.0.0.2", ["Host": "localhost"], 200),
            ("IPv4 as IPv6", "::ffff:127.0.0.1", [:], 200),
            ("another machine that names this one", "192.0.2.7", [:], 403),
            ("another machine as IPv6", "::ffff:192.0.2.7", [:], 403), ("no address", "", [:], 403),
            ("a name that looks like an address", "127.0.0.1", ["Host": "127.evil.example"], 403),
            ("a name that begins as this machine's", "127.0.0.1", ["Host": "localhost.evil.example"], 403),
            ("a name as a port", "127.0.0.1", ["Host": "localhost:evil"], 403),
            ("another address of this machine", "127.0.0.1", ["Host": "127.0.0.2"], 403),
            ("no host", "127.0.0.1", ["Host": ""], 403), ("a peer that is no address", "127.evil.example", [:], 403),
            ("behind a proxy", "127.0.0.1", ["X-Forwarded-For": "1.2.3.4"], 403),
            ("behind a proxy by the standard", "127.0.0.1", ["Forwarded": "for=1.2.3.4"], 403),
            ("by another name that leads here", "127.0.0.1", ["Host": "evil.example"], 403),
            ("from a page", "127.0.0.1", ["Origin": "https://evil.example"], 403),
            ("with a key that is none", "127.0.0.1", ["Authorization": "Bearer laurel_00_x"], 401),
            ("by a password", "127.0.0.1", ["Authorization": "Basic eDp5"], 401),
        ]
        for row in rows {
            for (method, path) in [("GET", "/v1/learners"), ("POST", "/v1/keys")] {
                let body = method == "POST" ? #"{"scopes":["read"]}"# : ""
                let peer = PeerAddress(row.peer)
                let answer = try test.send(method, path, body, headers: row.headers, from: peer)
                #expect(answer.status == (method == "POST" && row.status == 200 ? 422 : row.status), "\(row.name)")
            }
        }
    }

    @Test func `a service without keys that is not open answers nobody`() throws {
        let test = try TestService { $0.isOpen = false }
        #expect(try test.get("/v1/learners").status == 401)
        #expect(try test.post(event("1")).status == 401)
        #expect(try test.get("/healthz").status == 200)
        var shown = ""
        let first = try #require(try test.service.addFirstKey { shown = $0 })
        #expect(first.scopes == [.admin] && first.expiresAt != nil)
        #expect(try test.get("/v1/keys", headers: ["Authorization": "Bearer \(shown)"]).status == 200)
        #expect(try test.service.addFirstKey { _ in Issue.record("a second first key") } == nil)
    }

    @Test func `the last valid administrator's key cannot be revoked`() throws {
        let test = try TestService()
        let admin = try test.key([.admin])
        _ = try test.key(KeyGrant([.admin], expiresAt: Date() - 1))
        _ = try test.key([.read])
        let id = try test.id(ofKey: admin)
        let refused = try test.send("DELETE", "/v1/keys/\(id)", headers: admin)
        #expect(refused.status == 409 && refused.code == "last-admin-key")
        #expect(try AccessKeys(test.service.engine).revoke(id) == .isLastAdministrator)
        let other = try test.key([.admin])
        #expect(try test.send("DELETE", "/v1/keys/\(id)", headers: other).status == 204)
        #expect(try test.get("/v1/keys", headers: admin).status == 401)
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
        let key = try test.key(KeyGrant([.ingest], source: "app"))
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

    @Test func `only a token signed as it should be is one`() throws {
        let now = Date()
        let signer = SigningKey(id: "a", secret: Base64URL.encode(Array("secret".utf8)), createdAt: now)
        func changed(id: String? = "a", secret: String? = nil, endsAt: Date? = nil) -> [SigningKey] {
            [SigningKey(id: id, secret: secret ?? signer.secret, createdAt: now, endsAt: endsAt)]
        }
        let token = LearnerToken(learner: "ana", scopes: [.read], seconds: 60, at: now)
        let text = token.signed(signer)
        var checked = token
        checked.signer = "a"
        #expect(LearnerToken(text, signers: [signer], at: now) == checked)
        let parts = text.split(separator: ".").map(String.init)
        let none = Base64URL.encode(Array(#"{"alg":"none","kid":"a","typ":"JWT"}"#.utf8))
        let rows: [(name: String, text: String, signers: [SigningKey], at: Date)] = [
            ("expired", text, [signer], now + 61), ("another secret", text, changed(secret: "AAAA"), now),
            ("another key's id", text, changed(id: "b"), now), ("no key's id", text, changed(id: nil), now),
            ("a key that has ended", text, changed(endsAt: now), now), ("no keys", text, [], now),
            ("an empty secret", text, changed(secret: ""), now),
            ("no algorithm", "\(none).\(parts[1]).", [signer], now),
            ("no algorithm, signed", "\(none).\(parts[1]).\(parts[2])", [signer], now),
        ]
        for row in rows { #expect(LearnerToken(row.text, signers: row.signers, at: row.at) == nil, "\(row.name)") }
    }

    @Test func `rotating ends tokens at once or within a day`() throws {
        let test = try TestService()
        let admin = try test.key([.admin])
        func token() throws -> HTTPHeaders {
            let made = try test.send("POST", "/v1/tokens", #"{"learner":"ana"}"#, headers: admin)
            return ["Authorization": "Bearer \(try #require(made.json["token"] as? String))"]
        }
        try test.post(event("1"), headers: admin)
        let first = try token()
        #expect(try test.send("POST", "/v1/keys/rotate", headers: admin).status == 204)
        let second = try token()
        for token in [first, second] {
            #expect(try test.get("/v1/learners/ana/progress", headers: token).status == 200)
        }
        let ends = test.service.keys.records.signingKeys.compactMap(\.endsAt)
        #expect(ends.count == 1 && abs(ends[0].timeIntervalSinceNow - 86_400) < 60)
        #expect(try test.send("POST", "/v1/keys/rotate?now", headers: admin).status == 204)
        for token in [first, second] {
            #expect(try test.get("/v1/learners/ana/progress", headers: token).status == 401)
        }
        #expect(try test.get("/v1/learners/ana/progress", headers: token()).status == 200)
    }

    @Test func `tokens are signed by a file where one is named`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "laurel-signing-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("0123456789abcdef0123456789abcdef\n".utf8).write(to: URL(filePath: file))
        let test = try TestService { $0.signingKeyFile = file }
        let made = try test.send("POST", "/v1/tokens", #"{"learner":"ana"}"#)
        let token: HTTPHeaders = ["Authorization": "Bearer \(try #require(made.json["token"] as? String))"]
        try test.post(event("1"))
        #expect(try test.get("/v1/learners/ana/progress", headers: token).status == 200)
        #expect(try test.service.engine.serviceRecords(prefix: ServiceRecords.signingKeys).isEmpty)
        #expect(try test.send("POST", "/v1/keys/rotate").code == "signed-by-file")
        try Data("short".utf8).write(to: URL(filePath: file))
        #expect(throws: EngineError.self) { try TestService { $0.signingKeyFile = file } }
    }

    @Test func `a token ends with its key and with the erasure of its learner`() throws {
        let test = try TestService()
        let admin = try test.key([.admin])
        try test.post(event("1"), headers: admin)
        func token(by key: HTTPHeaders) throws -> HTTPHeaders {
            let body = #"{"learner":"ana","scopes":["read","ingest"]}"#
            let made = try test.send("POST", "/v1/tokens", body, headers: key)
            return ["Authorization": "Bearer \(try #require(made.json["token"] as? String))"]
        }
        let other = try test.key([.keys, .read, .ingest])
        let (first, second) = (try token(by: admin), try token(by: other))
        let id = try test.id(ofKey: other)
        #expect(try test.get("/v1/learners/ana/progress", headers: second).status == 200)
        #expect(try test.send("DELETE", "/v1/keys/\(id)", headers: admin).status == 204)
        #expect(try test.get("/v1/learners/ana/progress", headers: second).status == 401)
        #expect(try test.get("/v1/learners/ana/progress", headers: first).status == 200)
        // The erasure is by another process, such as `laurel erase`.
        let process = try ProgressEngine.open(path: test.path, for: .removal)
        #expect(try process.erase(learner: "ana"))
        try test.service.keys.reload()
        #expect(try test.post(event("2"), headers: first).status == 401, "the erased learner would be back")
        #expect(try test.service.engine.learners().isEmpty)
        #expect(try test.post(event("3"), headers: token(by: admin)).status == 200)
    }

    @Test func `streams end with their credentials within five seconds`() throws {
        let test = try TestService()
        let admin = try test.key([.admin])
        try test.post(event("1"), headers: admin)
        let revoked = try test.key([.read])
        let expiring = try test.key(KeyGrant([.read], expiresAt: Date() + 1))
        let cookie = try EntranceTests.cookie(test, revoked)
        var open: [(name: String, stream: HTTPBodyStream)] = []
        for (name, headers) in [("revoked", revoked), ("expiring", expiring), ("session", cookie), ("admin", admin)] {
            let answer = try test.get("/v1/learners/ana/stream", headers: headers)
            guard case .stream(let stream) = answer.body else { throw CancellationError() }
            open.append((name, stream))
        }
        let id = try test.id(ofKey: revoked)
        _ = try AccessKeys(try ProgressEngine.open(path: test.path, for: .removal)).revoke(id)
        let start = Date()
        while open.dropLast().contains(where: { !$0.stream.isEnded }), Date().timeIntervalSince(start) < 10 {
            usleep(50_000)
        }
        for (name, stream) in open.dropLast() { #expect(stream.isEnded, "\(name)") }
        #expect(Date().timeIntervalSince(start) < 5)
        #expect(open.last?.stream.isEnded == false)
    }

    @Test func `a key gives no more than it has`() throws {
        let test = try TestService()
        _ = try test.key([.admin])
        let keys = try test.key([.keys, .read])
        let rows: [(body: String, status: Int)] = [
            (#"{"scopes":["read"],"name":"n"}"#, 201), (#"{"scopes":["admin"]}"#, 403),
            (#"{"scopes":["ingest"]}"#, 403), (#"{"scopes":["read"],"expiresAt":"never"}"#, 201),
            (#"{"scopes":["read"],"expiresAt":"2020-01-01T00:00:00Z"}"#, 422),
            (#"{"scopes":["read"],"expiresAt":"soon"}"#, 422), (#"{"scopes":["raed"]}"#, 422),
            (#"{"scopes":["read"],"sources":"my-app"}"#, 400), (#"{"scopes":["read"],"cohort":["1a"]}"#, 400),
            (#"{"scopes":["read"],"cohorts":[]}"#, 422), (#"{"scopes":[]}"#, 422), ("[]", 400), ("", 400),
        ]
        for row in rows {
            #expect(try test.send("POST", "/v1/keys", row.body, headers: keys).status == row.status, "\(row.body)")
        }
        let made = try test.send("POST", "/v1/keys", rows[0].body, headers: keys)
        let end = try Date(try #require(made.json["expiresAt"] as? String), strategy: Self.style)
        #expect(abs(end.timeIntervalSinceNow - KeyGrant.lifetime) < 60)
        #expect(
            try test.send("POST", "/v1/tokens", #"{"learner":"a","scopes":["ingest"]}"#, headers: keys).status == 403
        )
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    @Test func `keys tell their latest use and their maker`() throws {
        let test = try TestService()
        let admin = try test.key([.admin])
        try test.service.keys.storeUses()
        #expect(try test.get("/v1/keys", headers: admin).list.map { $0["lastUsedAt"] is NSNull } == [true])
        try test.service.keys.storeUses()
        let listed = try test.get("/v1/keys", headers: admin).list
        #expect(listed[0]["lastUsedAt"] is String && listed[0]["madeBy"] as? String == "a test")
    }

    @Test func `a key does not belong in an address`() throws {
        let test = try TestService()
        let key = String(try test.key([.read])["Authorization"]!.dropFirst(7))
        #expect(try test.get("/v1/learners/ana/stream?access_token=\(key)").status == 401)
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
            let code = HMACSHA256(key: row.key).hash(Array(row.text.utf8))
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
        #expect(try keys.revoke(id) == .revoked)
        #expect(try keys.revoke(id) == .unknown)
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
