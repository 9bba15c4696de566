// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelHTTP
import LaurelReports

/// The pages for signing in and out, and the choice of a language, which needs no key.
extension Route {
    static let signInPages = [
        page("/sign-in", access: .anonymous) { visit in
            SignIn.page(next: visit.fields["next"], problem: nil)
        },
        form("/sign-in", access: .anonymous) { visit in
            do {
                let secret = (visit.fields["key"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
                let session = try visit.service.keys.signIn(secret)
                var response = Visit.seeOther(Visit.path(next: visit.fields["next"]))
                response.headers["Set-Cookie"] = DashboardSession.header(session, for: visit.request.head)
                return response
            } catch let error as Problem {
                var page = SignIn.page(next: visit.fields["next"], problem: error.detail)
                page.status = error.status
                return Frame(visit).response(page)
            }
        },
        form("/sign-out", access: .anonymous) { visit in
            try visit.service.keys.signOut(visit.request.head)
            var response = Visit.seeOther("/sign-in")
            response.headers["Set-Cookie"] = DashboardSession.header(nil, for: visit.request.head)
            return response
        },
        form("/reader-language", access: .anonymous) { visit in
            var response = Visit.seeOther(Visit.path(next: visit.fields["next"]))
            let language = visit.fields["language"] ?? ""
            guard let cookie = ReaderLanguage.header(language, for: visit.request.head) else {
                throw Problem.badRequest("Laurel has no texts in the language “\(language.shortened)”")
            }
            response.headers["Set-Cookie"] = cookie
            return response
        },
    ]
}

private enum SignIn {
    static func page(next: String?, problem: String?) -> Page {
        Page("Sign in") { html in
            html.element("div", ["class": "entrance"]) { box in
                box.element("h1", text: "Sign in")
                box.element(
                    "p",
                    ["class": "lead"],
                    text: "The learners, the rules, and what comes in. Your key is exchanged for a cookie of 12 hours, "
                        + "and is kept nowhere."
                )
                if let problem {
                    box.element("p", ["class": "notice bad", "role": "alert"], text: sentence(problem))
                }
                box.post(Link("sign-in"), class: "stack") { form in
                    form.hidden("next", next)
                    form.field(
                        "Key or token",
                        name: "key",
                        type: "password",
                        help: "As laurel keys add printed it, or a learner’s token from your app.",
                        isRequired: true,
                        autocomplete: "current-password"
                    )
                    form.button("Sign in", class: "primary")
                }
            }
        }
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }
}
