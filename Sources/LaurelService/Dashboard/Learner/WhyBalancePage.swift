// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelResults

/// The page that explains a balance, like `laurel explain --balance`. A click shows the single changes of the balance.
struct WhyBalancePage {
    /// The maximum number of changes that are listed. Only the latest changes are listed.
    private static let mostChanges = 500

    let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        let progress = try at.progress()
        let currency = at.visit.fields["currency"] ?? ""
        guard let found = try at.learner.explainBalance(currency, at: at.now) else {
            throw Problem.notFound("the rules have no currency “\(currency.shortened)”")
        }
        let story = BalanceStory(found)
        return Page("Why: \(currency.shortened)", .learners) { html in
            html.head(
                "The balance of \(data: currency), and why",
                path: { at.writePath("Why: balance", name: progress.displayName, &$0) }
            ) { $0.render(story.answer) }
            html.card("What the balance is made of") { card in
                card.element("ul", ["class": "causes"]) { list in
                    for source in story.sources { write(source, &list) }
                }
                writeChanges(story.table, &card)
            }
        }
    }

    private func write(_ source: BalanceStory.Source, _ list: inout HTML) {
        list.element("li") { item in
            item.element("span", ["class": "amount"], text: "\(WrittenText.change(source.amount))")
            item.render(" \(source.story)")
        }
    }

    private func writeChanges(_ table: StoryTable, _ card: inout HTML) {
        guard !table.rows.isEmpty else { return }
        var latest = table
        latest.rows = table.rows.suffix(Self.mostChanges).reversed()
        card.because("Each change, and the balance after it") { details in
            details.render(latest, title: "Changes of the balance", at)
            guard latest.rows.count < table.rows.count else { return }
            let note: PageText = "The latest \(latest.rows.count) of \(table.rows.count) changes."
            details.element("p", ["class": "note"], text: note)
        }
    }
}
