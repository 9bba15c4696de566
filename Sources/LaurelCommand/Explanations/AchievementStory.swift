// SPDX-License-Identifier: Apache-2.0

import Laurel

/// How an achievement was unlocked, or what it takes, for people.
struct AchievementStory {
    let explanation: AchievementExplanation
    let style: Style

    var lines: [String] {
        [heading, style.fact("Unlocks", condition)] + period + [style.fact("Status", status)] + requirements + history
            + readings
    }

    private var heading: String {
        let name = style.paint(Visible.text(explanation.name), .bold)
        let id = explanation.name == explanation.id ? "" : " (\(Visible.text(explanation.id)))"
        let about = explanation.description.isEmpty ? "" : ": \(Visible.text(explanation.description))"
        let place = explanation.language.map { " in \(Visible.text($0))" } ?? ""
        return "\(name)\(id)\(place)\(about)\(explanation.isHidden ? " [hidden]" : "")"
    }

    private var condition: String {
        let thresholds = explanation.thresholds.map { Numbers.grouped($0.atLeast, places: 2) }.joined(separator: ", ")
        let when = explanation.when.map { " while \(Visible.text($0))" } ?? ""
        return "when \(Visible.text(explanation.value)) reaches \(thresholds)\(when)\(reward)"
    }

    private var reward: String {
        guard let xp = explanation.xpPerTier, xp > 0 else { return "" }
        return "; \(Numbers.grouped(xp)) XP\(explanation.tiers > 1 ? " per tier" : "")"
    }

    private var period: [String] {
        guard let period = explanation.period else { return [] }
        let ends = [period.from.map { "from \($0)" }, period.through.map { "through \($0)" }]
        let dates = ends.compactMap(\.self).joined(separator: " ")
        let obstacle = period.obstacle.map { ": " + style.paint($0, .red) } ?? ""
        return [style.fact("Period", dates + obstacle)]
    }

    private var status: String {
        let (reached, tiers) = (explanation.tier, explanation.tiers)
        if explanation.isRevoked { return style.paint("revoked", .red) + ": stays locked until it is granted" }
        let tier = tiers > 1 ? ", tier \(reached) of \(tiers)" : ""
        if reached == tiers { return style.paint("unlocked", .green) + tier }
        let percent = Numbers.percent(explanation.progress * 100)
        let next = tiers > 1 ? " to tier \(reached + 1)" : ""
        return "\(reached > 0 ? "unlocked" : "locked")\(tier), \(percent) of the way\(next)"
    }

    private var requirements: [String] {
        explanation.requires.enumerated().map { index, required in
            let tier = required.tiers > 1 ? ", tier \(required.tier) of \(required.tiers)" : ""
            let state = required.isUnlocked ? style.paint("unlocked", .green) : style.paint("missing", .red)
            return style.fact(index == 0 ? "Requires" : "", "\(Visible.text(required.id)): \(state)\(tier)")
        }
    }

    private var history: [String] {
        let changes = explanation.history.map { change in
            let xp = change.xp == 0 ? "" : "  \(ExplanationText.signed(change.xp)) XP"
            let reason = change.reason.map { " (\(Visible.text($0)))" } ?? ""
            return "\(stamp(change.event)): \(told(change))\(reason)\(xp)"
        }
        let voided = explanation.voided.map { event in
            "\(stamp(event)): \(event.void.map(ExplanationText.void) ?? "")"
        }
        return (changes + voided).enumerated().map { style.fact($0.offset == 0 ? "History" : "", $0.element) }
    }

    private func stamp(_ event: EventReference) -> String {
        "\(ExplanationText.dateAndTime(event))  \(ExplanationText.name(event))"
    }

    private func told(_ change: AchievementExplanation.Change) -> String {
        switch change.kind {
        case .unlocked(let tiers):
            let which = explanation.tiers > 1 ? " \(ExplanationText.tiers(tiers))" : ""
            return "unlocked\(which), \(change.reading.map(told) ?? "")"
        case .granted(let tiers?):
            return "granted" + (explanation.tiers > 1 ? ", \(ExplanationText.tiers(tiers))" : "")
        case .granted(nil): return "granted, but unlocked already"
        case .revoked(let tiers): return tiers > 0 ? "revoked" : "revoked while locked"
        }
    }

    private func told(_ reading: AchievementExplanation.Reading) -> String {
        let when = reading.when.map { " while \(ExplanationText.condition($0))" } ?? ""
        return ExplanationText.chain(reading.value) + when
    }

    /// Only of what is locked.
    private var readings: [String] {
        guard explanation.tier < explanation.thresholds.count, !explanation.isRevoked else { return [] }
        let goal = explanation.thresholds[explanation.tier].atLeast
        guard let latest = explanation.latest else {
            return [style.fact("Now", "no event was looked at yet")]
        }
        var lines = [style.fact("Now", "\(ExplanationText.chain(latest.value))\(missing(latest, goal))")]
        if let when = latest.when {
            let holds = when.isTrue ? "while" : style.paint("but not while", .red)
            lines.append(style.fact("", "\(holds) \(ExplanationText.condition(when))"))
        }
        guard let best = explanation.best else {
            return lines + [style.fact("Best", "none: what it needs never held")]
        }
        if !latest.isOpen || best.value.value != latest.value.value {
            lines.append(style.fact("Best", "\(ExplanationText.chain(best.value)), \(stamp(best.event))"))
        }
        return lines
    }

    private func missing(_ reading: AchievementExplanation.Reading, _ goal: Double) -> String {
        guard let value = reading.value.value.number else { return "" }
        let needed = Numbers.grouped(goal, places: 2)
        return value < goal
            ? ", \(Numbers.grouped(goal - value, places: 2)) short of \(needed)" : ", which reaches \(needed)"
    }
}
