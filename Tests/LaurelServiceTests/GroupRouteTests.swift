// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// The routes about groups, and what each caller sees of the members.
@Suite struct GroupRouteTests {
    private static let rules = """
        version: 1
        metrics: {lines: {count: line.spoken}}
        streak: {when: day.lines >= 1}
        groups:
          friends: {streak: {need: all}, goals: [{id: lines, every: week, sum: lines, target: 10}]}
        """

    private static let at = "at=2026-04-06T20:00:00Z"
    private let test: TestService

    init() throws {
        test = try TestService()
        try test.service.engine.apply(Rules(yaml: Self.rules))
        for (learner, name, cohort) in [("id-ana", "Ana", "red"), ("id-ben", "Ben", "blue"), ("id-cy", "Cy", "green")] {
            let group = learner == "id-cy" ? "other" : "team"
            var lines = [
                Self.event("p", learner, "learner.updated", #"{"displayName":"\#(name)","cohort":"\#(cohort)"}"#),
                Self.event("j", learner, "group.joined", #"{"group":"\#(group)","kind":"friends"}"#),
            ]
            if learner != "id-ben" { lines.append(Self.event("l", learner, "line.spoken", "{}")) }
            try test.post(lines.joined(separator: "\n"))
        }
    }

    private static func event(
        _ id: String,
        _ learner: String,
        _ type: String,
        _ data: String,
        at time: String = "2026-04-06T18:00:00Z"
    ) -> String {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"\#(learner)","time":"\#(time)","data":\#(data)}"#
    }

    /// A line that is spoken now.
    private static func line(_ id: String, _ learner: String) -> String {
        event(id, learner, "line.spoken", "{}", at: Date().ISO8601Format())
    }

    private func token(_ learner: String) throws -> HTTPHeaders {
        let token = LearnerToken(learner: learner, scopes: [.read], seconds: 3600, at: Date())
        return ["Authorization": "Bearer \(try test.service.keys.text(of: token))"]
    }

    /// The members as `id name practised share`.
    private func members(_ group: [String: Any]) throws -> [String] {
        try #require(group["members"] as? [[String: Any]]).map { member in
            let share = (member["shares"] as? [String: Any])?["lines"] as? Int ?? -1
            let practised = member["practisedToday"] as? Bool == true ? "yes" : "no"
            return "\(member["learner"] as? String ?? "-") \(member["displayName"] ?? "-") \(practised) \(share)"
        }
    }

    @Test func `an administrator sees all members`() throws {
        let admin = try test.key([.admin])
        let group = try test.get("/v1/groups/team?\(Self.at)", headers: admin).json
        #expect(try members(group) == ["id-ana Ana yes 1", "id-ben Ben no 0"])
        #expect(group["kind"] as? String == "friends" && group["day"] as? String == "2026-04-06")
        #expect((group["streak"] as? [String: Any])?["needed"] as? Int == 2)
        #expect(try test.get("/v1/learners/id-ben/groups?\(Self.at)", headers: admin).list.count == 1)
        let date = try Timestamp("2026-04-06T20:00:00Z").date
        let whole = try #require(try test.service.engine.group("team", at: date))
        let text = String(decoding: try LaurelJSON.encode(whole), as: UTF8.self) + "\n"
        #expect(try test.get("/v1/groups/team?\(Self.at)", headers: admin).text == text)
    }

    @Test func `a learner's token sees names, practice and shares of the learner's own groups`() throws {
        let ben = try token("id-ben")
        let answer = try test.get("/v1/groups/team?\(Self.at)", headers: ben)
        #expect(try members(answer.json) == ["- Ana yes 1", "id-ben Ben no 0"])
        #expect(!answer.text.contains("id-ana") && !answer.text.contains("red"))
        let own = try test.get("/v1/learners/id-ben/groups?\(Self.at)", headers: ben)
        #expect(try members(try #require(own.list.first)) == ["- Ana yes 1", "id-ben Ben no 0"])
        let refusals = [("/v1/groups/other", 404), ("/v1/groups/none", 404), ("/v1/learners/id-ana/groups", 403)]
        for (target, status) in refusals {
            let refused = try test.get(target, headers: ben)
            #expect(refused.status == status && !refused.text.contains("Cy"), "\(target)")
        }
        let unknown = try test.get("/v1/groups/none", headers: ben)
        #expect(unknown.code == "unknown-group")
        #expect(try test.get("/v1/groups/other", headers: ben).text == unknown.text)
    }

    @Test func `a learner who left sees the group no more`() throws {
        try test.post(Self.event("q", "id-ben", "group.left", #"{"group":"team"}"#))
        let ben = try token("id-ben")
        #expect(try test.get("/v1/groups/team", headers: ben).status == 404)
        #expect(try test.get("/v1/learners/id-ben/groups", headers: ben).list.isEmpty)
        #expect(try test.get("/v1/groups/team", headers: token("id-ana")).status == 200)
    }

    @Test func `a key for a cohort knows the members of the cohort`() throws {
        let teacher = try test.key(KeyGrant([.read], cohorts: ["red"]))
        let seen = try members(test.get("/v1/groups/team", headers: teacher).json)
        #expect(seen.map { $0.prefix(6) } == ["id-ana", "- Ben "])
        #expect(try test.get("/v1/groups/other", headers: teacher).status == 404)
        for group in ["team", "other", "none"] {
            #expect(try test.get("/v1/groups/\(group)?\(Self.at)", headers: teacher).status == 403, "\(group)")
        }
        #expect(try test.get("/v1/learners/id-cy/groups", headers: teacher).status == 404)
    }

    // MARK: Streams

    /// The groups that a stream has sent, each as ``members(_:)``; `["null"]` for a group that the caller may not see.
    private func groups(_ text: String) throws -> [[String]] {
        try text.components(separatedBy: "\n\n").filter { $0.hasPrefix("event: group\ndata: ") }.map { event in
            let data = Data(event.dropFirst("event: group\ndata: ".count).utf8)
            let group = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? [String: Any]
            return try group.map(members) ?? ["null"]
        }
    }

    @Test func `a member's practice updates the screens of the others`() throws {
        let ben = try test.stream(test.get("/v1/groups/team/stream", headers: token("id-ben")))
        var text = ""
        func last(is expected: [String]) throws {
            test.wait(ben, &text) { (try? groups($0).last) == expected }
            #expect(try groups(text).last == expected)
        }
        try last(is: ["- Ana no 0", "id-ben Ben no 0"])
        try test.post(Self.line("1", "id-ana"))
        try last(is: ["- Ana yes 1", "id-ben Ben no 0"])
        // Another process over the same store, as another node.
        let other = try ProgressEngine.open(path: test.path)
        try other.ingest(cloudEvents: Data(Self.line("2", "id-ben").utf8))
        try last(is: ["- Ana yes 1", "id-ben Ben yes 1"])
        let now = Date().ISO8601Format()
        try test.post(Self.event("3", "id-cy", "group.joined", #"{"group":"team"}"#, at: now))
        try last(is: ["- Ana yes 1", "id-ben Ben yes 1", "- Cy no 0"])
        try test.post(Self.event("4", "id-ben", "group.left", #"{"group":"team"}"#, at: now))
        try last(is: ["null"])
        for secret in ["id-ana", "id-cy", "red", "green"] { #expect(!text.contains(secret), "\(secret)") }
    }

    @Test func `the stream of a group that the caller may not see sends null once`() throws {
        let key = try test.key([.admin])
        let admin = try test.stream(test.get("/v1/groups/other/stream", headers: key))
        let callers = [try token("id-ben"), try test.key(KeyGrant([.read], cohorts: ["red"]))]
        var streams = try callers.flatMap { headers in
            try ["other", "none"].map { group in
                (stream: try test.stream(test.get("/v1/groups/\(group)/stream", headers: headers)), text: "")
            }
        }
        var seen = ""
        test.wait(admin, &seen) { $0.contains("id-cy") }
        try test.post(Self.line("1", "id-cy"), headers: key)
        test.wait(admin, &seen) { (try? groups($0).last) == ["id-cy Cy yes 1"] }
        #expect(try groups(seen).last == ["id-cy Cy yes 1"])
        for index in streams.indices {
            test.wait(streams[index].stream, &streams[index].text) { $0.hasSuffix("\n\n") }
            #expect(streams[index].text == "event: group\ndata: null\n\n", "stream \(index)")
        }
    }

    @Test func `many events of a group become few messages`() throws {
        let admin = try test.key([.admin])
        let streams = try (0..<3).map { _ in try test.stream(test.get("/v1/groups/team/stream", headers: admin)) }
        var texts = streams.map { _ in "" }
        for index in streams.indices { test.wait(streams[index], &texts[index]) { $0.contains("id-ana") } }
        let start = Date()
        for index in 0..<60 { try test.post(Self.line("\(index)", "id-ana"), headers: admin) }
        for index in streams.indices {
            test.wait(streams[index], &texts[index]) { (try? groups($0).last?.first) == "id-ana Ana yes 60" }
            let (found, seconds) = (try groups(texts[index]), Date().timeIntervalSince(start))
            #expect(found.last?.first == "id-ana Ana yes 60")
            #expect(Double(found.count) <= seconds * 4 + 4, "\(found.count) messages in \(seconds) s")
        }
    }
}
