// SPDX-License-Identifier: Apache-2.0
import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// Changes that pages make, tested without a browser.
@Suite struct AdministeringPagesTests {
    private let evil = "<script>alert(1)</script>"

    private func form(_ test: TestService, _ path: String, _ fields: KeyValuePairs<String, String>) throws
        -> HTTPResponse
    {
        let body = fields.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        return try test.send("POST", path, body, headers: EntranceTests.own)
    }

    @Test func everyPageOpensAndIsEscaped() throws {
        let test = try TestService()
        try test.post(
            event("1", learner: "ana") + "\n" + event("2", learner: "ana", accuracy: "95") + "\n{\"id\":\"<script>\"}"
        )
        for route in Route.all where route.isPage && route.method == "GET" && !route.path.contains("{") {
            let answer = try test.get(route.path)
            guard route.path != "/class" else {
                #expect(answer.headers["Location"] == "/learners")
                continue
            }
            #expect(answer.status == 200, "\(route.path): \(answer.text.prefix(200))")
            #expect(!answer.text.contains("<script>"), "\(route.path)")
        }
    }

    @Test func aLineIsRepairedAndLeavesQuarantine() throws {
        let test = try TestService()
        try test.post(event("1", accuracy: "95"))
        #expect(try test.get("/intake/quarantine/1").text.contains("accuracy"))
        let refused = try form(test, "/intake/quarantine/1", ["line": event("1", accuracy: "96")])
        #expect(refused.status == 422)
        #expect(try test.service.engine.quarantinedLines().map(\.id) == [1], "an attempt leaves nothing behind")
        let fed = try form(test, "/intake/quarantine/1", ["line": event("1", accuracy: "0.9")])
        #expect(fed.headers["Location"] == "/intake?done=fed#quarantine")
        #expect(try test.service.engine.quarantinedLines().isEmpty)
        #expect(try test.service.engine.learner("ana").progress()?.events == 1)
    }

