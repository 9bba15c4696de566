// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP
import LaurelReports

/// The form on a report's page that makes drafts of messages. Each learner of the report gets a message.
struct ReportMessages {
    let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    /// Writes the form. The form's address contains the subject of the report, and its body contains the recipients.
    func writeForm(_ name: String, _ html: inout HTML) {
        let link = ReportQuestion.names.reduce(Link("reports", name, "messages")) { $0.with($1, visit.fields[$1]) }
        html.element("details", ["class": "no-print"]) { details in
            details.element("summary", text: "Messages to the learners")
            details.element(
                "p",
                text: "Laurel makes a draft for each learner. Open the drafts with your mail program, and send them."
            )
            details.post(link, class: "filters", hasFiles: true) { form in
                form.field(
                    "Addresses",
                    name: "addresses",
                    type: "file",
                    help: "CSV: learner, address, locale. Optional."
                )
                form.field("Sender", name: "from", help: "Such as School <school@example.com>. Optional.")
                form.field("Address of the app", name: "app", help: "Starts with https://. The button opens it.")
                form.element("div", ["class": "field helped"]) { $0.button("Make drafts") }
            }
        }
    }

    func drafts() throws -> HTTPResponse {
        let query = Fields(visit.request.head.query ?? "")
        let question = try DraftQuestion(
            report: ReportQuestion(query, visit),
            terms: DraftTerms(from: visit.fields["from"], app: visit.fields["app"]),
            addresses: Array((visit.fields["addresses"] ?? "").utf8)
        )
        return try question.response(try Route.definition(visit.service, visit.request), visit.engine)
    }
}
