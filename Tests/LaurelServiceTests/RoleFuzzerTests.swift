// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import SeededRandom
import Testing

@testable import LaurelService

/// Every route and page with every kind of credential. Requests, verdicts and forbidden texts are derived from the
/// table of routes, so a new route is covered automatically.
@Suite struct RoleFuzzerTests {
    @Test func everyRouteAdmitsWhomItsAccessDeclares() throws {
        let world = try RoleWorld()
        var requests = 0
        for route in Route.all where route.path != "/sign-out" {
            for role in world.roles {
                for request in RoleRequest.all(of: route) {
                    let answer = try world.ask(request, as: role)
                    requests += 1
                    let expected = role.verdict(on: request)
                    let place = "\(route.method) \(request.target) as \(role.name): \(answer.status)"
                    #expect(
                        expected.admits(answer),
                        "\(place), which should be \(expected); \(answer.text.prefix(200))"
                    )
                    #expect(answer.status < 500 || answer.status == 503, "\(place) \(answer.text.prefix(300))")
                    #expect(world.leaks(in: answer, to: role, of: request) == [], "\(place)")
                }
            }
        }
        #expect(requests > 3000)
    }

    @Test func noParameterWidensALimit() throws {
        let seed: UInt64 = 35
        var random = SeededGenerator(seed: seed)
        let world = try RoleWorld()
        let limited = world.roles.filter { $0.sees != nil && $0.isValid && $0.caller.may(.read) }
        #expect(limited.count >= 5)
        let routes = Route.all.filter { $0.method == "GET" && $0.access != .anonymous && $0.reach != .allLearners }
        for number in 0..<1500 {
            let (route, role) = (routes.randomElement(using: &random)!, limited.randomElement(using: &random)!)
            let request = RoleRequest(fuzzed: route, &random)
            let answer = try world.ask(request, as: role)
            let place = "seed \(seed), request \(number), \(request.target) as \(role.name): \(answer.status)"
            #expect(answer.status < 500 || answer.status == 503, "\(place) \(answer.text.prefix(300))")
            #expect(world.leaks(in: answer, to: role, of: request) == [], "\(place)")
        }
    }

    @Test func aTeachersKeySeesOneClass() throws {
        let world = try RoleWorld()
        let teacher = try #require(world.roles.first { $0.name == "cohort" })
        func get(_ target: String) throws -> HTTPResponse { try world.test.get(target, headers: teacher.headers) }
        #expect(try get("/v1/class").json["total"] as? Int == 2)
        #expect(try get("/v1/class").json["cohorts"] as? [String] == ["red class"])
        #expect(try get("/v1/learners").list.compactMap { $0["learner"] as? String } == ["amy", "ana"])
        #expect(
            try get("/v1/leaderboard?all-time").list.compactMap { $0["learner"] as? String }.sorted() == ["amy", "ana"]
        )
        #expect(try get("/v1/learners/ana/progress").text.contains("7111100"))
        #expect(try get("/learners/ana").text.contains("711,110,0"))
        for target in [
            "/v1/learners/ben/progress", "/v1/learners/cy/words", "/v1/learners/nobody/progress", "/learners/ben",
            "/v1/leaderboard?around=ben", "/v1/reports/weekly-xp?learner=ben",
        ] {
            let answer = try get(target)
            #expect(answer.status == 404, "\(target): \(answer.status)")
            #expect(!answer.text.contains("ben"), "\(target)")
        }
        let unknown = try get("/v1/learners/nobody/progress").text
        #expect(try get("/v1/learners/ben/progress").text == unknown)
        for (target, status) in [
            ("/v1/learners?cohort=blue%20class", 404), ("/v1/learners?at=2026-04-01T00:00:00Z", 403),
            ("/v1/export", 403),
            ("/v1/quarantine", 403), ("/metrics", 403), ("/v1/audit", 403), ("/v1/rules", 200), ("/learners", 200),
        ] { #expect(try get(target).status == status, "\(target)") }
    }

    @Test func aTeachersStreamTellsOfOneClass() throws {
        let world = try RoleWorld()
        let teacher = try #require(world.roles.first { $0.name == "cohort" })
        var streams: [(stream: HTTPBodyStream, text: String)] = []
        for target in ["/v1/changes/stream", "/v1/stream?learner=ben&learner=ana", "/v1/learners/ben/stream"] {
            guard case .stream(let stream) = try world.test.get(target, headers: teacher.headers).body else {
                Issue.record("\(target) is no stream")
                return
            }
            streams.append((stream, ""))
        }
        func read(_ index: Int, until mark: String) {
            for _ in 0..<400 where !streams[index].text.contains(mark) {
                streams[index].text += String(decoding: streams[index].stream.readAll(), as: UTF8.self)
                usleep(10_000)
            }
            #expect(streams[index].text.contains(mark), "stream \(index): \(streams[index].text)")
        }
        _ = try world.test.service.engine.ingest(cloudEvents: Data(event("s1", learner: "ben").utf8))
        _ = try world.test.service.engine.ingest(cloudEvents: Data(event("s2", learner: "ana").utf8))
        world.test.service.hub.noticeCommit()
        read(0, until: "ana")
        read(1, until: "7111100")
        read(2, until: "data: null")
        for (index, stream) in streams.enumerated() {
            #expect(!stream.text.contains("ben") && !stream.text.contains("7333300"), "stream \(index)")
        }
        // A learner who leaves the class is no longer visible.
        _ = try world.test.service.engine.ingest(
            cloudEvents: Data(RoleWorld.profile("ana", "Ana-name-q7", "blue class", 9))
        )
        world.test.service.hub.noticeCommit()
        streams[1].text = ""
        read(1, until: "data: null")
        #expect(try world.test.get("/v1/learners/ana/progress", headers: teacher.headers).status == 404)
    }
}
