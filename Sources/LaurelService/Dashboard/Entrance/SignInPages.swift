// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelHTTP
import LaurelReports

/// The pages for signing in and out.
extension Route {
    static let signInPages = [
        page("/sign-in", access: .anonymous) { visit in
            SignIn.page(next: visit.fields["next"], problem: nil)
        },
        form("/sign-in", access: .anonymous) { visit in
            do {
                let secret = (visit.fields["key"] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
                let session = try visit.service.keys.signIn(secret)
                var response = Visit.seeOther(SignIn.path(visit.fields["next"]))
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

    /// The page to show after signing in. Only a path of this service is allowed.
    static func path(_ next: String?) -> String {
        guard let next, next.hasPrefix("/"), !next.hasPrefix("//"), !next.contains("\\"),
            next.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return "/home" }
        return next
    }
}
