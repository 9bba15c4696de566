// SPDX-License-Identifier: Apache-2.0

/// The sentences of an achievement.
extension AchievementStory {
    /// The sentence that says whether the achievement is unlocked, and what is missing.
    package var answer: Story {
        if explanation.isRevoked { return "Revoked: it stays locked until it is granted." }
        let (tier, tiers) = (explanation.tier, Story.number(explanation.tiers))
        if tier == explanation.tiers { return tier > 1 ? "All \(tiers) tiers are unlocked." : "Unlocked." }
        let reached: Story = tier > 0 ? "Tier \(Story.number(tier)) of \(tiers) is unlocked" : "Locked"
        return "\(reached): \(Story.joined([gap] + obstacles, by: "; "))."
    }

    /// The distance to the next tier.
    private var gap: Story {
        let goal = explanation.thresholds[explanation.tier].atLeast
        let next: Story? = explanation.tiers > 1 ? " for tier \(Story.number(explanation.tier + 1))" : nil
        guard let value = explanation.latest?.value.value.number else { return "no event has counted yet" }
        return value < goal
            ? "\(Story.number(goal - value)) of \(Story.number(goal)) are missing\(next)"
            : "\(Story.number(goal)) is reached\(next)"
    }

    private var obstacles: [Story] {
        var obstacles: [Story] = explanation.requires.filter { !$0.isUnlocked }.map {
            "\(.data($0.id)) is still locked"
        }
        if explanation.latest?.when?.isTrue == false {
            obstacles.append("its condition did not hold at the latest event")
        }
        if let obstacle = explanation.period?.obstacle { obstacles.append(.obstacle(obstacle)) }
        return obstacles
    }

    /// The changes of the achievement, each as a sentence, with the event and the values behind it.
    package var changes: [(sentence: Story, reason: Story)] {
        zip(explanation.history, history).map { change, fact in
            ("\(.day(change.event.day)): \(effect(change))\(xp(change))", fact.story)
        }
    }

    private func effect(_ change: AchievementExplanation.Change) -> Story {
        let hasTiers = explanation.tiers > 1
        return switch change.kind {
        case .unlocked(let tiers): hasTiers ? "unlocked \(Story.tiers(tiers))" : "unlocked"
        case .granted(let tiers?): hasTiers ? "granted by hand: \(Story.tiers(tiers))" : "granted by hand"
        case .granted(nil): "granted by hand, but unlocked already"
        case .revoked(let tiers): tiers > 0 ? "revoked" : "revoked while locked"
        }
    }

    private func xp(_ change: AchievementExplanation.Change) -> Story? {
        guard change.xp != 0 else { return nil }
        let xp = Story.number(abs(change.xp))
        return change.xp > 0 ? ", which gave \(xp) XP" : ", which took \(xp) XP"
    }
}
