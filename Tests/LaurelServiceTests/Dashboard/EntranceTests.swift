// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import Testing

@testable import LaurelService

/// Signing in, and attacks on it.
@Suite struct EntranceTests {
    static let own: HTTPHeaders = [
        "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded",
    ]

    /// The cookie after signing in with a key or token.
    static func cookie(_ test: TestService, _ credential: HTTPHeaders) throws -> HTTPHeaders {
        let key = String(credential["Authorization"]!.dropFirst(7))
        let answer = try test.send("POST", "/sign-in", "key=\(PercentCoding.encode(key))", headers: own)
        #expect(answer.status == 303)
        let field = try #require(answer.headers["Set-Cookie"])
        #expect(field.contains("; HttpOnly; SameSite=Strict; Max-Age=43200"))
        return ["Cookie": String(field.prefix { $0 != ";" })]
    }

    @Test func aKeyIsExchangedForACookie() throws {
        let test = try TestService()
        let cookie = try Self.cookie(test, try test.key([.read, .admin]))
        #expect(try test.get("/home").headers["Location"] == "/sign-in")
        #expect(try test.get("/learners/ana?x=1").headers["Location"] == "/sign-in?next=%2Flearners%2Fana%3Fx%3D1")
        #expect(try test.get("/home", headers: cookie).status == 200)
        #expect(try test.get("/v1/learners", headers: cookie).status == 200)
        let value = cookie["Cookie"]!
        let rows: [(name: String, cookie: String)] = [
            ("another id", String(value.dropLast(3)) + "AAA"),
            ("of nothing", "laurel_session="), ("of another name", value.replacing("laurel_", with: "other_")),
        ]
        for row in rows {
            #expect(try test.get("/v1/learners", headers: ["Cookie": row.cookie]).status == 401, "\(row.name)")
        }
        let out = try test.send("POST", "/sign-out", headers: Self.own)
        #expect(out.headers["Set-Cookie"]?.hasPrefix("laurel_session=; ") == true)
    }

    @Test func wrongKeysOpenNothing() throws {
        let test = try TestService()
        let ingest = try test.key([.ingest])["Authorization"]!.dropFirst(7)
        for (key, status) in [("x", 401), ("laurel_00_x", 401), ("", 401), (String(ingest), 403)] {
            let answer = try test.send("POST", "/sign-in", "key=\(PercentCoding.encode(key))", headers: Self.own)
            #expect(answer.status == status, "\(key)")
            #expect(answer.headers["Set-Cookie"] == nil)
        }
    }

    @Test func aRevokedKeyEndsItsCookies() throws {
        let test = try TestService()
        let key = try test.key([.read])
        let cookie = try Self.cookie(test, key)
        _ = try test.key([.read])
        let id = try test.id(ofKey: key)
        _ = try AccessKeys(test.service.engine).revoke(id)
        try test.service.keys.reload()
        #expect(try test.get("/home", headers: cookie).status == 303)
    }

    @Test func `a copy of the store signs nobody in`() throws {
        let test = try TestService()
        let cookie = try Self.cookie(test, try test.key([.admin]))
        let id = String(cookie["Cookie"]!.dropFirst("laurel_session=".count))
        let records = try test.service.engine.serviceRecords(prefix: "")
        let session = try #require(records.first { $0.key.hasPrefix(ServiceRecords.sessions) })
        #expect(!records.contains { $0.key.contains(id) || $0.value.contains(id) })
        let stored = [String(session.key.dropFirst(ServiceRecords.sessions.count)), session.key, session.value]
        for text in stored + records.filter({ $0.key.hasPrefix(ServiceRecords.signingKeys) }).map(\.value) {
            let forged: HTTPHeaders = ["Cookie": "laurel_session=\(PercentCoding.encode(text))"]
            #expect(try test.get("/v1/learners", headers: forged).status == 401, "\(text)")
        }
    }

