// SPDX-License-Identifier: Apache-2.0

/// Corrections, and what a teacher or administrator gives and takes.
extension LearningEvent {
    /// `streak.repaired`: a missed day counts as active.
    /// - Parameter date: `YYYY-MM-DD`.
    public static func streakRepaired(date: String) -> LearningEvent {
        LearningEvent("streak.repaired", ["date": date])
    }

    /// `streak.frozen`: a day, if missed, neither breaks nor extends the streak.
    /// - Parameter date: `YYYY-MM-DD`; may lie ahead.
    public static func streakFrozen(date: String) -> LearningEvent {
        LearningEvent("streak.frozen", ["date": date])
    }

    /// `xp.adjusted`: an administrator adds or takes XP.
    /// - Parameters:
    ///   - amount: At most 2⁵³ either way.
    ///   - reason: for people.
    public static func xpAdjusted(amount: Int, reason: String? = nil) -> LearningEvent {
        LearningEvent("xp.adjusted", ["amount": amount, "reason": reason])
    }

    /// `xp.declared`: the XP that an app showed. What the track lacks of it is added, nothing where the track has more: the
    /// language's track for an event with a language, else the overall one. Declare the languages first.
    /// - Parameter total: 0 to 2⁵³.
    public static func xpDeclared(total: Int) -> LearningEvent {
        LearningEvent("xp.declared", ["total": total])
    }

    /// `achievement.granted`: an administrator unlocks an achievement.
    public static func achievementGranted(achievement: String, reason: String? = nil) -> LearningEvent {
        LearningEvent("achievement.granted", ["achievement": achievement, "reason": reason])
    }

    /// `achievement.revoked`: an administrator locks an achievement.
    public static func achievementRevoked(achievement: String, reason: String? = nil) -> LearningEvent {
        LearningEvent("achievement.revoked", ["achievement": achievement, "reason": reason])
    }

    /// `event.retracted`: voids one event of the same learner.
    public static func eventRetracted(source: String, id: String) -> LearningEvent {
        LearningEvent("event.retracted", ["source": source, "id": id])
    }
}