    @Test func learnersWhoseIdsLookTheSameAreNoUnknownNames() throws {
        let test = try TestService()
        for (id, learner) in [("1", "Jos\u{E9}"), ("2", "Jose\u{301}")] { try test.post(event(id, learner: learner)) }
        let page = try test.get("/intake").text
        #expect(page.contains("Two learners who look like one") && !page.contains("Unknown names"))
        for id in ["Jos%C3%A9", "Jose%CC%81"] { #expect(page.contains("href=\"/learners/\(id)\""), "\(id)") }
    }

    @Test func rulesWithMistakesAreShownAtTheirLines() throws {
        let test = try TestService()
        let made = try form(
            test,
            "/rules/drafts",
            ["rules": "version: 1\nname: \(evil)\nxp:\n  - {id: a, on: line.spokn, award: 1}"]
        )
        let page = try test.get(try #require(made.headers["Location"]))
        #expect(page.text.contains("These rules have mistakes") && page.text.contains("line.spoken"))
        #expect(!page.text.contains("<script>"))
        #expect(try test.get("/rules/drafts/none").status == 404)
    }

    private func better(_ award: Int) -> String {
        "version: 1\nname: better\nxp:\n  - {id: a, on: line.spoken, award: \(award)}\n"
    }

    /// The page of a draft whose comparison has ended.
    private func compared(_ test: TestService, _ fields: KeyValuePairs<String, String>) throws -> (String, String) {
        let draft = try #require(try form(test, "/rules/drafts", fields).headers["Location"])
        return (draft, try page(test, draft, with: "Apply these rules"))
    }

    private func ended(_ test: TestService, _ answer: HTTPResponse) throws -> String {
        let place = try #require(answer.headers["Location"], "\(answer.text)")
        return try page(test, place, with: "To the rules")
    }

    /// A page as soon as it has a text, or after ten seconds.
    private func page(_ test: TestService, _ place: String, with text: String) throws -> String {
        for _ in 0..<2000 {
            let page = try test.get(place).text
            if page.contains(text) { return page }
            usleep(5000)
        }
        return try test.get(place).text
    }

    @Test func rulesAreAppliedAsTheyWereCompared() throws {
        let test = try TestService()
        try test.post(event("1"))
        let fields: KeyValuePairs = ["rules": better(70), "from": "2999-01-01", "keep-xp": "true"]
        let (draft, page) = try compared(test, fields)
        #expect(page.contains("No number of 1 learner changes."))
        #expect(page.contains("1 Jan 2999, each learner’s own day") && page.contains("XP from before that day stays"))
        #expect(!page.contains("Learners lose"), "rules from a later day take nothing away")
        #expect(page.contains("value=\"2999-01-01\"") && page.contains("award: 70"), "it can be changed further")
        // Other fields than those that were compared do not count.
        let job = try ended(test, form(test, draft + "/apply", ["from": "2026-01-01", "when": "beginning"]))
        #expect(job.contains("Scheduled for") && job.contains("1 Jan 2999."))
        #expect(try test.service.engine.rulesHistory().last?.from?.description == "2999-01-01")
    }

    @Test func theConsequenceStandsBeforeTheButtonAndThereIsAWayBack() throws {
        let test = try TestService()
        try test.post(event("1"))
        try test.post(event("2", learner: "ben"))
        let (draft, page) = try compared(test, ["rules": better(70)])
        #expect(page.contains("Numbers of 2 of 2 learners change: 2 "))
        let asked = try test.get(draft + "/apply").text
        #expect(asked.contains("Apply the rules better?") && asked.contains("Numbers of 2 of 2 learners change"))
        #expect(try ended(test, form(test, draft + "/apply", [:])).contains("The rules are in force."))
        let rules = try test.get("/rules").text
        #expect(rules.contains("href=\"/rules/1#try\"") && !rules.contains("Go back to version 2"))
        let former = try test.get("/rules/1").text
        #expect(former.contains("Go back to version 1") && former.contains("Check and compare"))
        #expect(!(try test.get("/rules/2").text.contains("Go back to")))
    }

    @Test func `nothing is destroyed before it is asked`() throws {
        let test = try TestService()
        let signIn = try test.key(KeyGrant(name: "mine", [.admin]))
        let phone = try test.id(ofKey: test.key(KeyGrant(name: "phone \(evil)", [.read])))
        let own = try test.id(ofKey: signIn)
        var cookie = try EntranceTests.cookie(test, signIn)
        try test.send("POST", "/v1/events", event("1", accuracy: "95"), type: "application/x-ndjson", headers: signIn)
        let webhook = Webhook(id: "w", url: "https://hook.example", events: [], secret: "whsec_", createdAt: Date())
        let record = String(decoding: try LaurelJSON.encode(webhook), as: UTF8.self)
        try test.service.engine.setServiceRecords([ProgressEngine.webhooks + "w": record])
        let rows: [(path: String, says: String)] = [
            ("/keys/\(phone)/revoke", "Revoke the key phone"), ("/keys/rotate?now=true", "end all tokens?"),
            ("/webhooks/w/remove", "Remove the webhook to https://hook.example?"),
            ("/jobs/replay", "Rebuild the progress of"),
            ("/intake/quarantine/1/remove", "Remove line 1 for good?"),
        ]
        for (path, says) in rows {
            let page = try test.get(path, headers: cookie).text
            let action = path.prefix { $0 != "?" }
            #expect(page.contains(says) && page.contains("method=\"post\" action=\"\(action)\""), "\(path): \(page)")
            #expect(page.contains(">Cancel</a>") && !page.contains("<script>alert"), "\(path)")
        }
        #expect(try test.service.engine.quarantinedLines().count == 1 && test.service.jobs.all().isEmpty)
        #expect(try test.get("/keys/\(own)/revoke", headers: cookie).status == 409)
        #expect(!(try test.get("/keys", headers: cookie).text.contains("/keys/\(own)/revoke")))
        for field in EntranceTests.own.fields { cookie[field.name] = field.value }
        #expect(try test.send("POST", "/keys/\(own)/revoke", headers: cookie).status == 409)
        #expect(try test.send("POST", "/keys/\(phone)/revoke", headers: cookie).status == 303)
    }

    @Test func rulesAreNotAppliedUnseen() throws {
        let test = try TestService()
        try test.post(event("1"))
        let refused = try form(test, "/rules/drafts", ["rules": better(70), "from": "tomorrow"])
        #expect(refused.status == 400 && refused.text.contains("is no day"))
        let (draft, _) = try compared(test, ["rules": better(70)])
        let stored = try test.service.drafts.draft(String(draft.split(separator: "/").last ?? ""))
        let unseen = Draft(id: "unseen", job: stored.job, check: stored.check, comparison: nil)
        try test.service.drafts.keep(unseen)
        #expect(try form(test, "/rules/drafts/unseen/apply", [:]).status == 409)
    }

    @Test func `a comparison may put every learner in one variant`() throws {
        let test = try TestService()
        try test.post(event("1"))
        let rules = """
            version: 1
            experiments:
              bonus: {variants: {none: 50, double: 50}}
            xp:
              - {id: line, on: line.spoken, award: "experiment.bonus == 'double' ? 7000 : 70"}

            """
        #expect(!(try test.get("/rules").text.contains("f-variant")), "the rules have no experiment")
        for variant in ["none", "double"] {
            let fields: KeyValuePairs = ["rules": rules, "variant": "experiments.bonus=\(variant)"]
            let draft = try #require(try form(test, "/rules/drafts", fields).headers["Location"])
            let page = try page(test, draft, with: "How the numbers change")
            #expect(page.contains("awards, not behaviour"), "\(variant): \(page)")
            #expect(page.contains("7,000") == (variant == "double"), "\(variant): \(page)")
            #expect(page.contains("value=\"experiments.bonus=\(variant)\" selected"), "\(variant)")
            #expect(!page.contains("Apply these rules"), "\(variant)")
            #expect(try form(test, draft + "/apply", [:]).status == 409, "\(variant)")
        }
        let unknown = try form(test, "/rules/drafts", ["rules": rules, "variant": "experiments.bonus=triple"])
        let place = try #require(unknown.headers["Location"])
        #expect(try page(test, place, with: "no variant").contains("no variant"))
        #expect(try form(test, "/rules/drafts", ["rules": rules, "variant": "triple"]).status == 400)
        let (_, page) = try compared(test, ["rules": rules])
        #expect(page.contains("Each learner’s own variant") && page.contains("Apply these rules"))
    }

    @Test func theFirstKeySignsIn() throws {
        let test = try TestService()
        #expect(try form(test, "/keys", ["scope": "read"]).status == 422, "nobody could make another")
        let made = try form(test, "/keys", ["scope": "admin"])
        let cookie = String(try #require(made.headers["Set-Cookie"]).prefix { $0 != ";" })
        let place = try #require(made.headers["Location"])
        #expect(try test.get(place).headers["Location"]?.hasPrefix("/sign-in") == true)
        #expect(try test.get(place, headers: ["Cookie": cookie]).text.contains("laurel_"))
        #expect(
            !(try test.get(place, headers: ["Cookie": cookie]).text.contains("class=\"secret\"")),
            "it is shown once"
        )
    }
}
