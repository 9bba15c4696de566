// SPDX-License-Identifier: Apache-2.0

import LaurelReports

/// A page that asks before something is destroyed, at the path that its form posts to. It needs no scripts, and names
/// what is destroyed.
struct Confirmation {
    /// The question, such as “Revoke the key phone?”. Names in it come from data.
    let question: String
    /// The label of the button, which repeats the verb.
    let button: String
    /// The path that does it.
    let action: Link
    /// The page to which the reader goes back.
    let back: Link
    /// The fields that the form sends.
    var fields: [(name: String, value: String)] = []

    /// - Parameter consequence: writes what is lost, as paragraphs.
    func page(_ place: Page.Place, _ consequence: (inout HTML) throws -> Void) rethrows -> Page {
        try Page(question, place) { html in
            html.element("div", ["class": "head"]) { head in
                head.crumb(to: place, button)
                head.element("h1") { $0.data(question) }
            }
            try html.element("section", ["class": "exhibit consequence", "role": "alert"]) { card in
                try consequence(&card)
                card.post(action, class: "actions") { form in
                    for field in fields { form.hidden(field.name, field.value) }
                    form.button(button, class: "danger")
                    form.link(back, "Cancel", class: "button")
                }
            }
        }
    }
}
