// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// An achievement's history, or what it still takes.
struct WhyAchievementPage {
    let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        let progress = try at.progress()
        let id = at.visit.fields["achievement"] ?? ""
        guard at.visit.engine.rules(at: at.now).achievement(id) != nil else {
            throw Problem.notFound("the rules have no such achievement")
        }
        let found = try at.learner.explainAchievement(id, language: at.language, at: at.now)
        let name = found.first?.name ?? id
        return Page("Why: \(name)", .learners) { html in
            html.element("div", .class("head")) { head in
                at.writePath("Why: achievement", name: progress.displayName, &head)
                head.element("h1") { $0.data(name) }
                if let first = found.first { head.element("p", .class("lead")) { $0.data(first.description) } }
            }
            if found.isEmpty { html.empty("Nothing to tell yet", "No event has touched this achievement.") }
            for explanation in found { write(explanation, &html) }
        }
    }

    private func write(_ found: AchievementExplanation, _ html: inout HTML) {
        html.card(found.language.map { "In \($0.shortened)" } ?? "In all languages together") { card in
            card.meter("Progress", found.progress)
            card.element("p") { line in
                line.write("Tier \(found.tier) of \(found.tiers)")
                if let date = found.unlockedAt {
                    line.write(", unlocked ")
                    line.time(date, now: at.now)
                }
                if found.isRevoked { line.badge("revoked", "warn") }
                if let xp = found.xpPerTier { line.write(" · \(WrittenText.number(xp)) XP a tier") }
            }
            card.element("p", .class("small"), text: "Its value is")
            card.element("div", .class("expression")) { box in box.element("code") { $0.data(found.value) } }
            if let when = found.when {
                card.element("p", .class("small"), text: "while")
                card.element("div", .class("expression")) { box in box.element("code") { $0.data(when) } }
            }
            card.element("ul", .class("chips")) { list in
                for threshold in found.thresholds {
                    list.element("li", .class(threshold.isUnlocked ? "done" : "")) { item in
                        item.write("Tier \(threshold.tier): \(WrittenText.number(threshold.atLeast))")
                        if threshold.isUnlocked { item.write(" ✓") }
                    }
                }
                for requirement in found.requires {
                    list.element("li", .class(requirement.isUnlocked ? "done" : "")) { item in
                        item.write("needs ")
                        item.data(requirement.id)
                    }
                }
            }
            writeReadings(found, &card)
            writeHistory(found, &card)
        }
    }

    private func writeReadings(_ found: AchievementExplanation, _ html: inout HTML) {
        for (title, reading) in [("Best so far", found.best), ("At the last event", found.latest)] {
            guard let reading else { continue }
            html.element("h3", text: title)
            html.element("p") { at.writeEvent(reading.event, &$0) }
            html.expression(reading.value)
            if let when = reading.when { html.expression(when) }
            for missing in reading.missing {
                html.element("p", .class("small")) { line in
                    line.write("Still missing: ")
                    line.data(missing)
                }
            }
        }
    }

    private func writeHistory(_ found: AchievementExplanation, _ html: inout HTML) {
        guard !found.history.isEmpty else { return }
        html.element("h3", text: "What happened")
        html.element("ul", .class("causes")) { list in
            for change in found.history.reversed().prefix(200) {
                list.element("li") { item in
                    item.element("p") { line in
                        line.element("span", .class("strong"), text: title(change.kind))
                        if change.xp != 0 { line.write(" · \(WrittenText.change(change.xp)) XP") }
                        if let reason = change.reason {
                            line.write(" · ")
                            line.data(reason)
                        }
                    }
                    item.element("p") { at.writeEvent(change.event, &$0) }
                    if let reading = change.reading { item.expression(reading.value) }
                }
            }
        }
    }

    private func title(_ kind: AchievementExplanation.Change.Kind) -> String {
        switch kind {
        case .unlocked(let tiers):
            "Unlocked tier \(tiers.lowerBound)\(tiers.count > 1 ? " to \(tiers.upperBound)" : "")"
        case .granted: "Granted by hand"
        case .revoked(let tiers): "Revoked, \(WrittenText.count(tiers, "tier"))"
        }
    }
}
