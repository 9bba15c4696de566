// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP
import LaurelReports

/// The sender, the links and the recipients of drafts. An empty text counts as missing.
struct DraftTerms: JSONBody {
    /// A recipient of a draft.
    struct Recipient: Codable {
        /// The learner's id.
        var learner: String
        /// Address, such as ana@example.com.
        var address: String
        /// Locale of the draft, such as de_DE; if it is missing, the request's locale applies.
        var locale: String?
    }

    /// Sender, such as School <school@example.com>; left to the mail program if it is missing.
    var from: String?
    /// Address of the app, which the button in the mail opens, https; it may contain {learner} for the learner's id.
    var app: String?
    /// Address of the whole report, https; it may contain {learner} for the learner's id.
    var page: String?
    /// Address to unsubscribe, https or mailto; it may contain {learner} for the learner's id.
    var unsubscribe: String?
    /// Recipients; the draft of a learner who is not listed has no recipient.
    var recipients: [Recipient]?

    static let example =
        #"{"from":"School <school@example.com>","app":"https://app.example.com","#
        + #""recipients":[{"learner":"ana","address":"ana@example.com","locale":"es_ES"}]}"#
}

/// A request for the messages of a report as drafts: one message of a learner, or a zip file with the messages of many.
struct DraftQuestion {
    let report: ReportQuestion
    private let settings: MailSettings

    /// - Throws: ``Problem`` and `EngineError`.
    init(report: ReportQuestion, terms: DraftTerms) throws {
        let recipients = try terms.recipients.map { recipients in
            try MailAddresses(recipients.map { ($0.learner, $0.address, $0.locale) })
        }
        try self.init(report: report, terms, recipients)
    }

    /// - Parameter addresses: the recipients as CSV; empty for drafts without recipients.
    init(report: ReportQuestion, terms: DraftTerms, addresses: [UInt8]) throws {
        let recipients = addresses.isEmpty ? nil : try MailAddresses(addresses, file: "addresses")
        try self.init(report: report, terms, recipients)
    }

    private init(report: ReportQuestion, _ terms: DraftTerms, _ recipients: MailAddresses?) throws {
        let sender = try terms.from.flatMap(Self.filled).map { text in
            guard let sender = Mailbox(text) else {
                throw Problem.badRequest("from must be an address, such as School <school@example.com>")
            }
            return sender
        }
        let links = MailLinks(
            app: try Self.link("app", terms.app, ["https:"]),
            page: try Self.link("page", terms.page, ["https:"]),
            unsubscribe: try Self.link("unsubscribe", terms.unsubscribe, ["https:", "mailto:"])
        )
        self.report = report
        settings = MailSettings(from: sender, addresses: recipients, links: links, isDraft: true)
    }

    /// Makes the drafts.
    /// - Throws: ``Problem`` and `EngineError`.
    func response(_ definition: ReportDefinition, _ engine: ProgressEngine) throws -> HTTPResponse {
        try report.answer(definition, engine) { maker in
            guard let learner = report.learner else {
                let archive = try maker.drafts(settings)
                return Self.file(archive.bytes, "application/zip", name: archive.name)
            }
            let draft = try maker.draft(ofLearner: learner, settings)
            return Self.file(Array(draft.content.utf8), "message/rfc822", name: draft.name)
        }
    }

    private static func filled(_ text: String) -> String? { text.allSatisfy(\.isWhitespace) ? nil : text }

    private static func link(_ name: String, _ text: String?, _ schemes: [String]) throws -> MailLink? {
        guard let text = text.flatMap(filled) else { return nil }
        guard let link = MailLink(text, schemes: schemes) else {
            throw Problem.badRequest("\(name) must be an address that begins with \(schemes.joined(separator: " or "))")
        }
        return link
    }

    /// - Parameter name: the file's name, of letters, digits, points and hyphens.
    private static func file(_ bytes: [UInt8], _ type: String, name: String) -> HTTPResponse {
        let headers: HTTPHeaders = [
            "Content-Type": type, "Content-Disposition": "attachment; filename=\"\(name)\"",
            "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        ]
        return HTTPResponse(200, headers: headers, body: bytes)
    }
}
