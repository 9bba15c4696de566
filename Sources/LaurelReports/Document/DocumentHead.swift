// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The lines at the top and at the bottom of a report.
struct DocumentHead {
    let locale: LocaleText

    /// The name of the report's subject, such as the learner's name.
    static func subject(_ document: Document) -> String {
        switch document.subject {
        case .learner(let id, let name): name.map { $0.isEmpty ? id : $0 } ?? id
        case .cohort(let name): document.texts(.cohort, ["name": name])
        case .everyone: document.texts(.everyone)
        }
    }

    /// The learner's id, if the subject is shown with another name; otherwise nil.
    static func identifier(_ document: Document) -> String? {
        guard case .learner(let id, let name?) = document.subject, !name.isEmpty, name != id else { return nil }
        return id
    }

    /// The days of the week: `2–8 February 2026`.
    func period(_ document: Document) -> String {
        let period = locale.period(document.weekStart, document.weekEnd)
        return document.isUnfinished ? document.texts(.unfinished, ["period": period]) : period
    }

    /// The line at the bottom of a report, such as `As of 8 February 2026, 23:59`.
    func foot(_ document: Document) -> String { document.texts(.asOf, ["time": locale.moment(document.asOf)]) }

    /// The days, the week, the language and the id. They are separate texts, because each may have another text
    /// direction.
    func parts(_ document: Document) -> [String] {
        var parts = [period(document), document.texts(.week, ["week": document.week])]
        if document.comparesSameDays { parts.append(document.texts(.sameDays)) }
        if document.language != "*" {
            parts.append(document.texts(.inLanguage, ["language": locale.language(document.language)]))
        }
        if let id = DocumentHead.identifier(document) { parts.append(id) }
        return parts
    }

    static let separator = " · "
}
