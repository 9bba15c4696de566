// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP
import LaurelStore
import Testing

@testable import LaurelService

@Suite struct AuditTests {
    private static let rules = "version: 1\nname: doubled\nxp:\n  - {id: line, on: line.spoken, award: 7}\n"

    private func waitForJob(_ test: TestService, _ response: HTTPResponse, _ key: HTTPHeaders) throws {
        let place = try #require(response.headers["Location"])
        for _ in 0..<2000 {
            let state = try test.get(place, headers: key).json["state"] as? String
            if state == "done" { return }
            usleep(5000)
        }
        Issue.record("the job does not end")
    }

    /// Does each audited action once.
    private func act(_ test: TestService, _ key: HTTPHeaders) throws {
        let json = "application/json"
        let made = try test.send("POST", "/v1/keys", #"{"name":"Anna","scopes":["read"]}"#, type: json, headers: key)
        let id = try #require(made.json["id"] as? String)
        #expect(try test.send("DELETE", "/v1/keys/\(id)", headers: key).status == 204)
        #expect(try test.send("POST", "/v1/keys/rotate", headers: key).status == 204)
        let hook = #"{"url":"https://example.com/laurel"}"#
        let webhook = try test.send("POST", "/v1/webhooks", hook, type: json, headers: key)
        let hookID = try #require(webhook.json["id"] as? String)
        #expect(try test.send("DELETE", "/v1/webhooks/\(hookID)", headers: key).status == 204)
        var headers = key
        headers["If-Match"] = "*"
        try waitForJob(test, test.send("PUT", "/v1/rules", Self.rules, headers: headers), key)
        let decree =
            #"{"id":"d","source":"app","type":"xp.adjusted","subject":"ana","time":"2026-04-05T18:00:00Z","#
            + #""data":{"amount":5,"reason":"a prize"}}"#
        #expect(
            try test.post([decree, event("1"), "{}"].joined(separator: "\n"), headers: key).json["stored"] as? Int == 2
        )
        guard case .stream = try test.get("/v1/export?learner=ana", headers: key).body else {
            Issue.record("no export")
            return
        }
        #expect(try test.send("DELETE", "/v1/quarantine?all", headers: key).json["dropped"] as? Int == 1)
    }

    @Test(arguments: [nil, 8])
    func everyActionIsNotedWithItsActor(partitions: Int?) throws {
        let test = try TestService(partitions: partitions)
        let key = try test.key([.admin])
        let id = try test.id(ofKey: key)
        try act(test, key)
        let entries = try test.get("/v1/audit", headers: key).list
        let actions = entries.compactMap { $0["action"] as? String }
        #expect(
            actions == [
                "quarantine.dropped", "events.exported", "events.decreed", "rules.applied", "webhook.removed",
                "webhook.added", "signing-key.rotated", "key.revoked", "key.made",
            ]
        )
        for entry in entries {
            #expect(entry["actor"] as? String == "key \(id)" && entry["address"] as? String == "127.0.0.1", "\(entry)")
        }
        #expect(entries[2]["learner"] as? String == "ana" && entries[2]["target"] as? String == "xp.adjusted")
        let page = try test.get("/audit", headers: key)
        #expect(page.status == 200 && page.text.contains("rules.applied"))
    }

    @Test func erasureLeavesNoNameInTheLog() throws {
        let test = try TestService()
        let key = try test.key([.admin])
        try act(test, key)
        #expect(try test.get("/v1/audit", headers: key).text.contains("ana"))
        #expect(try test.send("DELETE", "/v1/learners/ana", headers: key).status == 204)
        let log = try test.get("/v1/audit", headers: key)
        #expect(log.list.first?["action"] as? String == "learner.erased" && log.list.count == 10)
        #expect(!log.text.contains("\"ana\""))
        let records = try test.service.engine.serviceRecords(prefix: "")
        let hex = SHA256.hash(Array("ana".utf8)).hexadecimal
        #expect(
            !records.contains {
                $0.key.contains("audited/\(hex)") || $0.key.contains("ana") || $0.value.contains("\"ana\"")
            }
        )
    }

    @Test func theLogIsReadPageByPage() throws {
        let test = try TestService()
        for number in 0..<250 {
            try test.service.engine.note(AuditNote(.keyMade, by: AuditActor(name: "a test"), target: "\(number)"))
        }
        var (next, targets): (String?, [String]) = ("/v1/audit?limit=100&since=2020-01-01T00:00:00Z", [])
        while let target = next {
            let page = try test.get(target)
            targets += page.list.compactMap { $0["target"] as? String }
            next = page.headers["Link"].map { String($0.dropFirst().prefix { $0 != ">" }) }
        }
        #expect(targets == (0..<250).reversed().map(String.init))
        #expect(try test.get("/v1/audit?since=2999-01-01T00:00:00Z").list.isEmpty)
    }

    @Test func aProxysClientIsNamedWithTheProxy() throws {
        let test = try TestService()
        var key = try test.key([.admin])
        key["X-Forwarded-For"] = "<script>, 203.0.113.9"
        let json = #"{"scopes":["read"]}"#
        _ = try test.send(
            "POST",
            "/v1/keys",
            json,
            type: "application/json",
            headers: key,
            from: PeerAddress("192.0.2.1")
        )
        #expect(try test.get("/v1/audit", headers: key).list.first?["address"] as? String == "203.0.113.9 by 192.0.2.1")
    }
}

