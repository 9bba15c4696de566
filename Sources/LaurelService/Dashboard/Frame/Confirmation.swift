// SPDX-License-Identifier: Apache-2.0

import LaurelReports

/// A page that asks for confirmation before something is deleted. Its path is the path that its form posts to. The page
/// needs no scripts, and names what will be deleted.
struct Confirmation {
    /// The question, such as “Revoke the key phone?”. Names in the question come from stored data: `\\(data: name)`.
    let question: PageText
    /// The label of the button. It repeats the verb of the question.
    let button: PageText
    /// The path that the form posts to.
    let action: Link
    /// The page to which the reader goes back.
    let back: Link
    /// The fields that the form sends.
    var fields: [(name: String, value: String)] = []

    /// - Parameter consequence: writes paragraphs about what will be lost.
    func page(_ section: Page.Section, _ consequence: (inout HTML) throws -> Void) rethrows -> Page {
        try Page(question, section) { html in
            html.head(question, path: { $0.crumb(to: section, button) })
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
