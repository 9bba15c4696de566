// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelStore
import StoreTesting
import Testing

@testable import LaurelService

@Suite struct AdministrationTests {
    private static let rules = """
        version: 1
        name: doubled
        xp:
          - {id: line, on: line.spoken, award: 7}
        """

    private func finished(_ test: TestService, _ response: HTTPResponse) throws -> HTTPResponse {
        #expect(response.status == 202, "\(response.text)")
        let place = try #require(response.headers["Location"])
        for _ in 0..<2000 {
            let job = try test.get(place)
            if ["done", "failed"].contains(job.json["state"] as? String) { return job }
            usleep(5000)
        }
        return try test.get(place)
    }

    @Test func rulesAreCheckedComparedAndApplied() throws {
        let test = try TestService()
        try test.post(event("1"))
        let check = try test.send("POST", "/v1/rules/check", "version: 1\nxpp: []\n", type: "application/yaml")
        #expect(check.status == 200 && check.text.contains("unknown key `xpp`"))
        for path in ["/v1/rules/check", "/v1/rules/diff"] {
            let empty = try test.send("POST", path, " \n", type: "application/yaml")
            #expect(empty.status == 400 && empty.code == "invalid-request", "\(path)")
        }
        let wrong = try test.send("POST", "/v1/rules/diff", "version: 1\nxpp: []\n", type: "application/yaml")
        #expect(wrong.status == 422 && wrong.code == "invalid-rules" && wrong.json["diagnostics"] != nil)
        let sound = try test.send("POST", "/v1/rules/check", Self.rules)
        #expect((sound.json["diagnostics"] as? [Any])?.isEmpty == true, "\(sound.text)")
        #expect(try test.send("POST", "/v1/rules/diff", Self.rules).status == 200)
        for variant in ["pay", "experiments.pay%3Dmore"] {
            let refused = try test.send("POST", "/v1/rules/diff?variant=\(variant)", Self.rules)
            #expect(refused.status == 400 && refused.code == "invalid-request", "\(refused.text)")
        }
        let tag = try #require(try test.get("/v1/rules").headers["ETag"])
        #expect(try test.send("PUT", "/v1/rules", Self.rules).code == "if-match-needed")
        #expect(try test.send("PUT", "/v1/rules", Self.rules, headers: ["If-Match": "\"other\""]).status == 412)
        let job = try finished(test, test.send("PUT", "/v1/rules", Self.rules, headers: ["If-Match": tag]))
        #expect(job.json["state"] as? String == "done", "\(job.text)")
        #expect(try test.get("/v1/learners/ana/progress?at=2026-04-06T00:00:00Z").json["totalXP"] as? Int == 7)
        #expect(try test.get("/v1/rules/history").list.count == 2)
    }

    @Test func replayAndVerificationAreJobs() throws {
        let test = try TestService()
        try test.post(event("1"))
        for path in ["/v1/replay", "/v1/verify"] {
            let job = try finished(test, test.send("POST", path))
            #expect(job.json["state"] as? String == "done" && job.json["share"] as? Double == 1, "\(job.text)")
            #expect(job.json["result"] is [String: Any])
        }
    }

    @Test func exportGivesTheEventsBack() throws {
        let test = try TestService()
        let lines = (0..<2000).map { event("\($0)", learner: "learner-\($0 % 2)") }
        try test.post(lines.joined(separator: "\n"))
        let response = try test.get("/v1/export?learner=learner-1")
        guard case .stream(let stream) = response.body else {
            Issue.record("no stream: \(response.text)")
            return
        }
        var bytes: [UInt8] = []
        let start = Date()
        while bytes.count(where: { $0 == 10 }) < 1000, Date().timeIntervalSince(start) < 10 {
            bytes += stream.readAll()
        }
        let engine = try ProgressEngine.inMemory()
        #expect(try engine.ingest(cloudEvents: Data(bytes)).stored == 1000)
        #expect(try test.get("/v1/export?learner=nobody").status == 404)
    }

    @Test func anExportThatCannotGoOnBreaksOff() throws {
        let store = WatchedStore(MemoryStore())
        let test = try TestService(over: store)
        try test.post(event("1"))
        struct Unreadable: Error {}
        store.willRead = { throw Unreadable() }
        guard case .stream(let stream) = try test.get("/v1/export").body else {
            Issue.record("no stream")
            return
        }
        let start = Date()
        while !stream.isAborted, Date().timeIntervalSince(start) < 10 { usleep(2000) }
        #expect(stream.isAborted && stream.readAll().isEmpty)
    }

