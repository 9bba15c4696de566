// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress

/// The sender, the recipients and the links of reports by mail.
package struct MailSettings: Sendable {
    /// The sender; nil for drafts without a sender.
    package var from: Mailbox?
    /// The recipients; nil for drafts without recipients.
    package var addresses: MailAddresses?
    package var links: MailLinks
    /// True for drafts, which a person completes and sends with a mail program. A draft is written even for a learner
    /// without an address.
    package var isDraft: Bool

    package init(from: Mailbox?, addresses: MailAddresses?, links: MailLinks, isDraft: Bool = false) {
        (self.from, self.addresses, self.links, self.isDraft) = (from, addresses, links, isDraft)
    }

    /// The recipient of a learner's message; nil if the learner gets no message.
    fileprivate func recipient(of learner: String) -> MailAddresses.Recipient? {
        addresses?.recipients[learner] ?? (isDraft ? MailAddresses.Recipient() : nil)
    }
}

/// The result of writing messages: the number of messages, and the learners without a message.
package struct MailOutcome: Sendable {
    package var written = 0
    /// The ids of learners that have a report, but no address.
    package var missing: [String] = []
    /// The ids of learners that have an address, but no report.
    package var superfluous: [String] = []
}

extension ReportMaker {
    /// Writes a message per learner, on all cores.
    /// - Parameters:
    ///   - mail: the sender and the recipients.
    ///   - only: the ids of the learners that get a message; nil for all learners.
    ///   - observe: receives the number of processed learners, and the number of all learners.
    ///   - write: receives the name and the content of a file. Each name occurs once. The function is called on several
    ///     threads at the same time.
    package func mails(
        _ mail: MailSettings,
        only: Set<String>?,
        observe: (_ done: Int, _ total: Int) -> Void,
        write: @escaping @Sendable (_ file: String, _ content: String) throws -> Void
    ) throws -> MailOutcome {
        try EngineError.passing {
            var outcome = MailOutcome()
            var reported: Set<String> = []
            let known = mail.addresses?.recipients ?? [:]
            try writeMails(mail, only) { file in
                try write(file.name, file.content)
            } receive: { learners, done, total in
                for (id, isWritten) in learners {
                    reported.insert(id)
                    outcome.written += isWritten ? 1 : 0
                    if known[id] == nil, only?.contains(id) ?? true { outcome.missing.append(id) }
                }
                observe(done, total)
            }
            outcome.missing.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            outcome.superfluous = known.keys.filter { !reported.contains($0) }
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            return outcome
        }
    }

    /// Writes the messages of learners, on all cores.
    /// - Parameter receive: receives the ids of learners with a report, in batches. `isWritten` is true if the
    ///   learner gets a message.
    func writeMails(
        _ mail: MailSettings,
        _ only: Set<String>?,
        write: @escaping @Sendable (ReportFile) throws -> Void,
        receive: ([(id: String, isWritten: Bool)], _ done: Int, _ total: Int) throws -> Void
    ) throws {
        let view = try messageView()
        try engine.mapFacts(period(view), wants: selection(view)) { learners in
            var desks = MailDesks(self, view, mail)
            return try learners.compactMap { facts -> (id: String, isWritten: Bool)? in
                guard facts.hasBegun, request.cohort == nil || facts.cohort == request.cohort else { return nil }
                guard only?.contains(facts.learner) ?? true, mail.recipient(of: facts.learner) != nil else {
                    return (facts.learner, false)
                }
                guard let file = try desks.file(facts) else { return nil }
                try write(file)
                return (facts.learner, true)
            }
        } receive: {
            try receive($0, $1, $2)
        }
    }

    /// The view with the content of messages.
    func messageView() throws -> ReportView {
        if let view = definition.mail { return view }
        return try learnerView().keeping([.text, .headline])
    }
}

/// Makes messages one after another, in the locales of their recipients.
private struct MailDesks {
    private let maker: ReportMaker
    private let view: ReportView
    private let mail: MailSettings
    private var desks: [String: ReportDesk] = [:]

    init(_ maker: ReportMaker, _ view: ReportView, _ mail: MailSettings) {
        (self.maker, self.view, self.mail) = (maker, view, mail)
    }

    /// The file of a learner's message; nil if the learner gets no message.
    mutating func file(_ facts: LearnerFacts) throws -> ReportFile? {
        guard let recipient = mail.recipient(of: facts.learner) else { return nil }
        var request = maker.request
        request.locale = recipient.locale ?? request.locale
        let desk =
            try desks[request.locale]
            ?? ReportDesk(ReportMaker(maker.definition, maker.engine, request), view, isOfOne: true)
        desks[request.locale] = desk
        guard let document = try desk.document(facts) else { return nil }
        let message = message(document, facts, recipient, desk.locale)
        return ReportFile(name: FileName.of(facts.learner) + ".eml", content: message.text)
    }

    private func message(
        _ document: Document,
        _ facts: LearnerFacts,
        _ recipient: MailAddresses.Recipient,
        _ locale: LocaleText
    ) -> MailMessage {
        let letter = Letter(document, facts, locale, mail.links, sent: maker.request.at)
        let key = [
            document.name, document.week, document.language, facts.learner, "\(document.asOf)",
            recipient.address ?? "",
        ]
        return MailMessage(
            from: mail.from,
            to: recipient.address.map { Mailbox(name: letter.name, address: $0) },
            subject: letter.title,
            date: maker.request.at,
            key: key.joined(separator: "\n"),
            unsubscribe: letter.unsubscribe?.address,
            language: document.texts.language,
            plain: MailText.text(letter),
            html: MailPage.page(letter),
            isDraft: mail.isDraft
        )
    }
}

extension ReportMaker {
    /// The file of one learner's message; nil if the learner gets no message.
    func mailFile(_ facts: LearnerFacts, _ view: ReportView, _ mail: MailSettings) throws -> ReportFile? {
        var desks = MailDesks(self, view, mail)
        return try desks.file(facts)
    }
}

extension ReportView {
    /// The view with only the given kinds of exhibits.
    fileprivate func keeping(_ kinds: Set<ExhibitKind>) -> ReportView {
        var view = self
        for index in view.sections.indices { view.sections[index].exhibits.removeAll { !kinds.contains($0.show) } }
        return view
    }
}
