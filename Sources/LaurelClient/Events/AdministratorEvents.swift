// SPDX-License-Identifier: Apache-2.0

/// Events that only administrators can send, not learners' devices. Clients/generate makes them, except the comments.
extension LearningEvent {
    /// `level.declared`: the CEFR level at which a learner starts. The event must have a language.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `level.declared`.
    /// - Parameter level: A1 to C2.
    public static func levelDeclared(level: CEFRLevel) -> LearningEvent {
        LearningEvent("level.declared", ["level": level])
    }

    /// `streak.repaired`: a missed day counts as active.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `streak.repaired`.
    /// - Parameters:
    ///   - date: the missed day, `YYYY-MM-DD`.
    ///   - reason: the reason, for people; nil for none.
    public static func streakRepaired(date: String, reason: String? = nil) -> LearningEvent {
        LearningEvent("streak.repaired", ["date": date, "reason": reason])
    }

    /// `streak.frozen`: if the learner misses the day, the streak neither breaks nor grows.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `streak.frozen`.
    /// - Parameters:
    ///   - date: the day, `YYYY-MM-DD`; it may be in the future.
    ///   - reason: the reason, for people; nil for none.
    public static func streakFrozen(date: String, reason: String? = nil) -> LearningEvent {
        LearningEvent("streak.frozen", ["date": date, "reason": reason])
    }

    /// `streak.paused`: on missed days of a period, the streak neither breaks nor grows.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `streak.paused`.
    /// - Parameters:
    ///   - from: the first day, `YYYY-MM-DD`.
    ///   - through: the last day, inclusive. The period has at most 366 days.
    ///   - reason: the reason, for people; nil for none.
    public static func streakPaused(from: String, through: String, reason: String? = nil) -> LearningEvent {
        LearningEvent("streak.paused", ["from": from, "through": through, "reason": reason])
    }

    /// `freeze.granted`: the learner gets streak freezes.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `freeze.granted`.
    /// - Parameters:
    ///   - count: the number of freezes, 1 to 100; 1 if absent.
    ///   - reason: the reason, for people; nil for none.
    public static func freezeGranted(count: Int? = nil, reason: String? = nil) -> LearningEvent {
        LearningEvent("freeze.granted", ["count": count, "reason": reason])
    }

    /// `xp.adjusted`: XP is added or taken.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `xp.adjusted`.
    /// - Parameters:
    ///   - amount: the XP to add, negative to take XP; from −2⁵³ to 2⁵³.
    ///   - reason: the reason, for people; nil for none.
    public static func xpAdjusted(amount: Int, reason: String? = nil) -> LearningEvent {
        LearningEvent("xp.adjusted", ["amount": amount, "reason": reason])
    }

    /// `xp.declared`: the XP that another app showed. If the track has less XP, the difference is added. The track is
    /// that of the event's language; without a language, the overall track. Declare the languages' XP first.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `xp.declared`.
    /// - Parameter total: 0 to 2⁵³.
    public static func xpDeclared(total: Int) -> LearningEvent {
        LearningEvent("xp.declared", ["total": total])
    }

    /// `currency.adjusted`: a balance is raised or lowered.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `currency.adjusted`.
    /// - Parameters:
    ///   - currency: the currency's name in the rules.
    ///   - amount: the amount to add, negative to lower the balance; from −10¹² to 10¹².
    ///   - reason: the reason, for people; nil for none.
    public static func currencyAdjusted(currency: String, amount: Int, reason: String? = nil) -> LearningEvent {
        LearningEvent("currency.adjusted", ["currency": currency, "amount": amount, "reason": reason])
    }

    /// `item.bought`: the learner bought items.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `item.bought`.
    /// - Parameters:
    ///   - item: the item's name in the rules.
    ///   - count: the number of items, 1 to 1000; 1 if absent.
    public static func itemBought(item: String, count: Int? = nil) -> LearningEvent {
        LearningEvent("item.bought", ["item": item, "count": count])
    }

    /// `achievement.granted`: an achievement is unlocked.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `achievement.granted`.
    /// - Parameters:
    ///   - achievement: the achievement's id in the rules.
    ///   - reason: the reason, for people; nil for none.
    public static func achievementGranted(achievement: String, reason: String? = nil) -> LearningEvent {
        LearningEvent("achievement.granted", ["achievement": achievement, "reason": reason])
    }

    /// `achievement.revoked`: an achievement is locked.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `achievement.revoked`.
    /// - Parameters:
    ///   - achievement: the achievement's id in the rules.
    ///   - reason: the reason, for people; nil for none.
    public static func achievementRevoked(achievement: String, reason: String? = nil) -> LearningEvent {
        LearningEvent("achievement.revoked", ["achievement": achievement, "reason": reason])
    }

    /// `group.joined`: the learner became a member of a group.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `group.joined`.
    /// - Parameters:
    ///   - group: the group's id, as your app gives it.
    ///   - kind: the group's kind in the rules; nil for none.
    public static func groupJoined(group: String, kind: String? = nil) -> LearningEvent {
        LearningEvent("group.joined", ["group": group, "kind": kind])
    }

    /// `group.left`: the learner left a group.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `group.left`.
    /// - Parameter group: the group's id, as your app gives it.
    public static func groupLeft(group: String) -> LearningEvent {
        LearningEvent("group.left", ["group": group])
    }

    /// `league.finished`: the learner's result of a league's week.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `league.finished`.
    /// - Parameters:
    ///   - league: the league's name in the rules.
    ///   - week: the week's name, such as `2026-W06`.
    ///   - tier: the tier of that week.
    ///   - room: the number of the room; nil for a learner who did not compete.
    ///   - rank: the rank in the room.
    ///   - of: the number of competitors in the room.
    ///   - xp: the XP of the week.
    ///   - outcome: the result for the learner.
    ///   - next: the tier of the next week.
    public static func leagueFinished(
        league: String,
        week: String,
        tier: String,
        room: Int? = nil,
        rank: Int? = nil,
        of: Int? = nil,
        xp: Double,
        outcome: LeagueOutcome,
        next: String
    ) -> LearningEvent {
        LearningEvent(
            "league.finished",
            [
                "league": league, "week": week, "tier": tier, "room": room, "rank": rank, "of": of, "xp": xp,
                "outcome": outcome, "next": next,
            ]
        )
    }

    /// `flag.cleared`: an event that was flagged as implausible is no longer flagged.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `flag.cleared`.
    /// - Parameters:
    ///   - source: the source of the event.
    ///   - id: the id of the event.
    public static func flagCleared(source: String, id: String) -> LearningEvent {
        LearningEvent("flag.cleared", ["source": source, "id": id])
    }

    /// `scheduler.fitted`: the FSRS parameters that fit the learner's reviews.
    ///
    /// Only administrators may send it. A service accepts it only with a key of scope `decree` or `admin`, or with a
    /// key whose types include `scheduler.fitted`.
    /// - Parameters:
    ///   - parameters: the parameters w0 … w20 of FSRS-6, each within its bounds.
    ///   - reviews: the number of reviews used for the fit; 0 or more.
    ///   - logLoss: the log loss of the fit.
    public static func schedulerFitted(parameters: [Double], reviews: Int, logLoss: Double) -> LearningEvent {
        LearningEvent("scheduler.fitted", ["parameters": parameters, "reviews": reviews, "logLoss": logLoss])
    }
}
