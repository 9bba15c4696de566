// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// The page of a group, and the links to it.
@Suite struct GroupPageTests {
    private static let rules = """
        version: 1
        metrics: {lines: {count: line.spoken}}
        streak: {when: day.lines >= 1}
        groups:
          friends: {streak: {need: all}, goals: [{id: "<b>lines", every: week, sum: lines, target: 2}]}
        """

    private static func event(_ id: String, _ learner: String, _ type: String, _ data: String) -> String {
        #"{"id":"\#(id)","source":"app","type":"\#(type)","subject":"\#(learner)","time":"2026-04-06T18:00:00Z","data":\#(data)}"#
    }

    private func service() throws -> TestService {
        // 2026-04-06T20:00:00Z
        let test = try TestService { $0.now = { Date(timeIntervalSince1970: 1_775_505_600) } }
        try test.service.engine.apply(Rules(yaml: Self.rules))
        let joining = #"{"group":"<i>team","kind":"friends"}"#
        let lines = ["ana", "ben"].map { Self.event("j", $0, "group.joined", joining) }
        try test.post((lines + [Self.event("l", "ana", "line.spoken", "{}")]).joined(separator: "\n"))
        return test
    }

    @Test func `shows the streak, the goals and the members`() throws {
        let test = try service()
        #expect(try test.get("/learners/ana").text.contains("/groups/%3Ci%3Eteam"))
        let page = try test.get("/groups/%3Ci%3Eteam")
        #expect(page.status == 200)
        for text in [
            "&lt;i&gt;team", "A learning group with 2 members.", "1 of 2", "The day counts with 2 active members.",
            "&lt;b&gt;lines", "1 of 2 this week", #"href="/learners/ana""#, "2026-04-06",
        ] {
            #expect(page.text.contains(text), "\(text)")
        }
        #expect(!page.text.contains("<b>lines") && !page.text.contains("<i>team"))
        #expect(try test.get("/groups/none").status == 404)
    }

    @Test(arguments: [("de", "Mitglieder"), ("es", "Miembros"), ("fr", "Membres"), ("ja", "メンバー")])
    func `speaks the reader's language`(language: String, word: String) throws {
        let page = try service().get("/groups/%3Ci%3Eteam", headers: ["Accept-Language": language]).text
        #expect(page.contains("<html lang=\"\(language)\">") && page.contains(word))
        #expect(!page.contains("A learning group") && !page.contains("Member since"))
    }
}
