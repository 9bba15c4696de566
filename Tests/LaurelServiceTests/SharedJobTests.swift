// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Dispatch
import Foundation
import Laurel
import LaurelHTTP
import LaurelStore
import Testing

@testable import LaurelService

/// Jobs of several services over one store. `Tests/Service/nodes` tests them as processes that are killed.
@Suite(.enabled(if: DatabaseServer.shared != nil)) struct SharedJobTests {
    private let store: String

    init() throws {
        store = try #require(DatabaseServer.shared).newLocation()
        try StoreManagement(StoreLocation(store)).create()
    }

    private func node(_ role: ServiceRole = .all) throws -> TestService {
        try TestService(store: store) { ($0.role, $0.leaseSeconds) = (role, 1) }
    }

    private func finished(_ test: TestService, _ id: String) throws -> [String: Any] {
        for _ in 0..<2000 {
            let job = try test.get("/v1/jobs/\(id)").json
            if ["done", "failed"].contains(job["state"] as? String) { return job }
            usleep(5000)
        }
        return try test.get("/v1/jobs/\(id)").json
    }

    private func begin(
        _ test: TestService,
        _ method: String,
        _ path: String,
        _ body: String = "",
        ifMatch: String? = nil
    )
        throws -> String
    {
        let headers: HTTPHeaders = ifMatch.map { ["If-Match": $0] } ?? [:]
        let response = try test.send(method, path, body, headers: headers)
        #expect(response.status == 202, "\(response.text)")
        return try #require(response.json["id"] as? String)
    }

    @Test func `a job that one took is done by another, and told by all`() throws {
        let (one, two) = (try node(.frontend), try node(.frontend))
        try one.post(event("1"))
        let ids = try ["/v1/replay", "/v1/verify"].map { try begin(one, "POST", $0) }
        #expect(Set(ids).count == 2 && ids.allSatisfy { $0.count == 32 })
        #expect(try two.get("/v1/jobs").list.map { $0["state"] as? String } == ["waiting", "waiting"])
        let worker = try node(.worker)
        for id in ids {
            let job = try finished(two, id)
            #expect(job["state"] as? String == "done" && job["attempts"] as? Int == 1, "\(job)")
            #expect((job["node"] as? String)?.hasPrefix("process ") == true && job["result"] is [String: Any])
            #expect(try one.get("/v1/jobs/\(id)").text == two.get("/v1/jobs/\(id)").text)
        }
        #expect(try two.get("/v1/jobs").list.compactMap { $0["id"] as? String } == ids.reversed())
        for path in ["/healthz", "/readyz", "/metrics"] { #expect(try worker.get(path).status == 200) }
        for path in ["/", "/v1/jobs", "/learners"] { #expect(try worker.get(path).status == 404) }
        #expect(try worker.post(event("2")).status == 404)
    }

    private func form(_ test: TestService, _ path: String, _ fields: KeyValuePairs<String, String>) throws -> String {
        let body = fields.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        let answer = try test.send("POST", path, body, headers: EntranceTests.own)
        return try #require(answer.headers["Location"], "\(answer.text)")
    }

    /// A proxy may send each request to another service.
    @Test func `a draft of rules that one made is shown and applied by another`() throws {
        let (one, two) = (try node(), try node())
        try one.post(event("1"))
        let rules = """
            version: 1
            name: other
            metrics: {lines: {count: line.spoken}}
            xp: [{id: a, on: line.spoken, award: 7}]
            """
        let draft = try form(one, "/rules/drafts", ["rules": rules])
        #expect(try two.get(draft).text.contains("Who wins, who loses"))
        for _ in 0..<2000 {
            if try two.get(draft).text.contains("Apply these rules") { break }
            usleep(5000)
        }
        let job = try form(two, draft + "/apply", [:])
        #expect(try finished(one, String(job.split(separator: "/").last ?? ""))["state"] as? String == "done")
        let wrong = try form(two, "/rules/drafts", ["rules": "version: 1\nxp: 7"])
        #expect(try one.get(wrong).text.contains("These rules have mistakes"))
        #expect(try one.get("/rules/drafts/none").status == 404)
    }

    @Test func `a token that one made is shown by another, once`() throws {
        let (one, two) = (try node(), try node())
        try one.post(event("1"))
        let place = try form(one, "/keys/tokens", ["learner": "ana"])
        let records = try one.service.engine.serviceRecords(prefix: "shown-once/")
        #expect(try two.get(place).text.contains("class=\"secret\""))
        #expect(!(try one.get(place).text.contains("class=\"secret\"")), "it is shown once")
        let text = try #require(records.values.first)
        #expect(records.count == 1 && !text.contains("eyJ"), "the store has nothing that is of use alone")
        #expect(try one.service.engine.serviceRecords(prefix: "shown-once/").isEmpty)
    }

    @Test func `the job of one that is silent is begun again, and what that one says later does not count`() throws {
        let (front, gone) = (try node(.frontend), try ProgressEngine.open(path: store))
        let id = try begin(front, "POST", "/v1/replay")
        let claim = try #require(try gone.jobs.claim(EngineJob.kinds, for: 0.5))
        #expect(claim.id == id && claim.attempts == 1)
        #expect(try gone.jobs.renew(claim, share: 0.25, for: 0.5))
        let running = try front.get("/v1/jobs/\(id)").json
        #expect(running["state"] as? String == "running" && running["share"] as? Double == 0.25)
        // An excluding job waits; another one may start.
        let (second, other) = (try begin(front, "POST", "/v1/replay"), try begin(front, "POST", "/v1/verify"))
        let next = try #require(try gone.jobs.claim(EngineJob.kinds, for: 0.5))
        #expect(next.id == other)
        #expect(try gone.jobs.claim(EngineJob.kinds, for: 0.5) == nil)
        let worker = try node(.worker)
        for (id, attempts) in [(id, 2), (other, 2), (second, 1)] {
            let job = try finished(front, id)
            #expect(job["state"] as? String == "done" && job["attempts"] as? Int == attempts, "\(job)")
        }
        #expect(try !gone.jobs.renew(claim, share: 0.5, for: 30))
        #expect(try !gone.jobs.end(claim, result: "{}", problem: nil))
        try gone.jobs.release(claim)
        #expect(try front.get("/v1/jobs/\(id)").json["state"] as? String == "done")
        withExtendedLifetime(worker) {}
    }

    @Test func `a job that ends every process is given up`() throws {
        let (front, gone) = (try node(.frontend), try ProgressEngine.open(path: store))
        let id = try begin(front, "POST", "/v1/verify")
        for attempt in 1...5 {
            let claim = try #require(try gone.jobs.claim(EngineJob.kinds, for: 0))
            #expect(claim.attempts == attempt)
            usleep(2000)
        }
        let worker = try node(.worker)
        let job = try finished(front, id)
        #expect(job["state"] as? String == "failed", "\(job)")
        #expect((job["problem"] as? [String: Any])?["code"] as? String == "job-abandoned")
        withExtendedLifetime(worker) {}
    }

    @Test func `who ends leaves its job to another, as though nobody had begun it`() throws {
        let (front, worker) = (try node(.frontend), try node(.worker))
        try front.post(event("1"))
        let database = try PostgreSQLStore(store, mode: .readWrite)
        defer { database.close() }
        var id = ""
        try database.writeAll { _ in
            id = try begin(front, "POST", "/v1/replay")
            for _ in 0..<1000 where try front.get("/v1/jobs/\(id)").json["state"] as? String != "running" {
                usleep(5000)
            }
            DispatchQueue.global().async { worker.service.close() }
            usleep(200_000)
        }
        worker.service.close()
        let third = try node()
        let job = try finished(front, id)
        #expect(job["state"] as? String == "done" && job["attempts"] as? Int == 1, "\(job)")
        withExtendedLifetime(third) {}
    }

    @Test func `rules that others have replaced meanwhile are not applied`() throws {
        let front = try node(.frontend)
        try front.post(event("1"))
        let tag = try #require(try front.get("/v1/rules").headers["ETag"])
        func rules(_ award: Int) -> String {
            "version: 1\nname: example\nxp:\n  - {id: line, on: line.spoken, award: \(award)}\n"
        }
        let ids = try [3, 4].map { try begin(front, "PUT", "/v1/rules", rules($0), ifMatch: tag) }
        let again = try begin(front, "PUT", "/v1/rules", rules(5), ifMatch: "*")
        let worker = try node(.worker)
        #expect(try finished(front, ids[0])["state"] as? String == "done")
        let second = try finished(front, ids[1])
        #expect((second["problem"] as? [String: Any])?["code"] as? String == "rules-changed", "\(second)")
        #expect(try finished(front, again)["state"] as? String == "done")
        let progress = try front.get("/v1/learners/ana/progress?at=2026-04-06T00:00:00Z").json
        #expect(progress["totalXP"] as? Int == 5)
        withExtendedLifetime(worker) {}
    }

    @Test func `what names learners goes when one is erased, and old jobs are forgotten`() throws {
        let test = try node()
        try test.post(event("1") + "\n" + event("1", learner: "bo"))
        let rules = "version: 1\nname: example\nxp:\n  - {id: line, on: line.spoken, award: 900}\n"
        let comparison = try test.service.jobs.begin(.comparison(RulesJob(yaml: rules)))
        let verification = try begin(test, "POST", "/v1/verify")
        #expect("\(try finished(test, comparison))".contains("ana"))
        _ = try finished(test, verification)
        #expect(try test.send("DELETE", "/v1/learners/ana").status == 204)
        #expect(try test.get("/v1/jobs/\(comparison)").status == 404)
        #expect(try test.get("/v1/jobs/\(verification)").status == 200)
        test.service.close()
        let jobs = try ProgressEngine.open(path: store).jobs
        for number in 0..<110 {
            let job = NewJob(
                id: "\(number)",
                kind: "verify",
                parameters: "{}",
                isExclusive: false,
                namesLearners: false
            )
            #expect(try jobs.add(job))
            let claim = try #require(try jobs.claim(["verify"], for: 30))
            #expect(try jobs.end(claim, result: "{}", problem: nil))
        }
        let left = try jobs.all()
        #expect((100...101).contains(left.count) && left.last?.id == "109" && !left.contains { $0.id == verification })
        for number in 0..<16 {
            let job = NewJob(
                id: "w\(number)",
                kind: "verify",
                parameters: "{}",
                isExclusive: false,
                namesLearners: false
            )
            #expect(try jobs.add(job))
        }
        let tooMany = NewJob(id: "x", kind: "verify", parameters: "{}", isExclusive: false, namesLearners: false)
        #expect(try !jobs.add(tooMany))
    }
}

@Suite struct RoleTests {
    @Test func `a store that one machine reaches takes one service for everything`() throws {
        for role in ["frontend", "worker"] {
            let given = [
                GivenSetting("role", role, from: SettingSource("--role")),
                GivenSetting("store", "school.db", from: SettingSource("laurel.yaml")),
            ]
            let error = #expect(throws: EngineError.self) { try ServiceOptions(given) }
            #expect(error?.message.hasPrefix("--role: “\(role)” is for one of several nodes") == true)
        }
        let options = try ServiceOptions([
            GivenSetting("role", "worker", from: SettingSource("--role")),
            GivenSetting("store", "postgresql:///laurel", from: SettingSource("laurel.yaml")),
        ])
        #expect(options.role == .worker && options.leaseSeconds == 30)
        #expect(throws: EngineError.self) {
            try ServiceOptions([GivenSetting("role", "boss", from: SettingSource("LAUREL_ROLE"))])
        }
    }
}