    @Test func `signing out and time end a session`() throws {
        let test = try TestService()
        let key = try test.key([.admin])
        let cookie = try Self.cookie(test, key)
        let other = try Self.cookie(test, key)
        var headers = cookie
        headers["Sec-Fetch-Site"] = "same-origin"
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        #expect(try test.send("POST", "/sign-out", headers: headers).status == 303)
        #expect(try test.get("/v1/learners", headers: cookie).status == 401)
        #expect(try test.get("/v1/learners", headers: other).status == 200)
        try test.service.keys.sweep(at: Date() + 12 * 3600 + 1)
        #expect(try test.service.engine.serviceRecords(prefix: ServiceRecords.sessions).isEmpty)
        try test.service.keys.reload()
        #expect(try test.get("/v1/learners", headers: other).status == 401)
    }

    @Test func `nodes share sessions`() throws {
        let test = try TestService()
        let cookie = try Self.cookie(test, try test.key([.admin]))
        // The node has not seen the session yet.
        try test.service.engine.setServiceRecords([:])
        let ring = try KeyRing(test.service.engine, ServiceOptions())
        let head = HTTPRequestHead(method: "GET", target: "/home", headers: cookie)
        #expect(try ring.caller(of: head, token: nil).may(.admin))
    }

    @Test func theCookieIsSecureBehindTLS() throws {
        let test = try TestService()
        let key = String(try test.key([.read])["Authorization"]!.dropFirst(7))
        var headers = Self.own
        headers["X-Forwarded-Proto"] = "https"
        let answer = try test.send("POST", "/sign-in", "key=\(PercentCoding.encode(key))", headers: headers)
        #expect(answer.headers["Set-Cookie"]?.hasSuffix("; Secure") == true)
    }

    @Test func nobodyIsSentElsewhere() throws {
        let test = try TestService()
        let key = String(try test.key([.read])["Authorization"]!.dropFirst(7))
        for next in ["https://evil.example/", "//evil.example", "/\\evil.example", "/a\nb", ""] {
            let body = "key=\(PercentCoding.encode(key))&next=\(PercentCoding.encode(next))"
            let answer = try test.send("POST", "/sign-in", body, headers: Self.own)
            #expect(answer.headers["Location"] == "/home", "\(next)")
        }
    }

    @Test func onlyOwnPagesChangeSomething() throws {
        let test = try TestService()
        let key = try test.key([.read, .admin, .ingest])
        let rows: [(name: String, headers: HTTPHeaders, isTaken: Bool)] = [
            ("of the same origin", ["Sec-Fetch-Site": "same-origin"], true),
            ("by Origin", ["Origin": "http://localhost:8080"], true),
            ("from elsewhere", ["Sec-Fetch-Site": "cross-site"], false),
            ("from a neighbour", ["Sec-Fetch-Site": "same-site"], false),
            ("by another Origin", ["Origin": "https://evil.example"], false),
            ("by Origin null", ["Origin": "null"], false), ("without either", [:], false),
            ("where both disagree", ["Sec-Fetch-Site": "cross-site", "Origin": "http://localhost:8080"], false),
        ]
        for row in rows {
            var headers = row.headers
            // Signing out ends the session.
            headers["Cookie"] = try Self.cookie(test, key)["Cookie"]
            let answer = try test.send("POST", "/v1/replay", headers: headers)
            #expect(answer.status == (row.isTaken ? 202 : 403), "\(row.name)")
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            #expect(
                try test.send("POST", "/sign-out", headers: headers).status == (row.isTaken ? 303 : 403),
                "\(row.name)"
            )
        }
    }

    @Test func pagesAreInNobodysFrame() throws {
        let test = try TestService()
        for path in ["/home", "/sign-in", "/nowhere"] {
            let answer = try test.get(path, headers: ["Accept": "text/html"])
            let policy = try #require(answer.headers["Content-Security-Policy"])
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(answer.headers["X-Frame-Options"] == "DENY")
            #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
            #expect(
                !answer.text.contains(" style=") && !answer.text.contains("<style")
                    && !answer.text.contains(#/ on[a-z]+=/#)
            )
        }
    }

    /// The token must not show other learners, on any page or route.
    @Test func aLearnersTokenShowsThatLearner() throws {
        let test = try TestService()
        let admin = try test.key([.read, .admin, .ingest])
        try test.post(event("1", learner: "ana") + "\n" + event("1", learner: "bob"), headers: admin)
        let token = LearnerToken(learner: "ana", scopes: [.read], seconds: 60, at: Date())
        let cookie = try Self.cookie(test, ["Authorization": "Bearer \(try test.service.keys.text(of: token))"])
        #expect(try test.get("/home", headers: cookie).headers["Location"] == "/learners/ana")
        #expect(try test.get("/learners/ana", headers: cookie).status == 200)
        for route in Route.all where route.access != .anonymous && route.reach != .caller {
            let path = route.path.replacing("{id}", with: "bob").replacing("{session}", with: "s")
                .replacing("{source}", with: "app").replacing("{event}", with: "1")
            var headers = cookie
            headers["Sec-Fetch-Site"] = "same-origin"
            let answer = try #require(test.server.send(HTTPRequest(route.method, path, headers: headers)))
            #expect(answer.status == 403, "\(route.method) \(path): \(answer.status)")
        }
    }

    @Test func assetsAreKept() throws {
        let test = try TestService()
        for asset in Asset.all {
            let answer = try test.get(asset.path)
            #expect(answer.status == 200 && answer.bytes.count > 100)
            #expect(answer.headers["Cache-Control"]?.contains("immutable") == true)
            let tag = try #require(answer.headers["ETag"])
            #expect(try test.get(asset.path, headers: ["If-None-Match": tag]).status == 304)
        }
    }
}