    @Test func theDescriptionHasEveryRouteAndItsExamplesWork() throws {
        let test = try TestService()
        let document = try test.get("/openapi.json").json
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        #expect(paths.values.reduce(0) { $0 + $1.count } == Route.all.count { !$0.isPage })
        // One of the examples buys an item.
        try test.service.engine.apply(Rules(yaml: "version: 1\nitems: {streak_freeze: {}}"))
        // One of the examples corrects a quarantined line, another makes a key. From then on each request needs a key.
        try test.post("{}")
        var headers = try test.key([.ingest, .read, .admin])
        headers["If-Match"] = "*"
        for route in Route.all {
            guard let body = route.body else { continue }
            let response = try test.send(
                route.method,
                route.path.replacing("{id}", with: "1").replacing("{name}", with: "weekly-xp"),
                body.example,
                type: body.mediaTypes[0],
                headers: headers
            )
            #expect((200..<300).contains(response.status), "\(route.path): \(response.text)")
        }
        let names = Route.all.map { "\($0.method) \($0.path)" }
        #expect(Set(names).count == names.count)
    }

    /// All answers in tests are compared with the description: see ``DescribedAnswer``.
    @Test func everyAnswerIsDescribed() throws {
        let test = try TestService()
        try test.post((1...4).map { event("\($0)", day: $0) }.joined(separator: "\n") + "\n{}")
        for route in Route.all where route.answer.mediaType == "application/json" && route.path != "/openapi.json" {
            #expect(!route.answer.types.isEmpty, "\(route.path)")
        }
        let learner = "/v1/learners/ana/"
        for target in [
            "/", "/healthz", "/readyz", "/v1/learners", "/v1/leaderboard?all-time", "/v1/reports", "/v1/rules",
            "/v1/rules/history",
            "/v1/quarantine", "/v1/webhooks", "/v1/reports/weekly-xp?learner=ana&week=2026-W14", "/v1/reports/mastery",
        ]
            + [
                "progress", "tracks", "words", "vocabulary", "sessions", "achievements", "study-time",
                "explain/xp", "explain/streak",
                "explain/achievements/first-words",
            ].map({ learner + $0 })
        {
            let response = try test.get(target)
            #expect(response.status == 200 || target.contains("explain"), "\(target): \(response.text.prefix(300))")
        }
    }

    @Test(arguments: ["laurel.js", "laurel.d.ts"])
    func theClientForBrowsersIsTheOneOfTheRepository(_ name: String) throws {
        let test = try TestService()
        let repository = URL(filePath: #filePath).appending(path: "../../..").standardized
        let first = try test.get("/\(name)")
        #expect(
            first.text
                == (try String(contentsOf: repository.appending(path: "Clients/JavaScript/\(name)"), encoding: .utf8))
        )
        #expect(first.headers["X-Content-Type-Options"] == "nosniff")
        let again = try test.get("/\(name)", headers: ["If-None-Match": try #require(first.headers["ETag"])])
        #expect(again.status == 304 && again.bytes.isEmpty && again.headers["ETag"] == first.headers["ETag"])
    }

    @Test func metricsAreOnlyOfRoutes() throws {
        let test = try TestService()
        for path in ["/v1/learners/ana/progress", "/v1/learners/bob/progress", "/x", "/y"] { _ = try test.get(path) }
        let text = try test.get("/metrics").text
        #expect(
            text.contains(
                #"laurel_http_requests_total{method="GET",route="/v1/learners/{id}/progress",status="404"} 2"#
            )
        )
        #expect(text.contains(#"laurel_http_requests_total{method="GET",route="-",status="404"} 2"#))
        #expect(!text.contains("ana"))
    }
}

@Suite struct ConfigurationTests {
    @Test func everySettingIsAKey() throws {
        let text = """
            store: school.db
            listen: "[::1]:9000"
            metrics-listen: 127.0.0.1:9001
            log: json
            cors-origins: [https://app.example, https://other.example]
            requests-per-second: 50
            queue-megabytes: 8
            """
        let options = try ServiceOptions(ConfigurationFile.read(Array(text.utf8), file: "laurel.yaml"))
        #expect(options.store == "school.db" && options.listen == ListenAddress(host: "::1", port: 9000))
        #expect(options.metricsListen?.port == 9001 && options.log == .json && options.requestsPerSecond == 50)
        #expect(options.corsOrigins == ["https://app.example", "https://other.example"])
        #expect(options.queueBytes == 8 << 20)
    }

    @Test func mistakesAreToldWithTheirPlaces() {
        let text = "listen: nowhere\nlgo: json\nthreads: 0\n"
        do {
            _ = try ConfigurationFile.read(Array(text.utf8), file: "laurel.yaml")
            Issue.record("it was taken")
        } catch let error as EngineError {
            let places = error.diagnostics.map { "\($0.line):\($0.column)" }
            #expect(places == ["1:9", "2:1", "3:10"], "\(error)")
            #expect(error.message.contains("laurel.yaml:2:1: error: unknown key `lgo`"))
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func whatComesFirstCounts() throws {
        let given = [
            GivenSetting("store", "flag.db", from: SettingSource("--store")),
            GivenSetting("store", "environment.db", from: SettingSource("LAUREL_STORE")),
            GivenSetting("threads", "2", from: SettingSource("laurel.yaml")),
        ]
        let options = try ServiceOptions(given)
        #expect(options.store == "flag.db" && options.threads == 2)
        #expect(throws: EngineError.self) {
            try ServiceOptions([GivenSetting("threads", "many", from: SettingSource("LAUREL_THREADS"))])
        }
    }
}
