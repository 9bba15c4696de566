// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import Testing

@testable import LaurelService

/// Messages to learners as drafts.
@Suite struct DraftTests {
    private static let path = "/v1/reports/weekly-xp/messages"
    private static let week = "week=2026-W14"

    /// A service with two classes.
    private func service() throws -> TestService {
        let test = try TestService { $0.now = { try! Timestamp("2026-04-06T12:00:00Z").date } }
        let cohorts = [("ana", "red"), ("ben", "blue")].map { learner, cohort in
            event("c-\(learner)", learner: learner)
                .replacing("line.spoken", with: "learner.updated")
                .replacing(
                    /"data":\{[^}]*\}/,
                    with: #""data":{"displayName":"\#(learner.capitalized)","cohort":"\#(cohort)"}"#
                )
        }
        let lines = ["ana", "ben"].map { event("l-\($0)", learner: $0, day: 1) }
        let answer = try test.post((cohorts + lines).joined(separator: "\n"))
        #expect(answer.json["stored"] as? Int == 4, "\(answer.text)")
        return test
    }

    private func drafts(
        _ test: TestService,
        _ query: String,
        _ terms: String = "{}",
        headers: HTTPHeaders = [:]
    ) throws -> HTTPResponse {
        try test.send("POST", "\(Self.path)?\(query)", terms, type: "application/json", headers: headers)
    }

    @Test func aLearnersDraftIsAFile() throws {
        let answer = try drafts(
            try service(),
            "\(Self.week)&learner=ana",
            #"{"from":"School <s@example.com>","app":"https://app.example/{learner}","page":"","#
                + #""recipients":[{"learner":"ana","address":"ana@example.org","locale":"de_DE"}]}"#
        )
        #expect(answer.status == 200 && answer.headers["Content-Type"] == "message/rfc822")
        #expect(answer.headers["Content-Disposition"] == #"attachment; filename="ana.eml""#)
        let unfolded = answer.text.replacing("\r\n", with: "\n").replacing("\n ", with: " ")
        for line in [
            #"From: "School" <s@example.com>"#, #"To: "Ana" <ana@example.org>"#, "X-Unsent: 1",
            "https://app.example/ana",
        ] {
            #expect(unfolded.contains(line), "\(line)")
        }
        #expect(answer.text.contains("Hallo Ana"))
    }

    @Test func theDraftsOfManyAreAZipFile() throws {
        let test = try service()
        let answer = try drafts(test, Self.week)
        #expect(answer.status == 200 && answer.headers["Content-Type"] == "application/zip")
        #expect(answer.headers["Content-Disposition"] == #"attachment; filename="weekly-xp-2026-W14.zip""#)
        for name in ["ana.eml", "ben.eml", "learners.csv"] { #expect(answer.text.contains(name), "\(name)") }
        let red = try drafts(test, "\(Self.week)&cohort=red")
        #expect(red.text.contains("ana.eml") && !red.text.contains("ben.eml"))
    }

    @Test func aKeyThatMayReadReportsMakesDrafts() throws {
        let test = try service()
        #expect(try drafts(test, Self.week, headers: test.key([.read])).status == 200)
        #expect(try drafts(test, Self.week, headers: test.key([.ingest])).code == "missing-scope")
        var grant = KeyGrant([.read])
        grant.cohorts = ["red"]
        let teacher = try test.key(grant)
        let own = try drafts(test, Self.week, headers: teacher)
        #expect(own.status == 200 && own.text.contains("ana.eml") && !own.text.contains("ben.eml"))
        #expect(try drafts(test, "\(Self.week)&learner=ben", headers: teacher).code == "unknown-learner")
    }

    @Test(
        "What is wrong",
        arguments: [
            ("learner=nobody", "{}", 404, "unknown-learner"),
            ("cohort=green", "{}", 404, "unknown-cohort"),
            ("learner=ana&cohort=red", "{}", 400, "invalid-request"),
            ("", #"{"from":"nobody"}"#, 400, "invalid-request"),
            ("", #"{"app":"http://app.example"}"#, 400, "invalid-request"),
            ("", #"{"unsubscribe":"javascript:1"}"#, 400, "invalid-request"),
            ("", #"{"form":"a@b.c"}"#, 400, "unknown-member"),
            ("", #"{"recipients":[{"learner":"ana"}]}"#, 400, "invalid-json"),
            ("", #"{"recipients":[{"learner":"ana","address":"nowhere"}]}"#, 422, "invalid-report"),
            ("", "", 400, "invalid-json"),
        ]
    )
    func mistakes(query: String, terms: String, status: Int, code: String) throws {
        let answer = try drafts(try service(), "\(Self.week)&\(query)", terms)
        #expect(answer.status == status && answer.code == code, "\(answer.text)")
    }

    @Test func eachWrongRecipientIsNamed() throws {
        let answer = try drafts(
            try service(),
            Self.week,
            #"{"recipients":[{"learner":"ana","address":"a@b.c"},{"learner":"ana","address":"x","locale":"qq"}]}"#
        )
        let detail = answer.json["detail"] as? String ?? ""
        #expect(
            detail.hasPrefix("recipients[1]: `ana` is in recipients[0] already\nrecipients[1]: the address `x` needs")
        )
        #expect(detail.contains("recipients[1]: `qq` is no locale, such as de_DE"))
    }

    @Test func aReportThatIsAboutManyHasNoMessages() throws {
        let answer = try service().send(
            "POST",
            "/v1/reports/engagement/messages?\(Self.week)",
            "{}",
            type: "application/json"
        )
        #expect(answer.status == 400)
    }

    @Test func thePageOfAReportMakesDrafts() throws {
        let test = try service()
        let subject = "cohort=red&\(Self.week)"
        let page = try test.get("/reports/weekly-xp?\(subject)&show=true", headers: ["Accept": "text/html"])
        #expect(page.text.contains(#"action="/reports/weekly-xp/messages?cohort=red&amp;week=2026-W14""#))
        let without = try test.get("/reports/engagement?\(Self.week)&show=true", headers: ["Accept": "text/html"])
        #expect(without.status == 200 && !without.text.contains("/messages"))
        let form = """
            --xyz\r\nContent-Disposition: form-data; name="addresses"; filename="to.csv"\r\n\r\n\
            learner,address\nana,ana@example.org\n\r\n\
            --xyz\r\nContent-Disposition: form-data; name="from"\r\n\r\n\r\n--xyz--\r\n
            """
        let answer = try test.send(
            "POST",
            "/reports/weekly-xp/messages?\(subject)",
            form,
            type: "multipart/form-data; boundary=xyz",
            headers: EntranceTests.own
        )
        #expect(
            answer.status == 200 && answer.headers["Content-Type"] == "application/zip",
            "\(answer.text.prefix(300))"
        )
        #expect(answer.text.contains("ana.eml") && !answer.text.contains("ben.eml"))
    }
}
