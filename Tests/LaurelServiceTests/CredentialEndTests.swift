// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Laurel
import LaurelHTTP
import Synchronization
import Testing

@testable import LaurelService

/// Attacks with expired or revoked credentials, and attempts to grant more rights than one has.
@Suite struct CredentialEndTests {
    private func token(
        _ test: TestService,
        by key: HTTPHeaders,
        learner: String = "ana",
        scopes: String = #""read","ingest""#
    ) throws -> HTTPHeaders {
        let made = try test.send(
            "POST",
            "/v1/tokens",
            #"{"learner":"\#(learner)","scopes":[\#(scopes)]}"#,
            headers: key
        )
        return ["Authorization": "Bearer \(try #require(made.json["token"] as? String))"]
    }

    private func stream(_ answer: HTTPResponse) throws -> HTTPBodyStream {
        guard case .stream(let stream) = answer.body else { throw Problem(500, "no-stream", answer.text) }
        return stream
    }

    @Test func `a change of keys is not undone by a thread that reads them at the same time`() throws {
        let test = try TestService()
        // Without any key, the service is open.
        _ = try test.key([.admin])
        let isOver = Atomic(false)
        let group = DispatchGroup()
        for _ in 0..<2 {
            DispatchQueue.global().async(group: group) {
                while !isOver.load(ordering: .relaxed) { try? test.service.keys.reload() }
            }
        }
        defer {
            isOver.store(true, ordering: .relaxed)
            group.wait()
        }
        for number in 1...60 {
            let key = try test.key([.read])
            for _ in 1...5 { #expect(try test.get("/v1/learners", headers: key).status == 200, "key \(number)") }
            _ = try AccessKeys(test.service.engine).revoke(test.id(ofKey: key))
            try test.service.keys.reload()
            for _ in 1...5 { #expect(try test.get("/v1/learners", headers: key).status == 401, "key \(number)") }
        }
    }

    @Test func `a source's key gives its source alone`() throws {
        let test = try TestService()
        _ = try test.key([.admin])
        let app = try test.key(KeyGrant([.keys, .ingest, .read], source: "app"))
        let rows: [(body: String, status: Int)] = [
            (#"{"scopes":["ingest"],"source":"app"}"#, 201), (#"{"scopes":["ingest"]}"#, 403),
            (#"{"scopes":["ingest"],"source":"other"}"#, 403), (#"{"scopes":["ingest"],"source":""}"#, 403),
        ]
        for row in rows {
            #expect(try test.send("POST", "/v1/keys", row.body, headers: app).status == row.status, "\(row.body)")
        }
        let token = try token(test, by: app)
        #expect(try test.post(event("1"), headers: token).status == 200)
        #expect(try test.post(event("2", source: "other"), headers: token).status == 403)
        #expect(try test.service.engine.learner("ana").progress()?.events == 1)
    }

    @Test func `an export ends with its key`() throws {
        let test = try TestService()
        _ = try test.key([.admin])
        let exporter = try test.key([.admin])
        let events = (0..<20_000).map { event("\($0)") }.joined(separator: "\n")
        try test.post(events, headers: exporter)
        let export = try stream(test.get("/v1/export", headers: exporter))
        #expect(try AccessKeys(test.service.engine).revoke(test.id(ofKey: exporter)) == .revoked)
        try test.service.keys.reload()
        var (bytes, start) = (0, Date())
        while !export.isEnded || export.backlog > 0, Date().timeIntervalSince(start) < 10 {
            bytes += export.readAll().count
            usleep(2000)
        }
        start = Date()
        #expect(export.isAborted, "the client must not take a part for all")
        #expect(bytes < events.utf8.count / 2, "\(bytes) bytes")
    }

    @Test func `an upload that outlasts its key stores nothing`() throws {
        let test = try TestService()
        let admin = try test.key([.admin])
        let rows: [(name: String, credential: HTTPHeaders, end: () throws -> Void)] = [
            (
                "a key", try test.key([.ingest]),
                {
                    let last = try #require(AccessKeys(test.service.engine).all().first { $0.scopes == [.ingest] })
                    _ = try AccessKeys(test.service.engine).revoke(last.id)
                }
            ),
            ("a token", try token(test, by: admin), { _ = try test.service.engine.erase(learner: "ana") }),
        ]
        for row in rows {
            let upload = try OpenUpload(test, row.credential, type: "application/cloudevents+json")
            upload.send(Array(event("1").utf8))
            try row.end()
            try test.service.keys.reload()
            #expect(upload.finish()?.status == 401, "\(row.name)")
        }
        #expect(try test.service.engine.learners().isEmpty)
    }

    @Test func `an erased learner's credentials are deleted with their names`() throws {
        let test = try TestService()
        let admin = try test.key([.admin])
        let own = try test.key(KeyGrant([.ingest, .read], learner: "vmqz"))
        let bobs = try test.key(KeyGrant([.ingest, .read], learner: "bob"))
        try test.post(event("1", learner: "vmqz"), headers: own)
        let cookie = try EntranceTests.cookie(test, token(test, by: admin, learner: "vmqz"))
        #expect(try test.get("/learners/vmqz", headers: cookie).status == 200)
        let process = try ProgressEngine.open(path: test.path, for: .removal)
        #expect(try process.erase(learner: "vmqz"))
        try test.service.keys.reload()
        #expect(try test.post(event("2", learner: "vmqz"), headers: own).status == 401)
        #expect(try test.get("/learners/vmqz", headers: cookie).headers["Location"]?.hasPrefix("/sign-in") == true)
        #expect(try test.get("/v1/learners/bob/progress", headers: bobs).status == 404, "still valid")
        let records = try test.service.engine.serviceRecords(prefix: "")
        #expect(!records.contains { $0.key.contains("vmqz") || $0.value.contains("vmqz") }, "\(records)")
        #expect(try test.service.engine.learners().isEmpty)
    }

    @Test func `a copy that erases ends credentials, too`() throws {
        let (source, copy) = (try TestService(), try TestService())
        let (from, to) = (source.service.engine, copy.service.engine)
        try from.ingest(cloudEvents: Data((event("1") + "\n" + event("1", learner: "bob")).utf8))
        _ = try from.copy(into: to)
        let admin = try copy.key([.admin])
        let token = try token(copy, by: admin)
        #expect(try copy.get("/v1/learners/ana/progress", headers: token).status == 200)
        #expect(try from.erase(learner: "ana"))
        #expect(try from.copy(into: to, erasing: true).erasedLearners == 1)
        try copy.service.keys.reload()
        #expect(try copy.post(event("2"), headers: token).status == 401)
        #expect(try to.learners().map(\.id) == ["bob"])
    }

    /// The service notices an erasure by another process within seconds, and reverses what was sent meanwhile.
    @Test func `a token brings nobody back before the erasure is noticed`() throws {
        let test = try TestService()
        let token = try token(test, by: test.key([.admin]))
        let process = try ProgressEngine.open(path: test.path, for: .removal)
        for round in 0..<5 {
            try test.post(event("\(round)"), headers: token)
            _ = try process.erase(learner: "ana")
            try test.post(event("\(round) again"), headers: token)
            try test.service.keys.reload()
            #expect(try test.service.engine.learners().isEmpty, "round \(round)")
        }
        let newer = try self.token(test, by: test.key([.admin]))
        #expect(try test.post(event("new"), headers: newer).status == 200)
        try test.service.keys.reload()
        #expect(try test.service.engine.learners().count == 1, "a newer token may begin anew")
    }

    @Test func `rotating at once ends streams and sessions of tokens`() throws {
        let test = try TestService()
        let admin = try test.key([.admin])
        try test.post(event("1"), headers: admin)
        let token = try token(test, by: admin)
        let cookie = try EntranceTests.cookie(test, token)
        let streams = try [token, cookie, admin].map {
            try stream(test.get("/v1/learners/ana/stream", headers: $0))
        }
        #expect(try test.send("POST", "/v1/keys/rotate", headers: admin).status == 204)
        #expect(try test.get("/learners/ana", headers: cookie).status == 200, "valid for a day")
        #expect(try test.send("POST", "/v1/keys/rotate?now", headers: admin).status == 204)
        #expect(try test.get("/learners/ana", headers: cookie).status == 303)
        let start = Date()
        while streams.dropLast().contains(where: { !$0.isEnded }), Date().timeIntervalSince(start) < 10 {
            usleep(50_000)
        }
        #expect(streams.map(\.isEnded) == [true, true, false])
        #expect(Date().timeIntervalSince(start) < 5)
    }

    @Test(arguments: [(now: false, status: 200), (now: true, status: 401)])
    func `rotating before the first start keeps an older version's tokens for a day`(now: Bool, status: Int) throws {
        let secret = Base64URL.encode(Secrets.random(32))
        let former = SigningKey(id: nil, secret: secret, createdAt: Date())
        let older = LearnerToken(learner: "ana", scopes: [.read, .ingest], seconds: 600, at: Date()).signed(former)
        let made = try TestService()
        let records = try made.service.engine.serviceRecords(prefix: ServiceRecords.signingKeys)
        try made.service.engine.setServiceRecords(records.mapValues { _ in nil })
        try made.service.engine.setServiceRecords([ServiceRecords.formerSecret: secret])
        try SigningKeys(made.service.engine).rotate(now: now)
        let test = try TestService(store: made.path)
        let answer = try test.post(event("1"), headers: ["Authorization": "Bearer \(older)"])
        #expect(answer.status == status)
        #expect(try test.service.engine.serviceRecords(prefix: ServiceRecords.formerSecret).isEmpty)
    }

    @Test func `an erasure is remembered as long as a usual backup is kept`() throws {
        let test = try TestService()
        _ = try test.service.engine.erase(learner: "ana")
        try test.service.keys.reload()
        for (days, left) in [(34.0, 1), (36.0, 0)] {
            try test.service.keys.sweep(at: Date() + days * 86_400)
            #expect(try test.service.engine.serviceRecords(prefix: "erased/").count == left, "after \(days) days")
        }
    }

    @Test func `signing in again and again does not fill the store`() throws {
        let test = try TestService()
        let key = String(try test.key([.read])["Authorization"]!.dropFirst(7))
        let other = String(try test.key([.admin])["Authorization"]!.dropFirst(7))
        let kept = try test.service.keys.signIn(other)
        var (ids, refused) = ([String](), 0)
        while ids.count < 22 {
            do {
                ids.append(try test.service.keys.signIn(key))
            } catch let problem as Problem where problem.status == 429 {
                refused += 1
                usleep(50_000)
            }
        }
        #expect(refused > 0)
        #expect(test.service.keys.records.sessions.count == 21)
        func isValid(_ id: String) throws -> Bool {
            try test.get("/learners", headers: ["Cookie": "\(DashboardSession.cookie)=\(id)"]).status == 200
        }
        let valid = try ids.map(isValid)
        #expect(valid.count { $0 } == 20 && valid[10...].allSatisfy { $0 }, "\(valid)")
        #expect(try isValid(kept), "another key's session stays")
    }
}
