// SPDX-License-Identifier: Apache-2.0

/// The history of an achievement and the steps that remain, in words.
package struct AchievementStory {
    let explanation: AchievementExplanation

    package init(_ explanation: AchievementExplanation) { self.explanation = explanation }

    package var heading: Story {
        let id: Story? = explanation.name == explanation.id ? nil : " (\(.data(explanation.id)))"
        let about: Story? = explanation.description.isEmpty ? nil : ": \(.data(explanation.description))"
        let name: Story = "\(.toned(.strong, "\(.data(explanation.name))"))"
        return "\(name)\(id)\(Story.place(explanation.language))\(about)\(explanation.isHidden ? " [hidden]" : nil)"
    }

    package var facts: [StoryFact] {
        [StoryFact("Unlocks", condition)] + period + [StoryFact("Status", status)] + requirements + history + readings
    }

    private var condition: Story {
        let thresholds = Story.joined(explanation.thresholds.map { .number($0.atLeast) }, by: ", ")
        let when: Story? = explanation.when.map { " while \(.code($0))" }
        return "when \(.code(explanation.value)) reaches \(thresholds)\(when)\(reward)"
    }

    private var reward: Story? {
        guard let xp = explanation.xpPerTier, xp > 0 else { return nil }
        return explanation.tiers > 1 ? "; \(Story.number(xp)) XP per tier" : "; \(Story.number(xp)) XP"
    }

    private var period: [StoryFact] {
        guard let period = explanation.period else { return [] }
        let obstacle: Story? = period.obstacle.map { ": \(.toned(.bad, .obstacle($0)))" }
        return [StoryFact("Period", "\(days(period))\(obstacle)")]
    }

    private func days(_ period: ActivePeriod) -> Story {
        switch (period.from, period.through) {
        case (let from?, let through?): "from \(.date(from)) through \(.date(through))"
        case (let from?, nil): "from \(.date(from))"
        case (nil, let through?): "through \(.date(through))"
        case (nil, nil): ""
        }
    }

    private var status: Story {
        let (reached, tiers) = (explanation.tier, explanation.tiers)
        if explanation.isRevoked { return "\(.toned(.bad, "revoked")): stays locked until it is granted" }
        let tier = of(reached, tiers)
        if reached == tiers { return "\(.toned(.good, "unlocked"))\(tier)" }
        let (state, share): (Story, Story.Span) = (reached > 0 ? "unlocked" : "locked", .percent(explanation.progress))
        return tiers > 1
            ? "\(state)\(tier), \(share) of the way to tier \(Story.number(reached + 1))"
            : "\(state), \(share) of the way"
    }

    /// The text `, tier 1 of 3`; nil if there is only one tier.
    private func of(_ tier: Int, _ tiers: Int) -> Story? {
        tiers > 1 ? ", tier \(Story.number(tier)) of \(Story.number(tiers))" : nil
    }

    private var requirements: [StoryFact] {
        explanation.requires.enumerated().map { index, required in
            let state: Story.Span = required.isUnlocked ? .toned(.good, "unlocked") : .toned(.bad, "missing")
            let story: Story = "\(.data(required.id)): \(state)\(of(required.tier, required.tiers))"
            return StoryFact(index == 0 ? "Requires" : "", story)
        }
    }

    var history: [StoryFact] {
        let changes = explanation.history.map { change -> Story in
            let xp: Story? = change.xp == 0 ? nil : "  \(.change(Double(change.xp))) XP"
            let reason: Story? = change.reason.map { " (\(.data($0)))" }
            return "\(Story.stamp(change.event)): \(sentence(change))\(reason)\(xp)"
        }
        let voided = explanation.voided.map { event -> Story in "\(Story.stamp(event)): \(Story.void(event))" }
        return (changes + voided).enumerated().map { StoryFact($0.offset == 0 ? "History" : "", $0.element) }
    }

    private func sentence(_ change: AchievementExplanation.Change) -> Story {
        switch change.kind {
        case .unlocked(let tiers):
            let which: Story? = explanation.tiers > 1 ? " \(Story.tiers(tiers))" : nil
            return "unlocked\(which), \(change.reading.map(sentence))"
        case .granted(let tiers?):
            let which: Story? = explanation.tiers > 1 ? ", \(Story.tiers(tiers))" : nil
            return "granted\(which)"
        case .granted(nil): return "granted, but unlocked already"
        case .revoked(let tiers): return tiers > 0 ? "revoked" : "revoked while locked"
        }
    }

    private func sentence(_ reading: AchievementExplanation.Reading) -> Story {
        let when: Story? = reading.when.map { " while \(Story.condition($0))" }
        return "\(Story.chain(reading.value))\(when)"
    }

    /// The current value and the best value, while a tier is locked.
    private var readings: [StoryFact] {
        guard explanation.tier < explanation.thresholds.count, !explanation.isRevoked else { return [] }
        let goal = explanation.thresholds[explanation.tier].atLeast
        guard let latest = explanation.latest else { return [StoryFact("Now", "no event was looked at yet")] }
        var facts = [StoryFact("Now", "\(Story.chain(latest.value))\(missing(latest, goal))")]
        if let when = latest.when {
            let condition = Story.condition(when)
            facts.append(
                StoryFact("", when.isTrue ? "while \(condition)" : "\(.toned(.bad, "but not while")) \(condition)")
            )
        }
        guard let best = explanation.best else {
            return facts + [StoryFact("Best", "none: what it needs never held")]
        }
        if !latest.isOpen || best.value.value != latest.value.value {
            facts.append(StoryFact("Best", "\(Story.chain(best.value)), \(Story.stamp(best.event))"))
        }
        return facts
    }

    private func missing(_ reading: AchievementExplanation.Reading, _ goal: Double) -> Story? {
        guard let value = reading.value.value.number else { return nil }
        let needed = Story.number(goal)
        return value < goal ? ", \(Story.number(goal - value)) short of \(needed)" : ", which reaches \(needed)"
    }
}
