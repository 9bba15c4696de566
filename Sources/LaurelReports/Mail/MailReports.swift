// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress

/// The sender and the recipients of reports by mail.
package struct MailSettings: Sendable {
    /// The sender.
    package var from: Mailbox
    package var addresses: MailAddresses
    /// The address at which a learner can unsubscribe, `https:` or `mailto:`; nil for none. In it, `{learner}` stands
    /// for the learner's id.
    package var unsubscribe: String?

    package init(from: Mailbox, addresses: MailAddresses, unsubscribe: String?) {
        (self.from, self.addresses, self.unsubscribe) = (from, addresses, unsubscribe)
    }

    fileprivate func unsubscribe(_ learner: String) -> String? {
        let escaped = learner.utf8.map { byte in
            let isPlain =
                (byte >= 48 && byte <= 57) || (byte | 0x20 >= 97 && byte | 0x20 <= 122)
                || "-._~".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + QuotedPrintable.hexadecimal(byte).dropFirst()
        }.joined()
        return unsubscribe.map { $0.components("{learner}").joined(separator: escaped) }
    }
}

extension String {
    /// The parts of the text between separators.
    fileprivate func components(_ separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
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
            let view = try learnerView()
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

    private func message(
        _ document: Document,
        _ facts: LearnerFacts,
        _ recipient: MailAddresses.Recipient,
        _ mail: MailSettings,
        _ locale: LocaleText
    ) -> MailMessage {
        let period = DocumentHead(locale: locale).period(document)
        let unsubscribe = mail.unsubscribe(facts.learner)
        let key = [
            document.name, document.week, document.language, facts.learner, "\(document.asOf)", recipient.address,
        ]
        return MailMessage(
            from: mail.from,
            to: Mailbox(name: facts.displayName, address: recipient.address),
            subject: document.texts.named(document.title, period),
            date: request.at,
            key: key.joined(separator: "\n"),
            unsubscribe: unsubscribe,
            language: document.texts.language,
            plain: MailText(locale: locale).text(document, unsubscribe: unsubscribe),
            html: MailPage(locale: locale).page(document, unsubscribe: unsubscribe)
        )
    }
}
