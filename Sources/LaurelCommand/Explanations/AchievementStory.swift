import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules

/// How an achievement was unlocked, or what it takes, for people.
struct AchievementStory {
    let explanation: AchievementExplanation
    let style: Style

    private var rule: AchievementRule { explanation.rule }
    private var standing: AchievementStanding { explanation.standing }

    var lines: [String] {
        [heading, style.fact("Unlocks", condition)] + period + [style.fact("Status", status)] + requirements + history
            + readings
    }

    private var heading: String {
        let name = style.paint(Visible.text(rule.name), .bold)
        let id = rule.name == rule.id ? "" : " (\(Visible.text(rule.id)))"
        let about = rule.description.isEmpty ? "" : ": \(Visible.text(rule.description))"
        let place = explanation.language.map { " in \(Visible.text($0))" } ?? ""
        return "\(name)\(id)\(place)\(about)\(rule.isHidden ? " [hidden]" : "")"
    }

    private var condition: String {
        let thresholds = rule.thresholds.map { Numbers.grouped($0, places: 2) }.joined(separator: ", ")
        let when = rule.when.map { " while \(Visible.text($0.source))" } ?? ""
        let xp = rule.xp > 0 ? "; \(Numbers.grouped(rule.xp)) XP\(rule.thresholds.count > 1 ? " per tier" : "")" : ""
        return "when \(Visible.text(rule.value.source)) reaches \(thresholds)\(when)\(xp)"
    }

    private var period: [String] {
        guard rule.period != .always else { return [] }
        let ends = [rule.period.from.map { "from \($0)" }, rule.period.through.map { "through \($0)" }]
        let dates = ends.compactMap(\.self).joined(separator: " ")
        let obstacle = explanation.period.obstacle.map { ": " + style.paint($0, .red) } ?? ""
        return [style.fact("Period", dates + obstacle)]
    }

    private var status: String {
        let progress = standing.progress
        if standing.isRevoked { return style.paint("revoked", .red) + ": stays locked until it is granted" }
        let tier = progress.tiers > 1 ? ", tier \(progress.tier) of \(progress.tiers)" : ""
        if progress.tier == progress.tiers { return style.paint("unlocked", .green) + tier }
        let percent = Numbers.percent(progress.progress * 100)
        let next = progress.tiers > 1 ? " to tier \(progress.tier + 1)" : ""
        return "\(progress.tier > 0 ? "unlocked" : "locked")\(tier), \(percent) of the way\(next)"
    }

    private var requirements: [String] {
        explanation.requires.enumerated().map { index, required in
            let isMet = required.tier == required.tiers
            let tier = required.tiers > 1 ? ", tier \(required.tier) of \(required.tiers)" : ""
            let state = isMet ? style.paint("unlocked", .green) : style.paint("missing", .red)
            return style.fact(index == 0 ? "Requires" : "", "\(Visible.text(required.id)): \(state)\(tier)")
        }
    }

    private var history: [String] {
        let changes = explanation.changes.map { change in
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

    private func told(_ change: AchievementChange) -> String {
        switch change.kind {
        case .unlocked(let tiers):
            let which = rule.thresholds.count > 1 ? " \(ExplanationText.tiers(tiers))" : ""
            return "unlocked\(which), \(change.reading.map(told) ?? "")"
        case .granted(let tiers?):
            return "granted" + (rule.thresholds.count > 1 ? ", \(ExplanationText.tiers(tiers))" : "")
        case .granted(nil): return "granted, but unlocked already"
        case .revoked(let tiers): return tiers > 0 ? "revoked" : "revoked while locked"
        }
    }

    private func told(_ reading: AchievementReading) -> String {
        let when = reading.when.map { " while \(ExplanationText.condition($0))" } ?? ""
        return ExplanationText.chain(reading.value) + when
    }

    /// Only of what is locked.
    private var readings: [String] {
        guard standing.progress.tier < standing.progress.tiers, !standing.isRevoked else { return [] }
        let goal = rule.thresholds[standing.progress.tier]
        guard let latest = explanation.latest else {
            return [style.fact("Now", "no event was looked at yet")]
        }
        var lines = [style.fact("Now", "\(ExplanationText.chain(latest.value))\(missing(latest, goal))")]
        if let when = latest.when {
            let holds = when.value == .boolean(true) ? "while" : style.paint("but not while", .red)
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

    private func missing(_ reading: AchievementReading, _ goal: Double) -> String {
        guard let value = reading.value.value.number else { return "" }
        let needed = Numbers.grouped(goal, places: 2)
        return value < goal
            ? ", \(Numbers.grouped(goal - value, places: 2)) short of \(needed)" : ", which reaches \(needed)"
    }
}

// MARK: JSON

extension JSONText {
    mutating func members(of explanation: AchievementExplanation) {
        let (rule, progress) = (explanation.rule, explanation.standing.progress)
        member("achievement", rule.id)
        member("name", rule.name)
        member("from", rule.period.from?.description)
        member("through", rule.period.through?.description)
        member("outOfPeriod", explanation.period.obstacle)
        member("description", rule.description)
        member("language", explanation.language)
        member("hidden", rule.isHidden)
        member("value", rule.value.source)
        member("when", rule.when?.source)
        list("thresholds", rule.thresholds.enumerated()) { json, threshold in
            json.member("tier", threshold.offset + 1)
            json.member("atLeast", Double?.some(threshold.element))
            json.member("unlocked", threshold.offset < progress.tier)
        }
        member("tier", progress.tier)
        member("tiers", progress.tiers)
        member("unlockedAt", instant: progress.unlockedAt)
        member("progress", Double?.some(progress.progress))
        member("revoked", explanation.standing.isRevoked)
        list("requires", explanation.requires) { json, required in
            json.member("achievement", required.id)
            json.member("tier", required.tier)
            json.member("tiers", required.tiers)
            json.member("unlocked", required.tier == required.tiers)
        }
        list("history", explanation.changes) { $0.members(of: $1) }
        list("voided", explanation.voided) { $0.members(of: $1) }
        reading("latest", explanation.latest)
        reading("best", explanation.best)
    }

    private mutating func members(of change: AchievementChange) {
        switch change.kind {
        case .unlocked(let tiers):
            member("kind", "unlocked")
            member("fromTier", tiers.lowerBound)
            member("tier", tiers.upperBound)
        case .granted(let tiers):
            member("kind", "granted")
            member("fromTier", tiers?.lowerBound)
            member("tier", tiers?.upperBound)
        case .revoked(let tiers):
            member("kind", "revoked")
            member("tiers", tiers)
        }
        member("xp", Double?.some(change.xp))
        member("reason", change.reason)
        event("event", change.event)
        reading("reading", change.reading)
    }

    private mutating func reading(_ key: String, _ reading: AchievementReading?) {
        guard let reading else { return member(key, String?.none) }
        object(key) { json in
            json.event("event", reading.event)
            json.expression("value", reading.value)
            json.expression("when", reading.when)
            json.strings("missing", reading.missing)
        }
    }
}