/// Erasure outside the events: in jobs, in the webhooks' log, and in access logs.
@Suite struct ErasureReachTests {
    private static let rules = "version: 1\nname: doubled\nxp:\n  - {id: line, on: line.spoken, award: 7}\n"

    private func compared(_ test: TestService) throws -> String {
        let id = try test.service.jobs.begin(.comparison(RulesJob(yaml: Self.rules)))
        for _ in 0..<2000 {
            if try test.get("/v1/jobs/\(id)").json["state"] as? String == "done" { break }
            usleep(5000)
        }
        #expect(try test.get("/v1/jobs/\(id)").text.contains("ana-marker"))
        return id
    }

    private func erased(by erase: (TestService, any EventStore) throws -> Void) throws {
        let store = MemoryStore(partitions: 2)
        let test = try TestService(over: store)
        try test.post([event("1", learner: "ana-marker"), event("2", learner: "ben")].joined(separator: "\n"))
        let job = try compared(test)
        try erase(test, store)
        let answer = try test.get("/v1/jobs/\(job)")
        #expect(answer.status == 404 && !answer.text.contains("ana-marker"))
        #expect(try !test.get("/v1/jobs").text.contains(job))
        #expect(try test.get("/jobs/\(job)").status == 404)
        // The next job is kept.
        let next = try test.service.jobs.begin(.comparison(RulesJob(yaml: Self.rules)))
        for _ in 0..<2000 where try test.get("/v1/jobs/\(next)").json["state"] as? String != "done" { usleep(5000) }
        #expect(try test.get("/v1/jobs/\(next)").status == 200)
    }

    @Test func aJobsResultEndsWithAnErasureByTheService() throws {
        try erased { test, _ in _ = try test.send("DELETE", "/v1/learners/ana-marker") }
    }

    @Test func aJobsResultEndsWithAnErasureByAnotherProcess() throws {
        try erased { _, store in
            let other = try ProgressEngine(store: store, rules: nil, clock: 0)
            _ = try other.erase(learner: "ana-marker")
        }
    }

    @Test func accessLogsHashLearnersWithADailyKey() throws {
        let pipe = Pipe()
        let day = Clock(Date(timeIntervalSince1970: 86_400 * 20_000))
        let log = RequestLog(.json, descriptor: pipe.fileHandleForWriting.fileDescriptor, now: { day.now })
        let paths = [
            "/v1/learners/ana-marker/progress", "/learners/ana-marker", "/v1/learners/%61na-marker/typo",
            "/v1/le%61rners/ana-marker/x", "/v1/learners//ana-marker",
        ]
        func note(_ path: String) {
            let head = HTTPRequestHead(method: "GET", target: path)
            log.note(head, route: "-", status: 200, seconds: 0, caller: "learner:ana-marker")
        }
        for path in paths { note(path) }
        day.now += 86_400
        note(paths[0])
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(!text.contains("ana"))
        let lines = text.split(separator: "\n")
        let hashes = lines.compactMap { $0.firstMatch(of: /"caller":"learner:(~[0-9a-f]{12})"/)?.1 }
        #expect(hashes.count == 6 && Set(hashes).count == 2 && hashes[5] != hashes[0])
        for (line, hash) in zip(lines, hashes) { #expect(line.components(separatedBy: hash).count == 3, "\(line)") }
        #expect(lines[0].contains("/v1/learners/\(hashes[0])/progress"))
    }
}

/// Records that a service keeps for some days.
@Suite struct RetentionTests {
    @Test func recordsAreKeptForTheirDays() throws {
        let clock = Clock(Date())
        let test = try TestService(partitions: 4) { options in
            options.keepQuarantineDays = 7
            options.keepAuditDays = 30
            options.keepWebhookMessagesDays = 2
            options.now = { clock.now }
        }
        try test.service.engine.note(AuditNote(.keyMade, by: AuditActor(name: "a test"), learner: "ana"))
        try test.post("{}\n[]\n")
        let service = test.service
        let task = RetentionTask(service.engine, service.jobs, service.webhooks, service.options)
        func kept() throws -> [Int] {
            [try service.engine.quarantinedLines().count, try service.engine.auditLog().count]
        }
        try task.run(at: clock.now)
        #expect(try kept() == [2, 1])
        clock.now += 8 * 86_400
        try task.run(at: clock.now)
        #expect(try kept() == [0, 1])
        clock.now += 23 * 86_400
        try task.run(at: clock.now)
        #expect(try kept() == [0, 0])
        #expect(try service.engine.serviceRecords(prefix: "audit").isEmpty)
    }

    @Test func settingsAreDaysOrNever() throws {
        for name in ["keep-quarantine-days", "keep-jobs-days", "keep-webhook-messages-days", "keep-audit-days"] {
            let setting = try #require(ServiceSetting.all.first { $0.name == name })
            var options = ServiceOptions()
            for (text, value) in [("7", "7"), ("never", "never"), ("0", "never")] {
                #expect(setting.set(&options, text) == nil && setting.value(in: options) == value, "\(name) \(text)")
            }
            for text in ["-1", "x", "", "36501"] { #expect(setting.set(&options, text) != nil, "\(name) \(text)") }
        }
        let usual = ServiceOptions()
        #expect(usual.keepQuarantineDays == nil && usual.keepWebhookMessagesDays == nil)
        #expect(usual.keepJobsDays == 30 && usual.keepAuditDays == 365)
    }
}

/// A clock that a test sets forward.
private final class Clock: @unchecked Sendable {
    var now: Date
    init(_ date: Date) { now = date }
}