@Suite struct HTMLTests {
    @Test func whatIsTextComesOutEscaped() {
        let evil = "<script>alert(1)</script>\"'&\u{202E}\u{0}"
        var html = HTML()
        html.element("p", ["class": evil, "title": evil], text: evil)
        html.data(evil)
        html.lines(evil + "\n\t" + evil)
        html.element("a", ["href": Link("learners", evil, query: ["a": evil]).text]) { $0.write(evil) }
        #expect(!html.text.contains("<script"))
        #expect(!html.text.contains("\"'"))
        #expect(!html.text.contains("\u{0}"))
        #expect(html.text.contains("&#39;"))
    }

    @Test func longTextsAreCut() {
        var html = HTML()
        html.data(String(repeating: "é", count: 10_000))
        #expect(html.text.count < 200)
    }

    @Test(
        "Numbers and days in the reader's language",
        arguments: [
            (nil, "12,345.5", "Thu, 2 Apr 2026"), ("de-DE, en;q=0.5", "12.345,5", "Do. 2. Apr. 2026"),
            ("en;q=0.5, xx, fr;q=0.9", "12\u{202F}345,5", "jeu. 2 avr. 2026"), ("en-GB", "12,345.5", "Thu, 2 Apr 2026"),
            ("de;q=0, *", "12,345.5", "Thu, 2 Apr 2026"), ("\"<;=,;q=x", "12,345.5", "Thu, 2 Apr 2026"),
        ] as [(String?, String, String)]
    )
    func languages(header: String?, number: String, day: String) {
        LocaleText.$current.withValue(ReaderLanguage.texts(header)) {
            #expect(WrittenText.number(12_345.5) == number)
            #expect(WrittenText.time(Date(timeIntervalSince1970: 1_775_152_800)) == "\(day), 18:00 UTC")
        }
    }

    @Test func formsAreReadAsBrowsersWriteThem() throws {
        let head = HTTPRequestHead(
            method: "POST",
            target: "/",
            headers: ["Content-Type": "multipart/form-data; boundary=xyz"]
        )
        let body = """
            --xyz\r\nContent-Disposition: form-data; name="rules"\r\n\r\nversion: 1\nname: a\r\n\
            --xyz\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\
            Content-Type: application/octet-stream\r\n\r\n\r\n--xyz--\r\n
            """
        let fields = try FormBody.fields(Array(body.utf8), head)
        #expect(fields["rules"] == "version: 1\nname: a")
        #expect(fields["file"] == nil)
        #expect(Fields("a=1&b=&c=%C3%A9+x&a=2").all("a") == ["1", "2"])
        #expect(Fields("c=%C3%A9+x")["c"] == "é x")
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")])
    func numbersAreGrouped(number: Int, text: String) {
        #expect(WrittenText.number(number) == text)
    }
}
