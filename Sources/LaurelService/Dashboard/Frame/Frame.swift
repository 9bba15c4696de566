// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelHTTP
import LaurelReports
import LaurelWire

/// The parts that every page has, and the header fields of its answer.
struct Frame {
    /// The caller; nil for a caller that has not signed in.
    let caller: Caller?
    let isUnlocked: Bool
    /// The address of the page. After the reader has chosen a language, the browser shows this address again. The
    /// address is nil for the answer to a form and for a page about a problem; the browser then shows the first page.
    private let address: String?
    /// The worst result of the service's health checks. The navigation shows it to administrators.
    var condition = Finding.Status.ok

    init(_ visit: Visit) {
        let isEntrance = visit.request.route.access == .anonymous
        caller = isEntrance ? nil : visit.caller
        if let caller, Page.Section.health.isShown(to: caller) {
            condition = visit.service.condition.worst(of: visit.service, at: visit.now)
        }
        isUnlocked = visit.service.keys.isUnlocked
        address = visit.request.head.method == "GET" ? visit.request.head.target : nil
    }

    init(caller: Caller?, isUnlocked: Bool) { (self.caller, self.isUnlocked, address) = (caller, isUnlocked, nil) }

    func response(_ page: Page) -> HTTPResponse {
        var headers = Self.headers
        headers["Content-Type"] = "text/html; charset=utf-8"
        headers["Cache-Control"] = "private, no-store"
        headers["Content-Security-Policy"] = Self.policy
        headers["X-Frame-Options"] = "DENY"
        headers["Cross-Origin-Opener-Policy"] = "same-origin"
        return HTTPResponse(page.status, headers: headers, body: Array(text(page).utf8))
    }

    static let headers: HTTPHeaders = ["X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"]

    /// The content security policy: no content from other sites, no inline scripts or styles, and no embedding in
    /// frames.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    private func text(_ page: Page) -> String {
        HTML.page("\(page.title.written().shortened) · Laurel", language: LocaleText.current.language) { head in
            head.void("meta", ["name": "color-scheme", "content": "light dark"])
            head.void("link", ["rel": "icon", "type": "image/svg+xml", "href": Asset.icon.path])
            head.void("link", ["rel": "stylesheet", "href": Asset.style.path])
            head.element("script", ["src": Asset.script.path, "defer": ""], text: "")
        } body: { body in
            body.element("a", ["href": "#content", "class": "skip"], text: "Skip to the content")
            writeBar(page, &body)
            body.element("main", ["id": "content", "tabindex": "-1", "data-live": page.live?.text]) {
                $0.add(page.content)
            }
            writeLanguages(&body)
        }
    }

    /// Writes a button for each language.
    private func writeLanguages(_ body: inout HTML) {
        body.element("footer", ["class": "foot no-print"]) { foot in
            foot.post(Link("reader-language"), class: "languages") { form in
                form.hidden("next", address)
                for (tag, name) in LocaleText.languages {
                    let isChosen = tag == LocaleText.current.language
                    form.element(
                        "button",
                        [
                            "type": "submit", "name": "language", "value": tag, "lang": tag, "class": "quiet",
                            "aria-current": isChosen ? "true" : nil,
                        ],
                        text: name
                    )
                }
            }
        }
    }

    private func writeBar(_ page: Page, _ body: inout HTML) {
        body.element("header", ["class": "top"]) { bar in
            bar.element("a", ["href": "/", "class": "brand"]) { brand in
                brand.void("img", ["src": Asset.icon.path, "alt": "", "width": "24", "height": "24"])
                brand.write("Laurel")
            }
            guard let caller else { return }
            if caller.learner == nil {
                bar.element("nav", ["aria-label": WrittenText.text("Main")]) { nav in
                    nav.element("ul") { list in
                        for section in Page.Section.allCases
                        where section.isShown(to: caller) {
                            list.element("li") { item in
                                let isHere = section == page.section
                                item.element(
                                    "a",
                                    ["href": section.link.text, "aria-current": isHere ? "page" : nil]
                                ) { link in
                                    link.write(section.title)
                                    if section == .health { link.dot(condition) }
                                }
                            }
                        }
                    }
                }
            }
            if !isUnlocked {
                bar.post(Link("sign-out"), class: "out") { $0.button("Sign out", class: "quiet") }
            }
        }
    }
}

extension HTML {
    /// Writes a coloured dot for an error or a warning.
    fileprivate mutating func dot(_ condition: Finding.Status) {
        guard condition > .ok else { return }
        element("span", ["class": "dot \(condition.tone)"]) { dot in
            dot.element("span", ["class": "hidden"], text: ": \(condition.word)")
        }
    }
}

extension Problem {
    /// A page that shows the problem. A caller that has not signed in is redirected to the page for signing in.
    func page(to head: HTTPRequestHead, caller: Caller?, isUnlocked: Bool) -> HTTPResponse {
        if status == 401, head.method == "GET" {
            return Visit.seeOther(Link("sign-in").with("next", head.target == "/home" ? nil : head.target))
        }
        return LocaleText.$current.withValue(ReaderLanguage.texts(for: head)) {
            readerPage(caller: caller, isUnlocked: isUnlocked)
        }
    }

    private func readerPage(caller: Caller?, isUnlocked: Bool) -> HTTPResponse {
        var page = Page(title) { html in
            html.element("div", ["class": "entrance"]) { box in
                box.element("h1", text: title)
                box.element("p", ["class": "lead"]) { $0.write(sentence) }
                for diagnostic in diagnostics { box.element("p", ["class": "mono"], text: diagnostic.shortened) }
                box.element("p") { $0.link(Link("home"), "To the first page") }
            }
        }
        page.status = status
        var response = Frame(caller: caller, isUnlocked: isUnlocked).response(page)
        for field in headers.fields where field.name != "WWW-Authenticate" {
            response.headers[field.name] = field.value
        }
        return response
    }

    private var title: PageText {
        switch status {
        case 401: "Sign in first"
        case 403: "Not with this key"
        case 404: "Not found"
        case 409, 412: "Somebody was faster"
        case 503, 429: "Too busy at present"
        case 500...: "Something went wrong"
        default: "That cannot be done"
        }
    }

    private var sentence: String {
        detail.prefix(1).uppercased() + detail.dropFirst().prefix(2000) + (detail.hasSuffix(".") ? "" : ".")
    }

    private var diagnostics: [String] {
        guard case .array(let list)? = members["diagnostics"] else { return [] }
        return list.prefix(20).map(\.json)
    }
}
