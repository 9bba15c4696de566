// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress

/// The sender, the recipients and the links of reports by mail.
package struct MailSettings: Sendable {
    /// The sender.
    package var from: Mailbox
    package var addresses: MailAddresses
    package var links: MailLinks

    package init(from: Mailbox, addresses: MailAddresses, links: MailLinks) {
        (self.from, self.addresses, self.links) = (from, addresses, links)
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
            let view = try messageView()
            var outcome = MailOutcome()
            var reported: Set<String> = []
            try engine.mapFacts(period(view), wants: selection(view)) { learners in
                var desks: [String: ReportDesk] = [:]
                return try learners.compactMap { facts -> (id: String, isWritten: Bool)? in
                    guard facts.hasBegun, request.cohort == nil || facts.cohort == request.cohort else { return nil }
                    guard only?.contains(facts.learner) ?? true else { return (facts.learner, false) }
                    guard let recipient = mail.addresses.recipients[facts.learner] else {
                        return (facts.learner, false)
                    }
                    let locale = recipient.locale ?? request.locale
                    let desk = try desks[locale] ?? ReportDesk(self.in(locale), view, isOfOne: true)
                    desks[locale] = desk
                    guard let document = try desk.document(facts) else { return nil }
                    let message = message(document, facts, recipient, mail, desk.locale)
                    try write(FileName.of(facts.learner) + ".eml", message.text)
                    return (facts.learner, true)
                }
            } receive: { found, done, total in
                for learner in found {
                    reported.insert(learner.id)
                    outcome.written += learner.isWritten ? 1 : 0
                    if mail.addresses.recipients[learner.id] == nil, only?.contains(learner.id) ?? true {
                        outcome.missing.append(learner.id)
                    }
                }
                observe(done, total)
            }
            outcome.missing.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            outcome.superfluous = mail.addresses.recipients.keys.filter { !reported.contains($0) }
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            return outcome
        }
    }

    private func `in`(_ locale: String) -> ReportMaker {
        var request = request
        request.locale = locale
        return ReportMaker(definition, engine, request)
    }

    /// The view with the content of messages.
    private func messageView() throws -> ReportView {
        if let view = definition.mail { return view }
        return try learnerView().keeping([.text, .headline])
    }

    private func message(
        _ document: Document,
        _ facts: LearnerFacts,
        _ recipient: MailAddresses.Recipient,
        _ mail: MailSettings,
        _ locale: LocaleText
    ) -> MailMessage {
        let letter = Letter(document, facts, locale, mail.links, sent: request.at)
        let key = [
            document.name, document.week, document.language, facts.learner, "\(document.asOf)", recipient.address,
        ]
        return MailMessage(
            from: mail.from,
            to: Mailbox(name: letter.name, address: recipient.address),
            subject: letter.title,
            date: request.at,
            key: key.joined(separator: "\n"),
            unsubscribe: letter.unsubscribe?.address,
            language: document.texts.language,
            plain: MailText.text(letter),
            html: MailPage.page(letter)
        )
    }
}

extension ReportView {
    /// The view with only some kinds of exhibits.
    fileprivate func keeping(_ kinds: Set<ExhibitKind>) -> ReportView {
        var view = self
        for index in view.sections.indices { view.sections[index].exhibits.removeAll { !kinds.contains($0.show) } }
        return view
    }
}
