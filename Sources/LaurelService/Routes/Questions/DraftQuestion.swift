// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelHTTP
import LaurelReports

/// A request for the messages of a report as drafts: one message of a learner, or a zip file with the messages of many.
struct DraftQuestion {
    var report: ReportQuestion
    /// The sender, and the addresses to link to. Empty texts count as missing.
    var from: String?
    var app: String?
    var page: String?
    var unsubscribe: String?
    /// The recipients as CSV; empty for drafts without recipients.
    var addresses: [UInt8] = []

    /// Makes the drafts.
    /// - Throws: ``Problem`` and `EngineError`.
    func response(_ definition: ReportDefinition, _ engine: ProgressEngine) throws -> HTTPResponse {
        let settings = try settings()
        return try report.answer(definition, engine) { maker in
            guard let learner = report.learner else {
                let archive = try maker.drafts(settings)
                return Self.file(archive.bytes, "application/zip", name: archive.name)
            }
            let draft = try maker.draft(ofLearner: learner, settings)
            return Self.file(Array(draft.content.utf8), "message/rfc822", name: draft.name)
        }
    }

    private func settings() throws -> MailSettings {
        let sender = try from.flatMap(Self.filled).map { text in
            guard let sender = Mailbox(text) else {
                throw Problem.badRequest("from must be an address, such as School <school@example.com>")
            }
            return sender
        }
        let links = MailLinks(
            app: try Self.link("app", app, ["https:"]),
            page: try Self.link("page", page, ["https:"]),
            unsubscribe: try Self.link("unsubscribe", unsubscribe, ["https:", "mailto:"])
        )
        let recipients = addresses.isEmpty ? nil : try MailAddresses(addresses, file: "addresses")
        return MailSettings(from: sender, addresses: recipients, links: links, isDraft: true)
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
