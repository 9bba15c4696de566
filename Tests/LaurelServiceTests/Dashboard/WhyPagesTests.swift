// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// The dashboard's explanations have the same content as `laurel explain`.
@Suite struct WhyPagesTests {
    private let test: TestService

    init() throws {
        test = try TestService()
        let word = event("2").replacing("line.spoken", with: "word.added")
            .replacing(#"{"accuracy":0.9}"#, with: #"{"word":"sol"}"#)
        #expect(try test.post(event("1") + "\n" + word).status == 200)
    }

    /// The words of a page, without its tags.
    private func words(_ page: String) throws -> String {
        let answer = try test.get("/learners/ana/why/\(page)")
        #expect(answer.status == 200)
        return answer.text.replacing(#/<[^>]*>/#, with: "").replacing("&gt;", with: ">").replacing("&lt;", with: "<")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }

    @Test(arguments: [
        ("xp", "1 line gave 2 XP"), ("xp", "1 added word gave nothing: the rule's condition did not hold"),
        ("xp", "event.accuracy >= 0.9 ? 2 : 1 = 0.9 >= 0.9 ? 2 : 1 = 2"),
        ("xp", "withheld by word.is_new && (event.type == 'word.encountered' || event.session != null)"),
        ("streak?day=2026-04-05", "days with an event for which day.exercises >= 1"),
        ("streak?day=2026-04-05", "practised: the streak grew to 1 day"),
        ("streak?day=2026-04-05", "(1 >= 1 is true)"),
        ("achievement?achievement=speaker", "total.lines = 1, 99 short of 100"),
        ("word?word=sol", "mastery 0 of 5, new, not learned: mastery is below 3"), ("word?word=sol", "known from here"),
        ("achievement?achievement=speaker", "Locked: 99 of 100 are missing for tier 1."),
        ("word?word=sol", "Not learned yet: mastery is 0 of 5, and has to reach 3; never reviewed"),
    ]) func `a page says what the command prints`(page: String, sentence: String) throws {
        #expect(try words(page).contains(sentence))
    }

    @Test func `what a story names leads to its page`() throws {
        let page = try test.get("/learners/ana/why/streak?day=2026-04-05").text
        #expect(page.contains(#"href="/learners/ana/event?source="#))
        #expect(page.contains(#"href="/learners/ana/why/xp?day="#))
        #expect(try test.get("/learners/ana/why/xp").text.contains(#"why/achievement?achievement=first_steps"#))
    }
}
