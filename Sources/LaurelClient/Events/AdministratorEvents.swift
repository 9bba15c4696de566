// SPDX-License-Identifier: Apache-2.0

/// Events that only administrators can send, not learners' devices. Clients/generate makes them, except the comments.
extension LearningEvent {
    /// `level.declared`: the CEFR level a learner starts from. Needs a language.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one
    /// whose types name `level.declared`.
    /// - Parameter level: A1 to C2.
    public static func levelDeclared(level: CEFRLevel) -> LearningEvent {
        LearningEvent("level.declared", ["level": level])
    }

    /// `streak.repaired`: a missed day counts as active.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one
    /// whose types name `streak.repaired`.
    /// - Parameters:
    ///   - date: `YYYY-MM-DD`.
    ///   - reason: for people.
    public static func streakRepaired(date: String, reason: String? = nil) -> LearningEvent {
        LearningEvent("streak.repaired", ["date": date, "reason": reason])
    }

    /// `streak.frozen`: a day, if missed, neither breaks nor extends the streak.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one
    /// whose types name `streak.frozen`.
    /// - Parameters:
    ///   - date: `YYYY-MM-DD`; may lie ahead.
    ///   - reason: for people.
    public static func streakFrozen(date: String, reason: String? = nil) -> LearningEvent {
        LearningEvent("streak.frozen", ["date": date, "reason": reason])
    }

    /// `streak.paused`: the missed days of a span neither break nor extend the streak.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one
    /// whose types name `streak.paused`.
    /// - Parameters:
    ///   - from: the first day, `YYYY-MM-DD`.
    ///   - through: the last day, which belongs to the span of at most 366 days.
    ///   - reason: for people.
    public static func streakPaused(from: String, through: String, reason: String? = nil) -> LearningEvent {
        LearningEvent("streak.paused", ["from": from, "through": through, "reason": reason])
    }

    /// `freeze.granted`: the learner is given streak freezes.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree`
    /// or `admin`, or one whose types name `freeze.granted`.
    /// - Parameters:
    ///   - count: 1 to 100; 1 if absent.
    ///   - reason: for people.
    public static func freezeGranted(count: Int? = nil, reason: String? = nil) -> LearningEvent {
        LearningEvent("freeze.granted", ["count": count, "reason": reason])
    }

    /// `xp.adjusted`: XP is added or taken.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one
    /// whose types name `xp.adjusted`.
    /// - Parameters:
    ///   - amount: at most 2⁵³ either way.
    ///   - reason: for people.
    public static func xpAdjusted(amount: Int, reason: String? = nil) -> LearningEvent {
        LearningEvent("xp.adjusted", ["amount": amount, "reason": reason])
    }

    /// `xp.declared`: the XP that an app showed. The difference to the track's XP is added, unless the track has more.
    /// The track is that of the event's language, else the overall one. Declare the languages first.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree`
    /// or `admin`, or one whose types name `xp.declared`.
    /// - Parameter total: 0 to 2⁵³.
    public static func xpDeclared(total: Int) -> LearningEvent {
        LearningEvent("xp.declared", ["total": total])
    }

    /// `currency.adjusted`: a balance is raised or lowered.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one
    /// whose types name `currency.adjusted`.
    /// - Parameters:
    ///   - currency: its name in the rules.
    ///   - amount: at most 10¹² either way.
    ///   - reason: for people.
    public static func currencyAdjusted(currency: String, amount: Int, reason: String? = nil) -> LearningEvent {
        LearningEvent("currency.adjusted", ["currency": currency, "amount": amount, "reason": reason])
    }

    /// `item.bought`: the learner bought items.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree`
    /// or `admin`, or one whose types name `item.bought`.
    /// - Parameters:
    ///   - item: its name in the rules.
    ///   - count: 1 to 1000; 1 if absent.
    public static func itemBought(item: String, count: Int? = nil) -> LearningEvent {
        LearningEvent("item.bought", ["item": item, "count": count])
    }

    /// `achievement.granted`: an achievement is unlocked.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one
    /// whose types name `achievement.granted`.
    /// - Parameters:
    ///   - achievement: its id in the rules.
    ///   - reason: for people.
    public static func achievementGranted(achievement: String, reason: String? = nil) -> LearningEvent {
        LearningEvent("achievement.granted", ["achievement": achievement, "reason": reason])
    }

    /// `achievement.revoked`: an achievement is locked.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree` or `admin`, or one
    /// whose types name `achievement.revoked`.
    /// - Parameters:
    ///   - achievement: its id in the rules.
    ///   - reason: for people.
    public static func achievementRevoked(achievement: String, reason: String? = nil) -> LearningEvent {
        LearningEvent("achievement.revoked", ["achievement": achievement, "reason": reason])
    }

    /// `group.joined`: the learner became a member of a group.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree`
    /// or `admin`, or one whose types name `group.joined`.
    /// - Parameters:
    ///   - group: the group's id, as your app gives it.
    ///   - kind: its kind in the rules.
    public static func groupJoined(group: String, kind: String? = nil) -> LearningEvent {
        LearningEvent("group.joined", ["group": group, "kind": kind])
    }

    /// `group.left`: the learner left a group.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree`
    /// or `admin`, or one whose types name `group.left`.
    /// - Parameter group: the group's id, as your app gives it.
    public static func groupLeft(group: String) -> LearningEvent {
        LearningEvent("group.left", ["group": group])
    }

    /// `league.finished`: the learner's result of a league's week.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree`
    /// or `admin`, or one whose types name `league.finished`.
    /// - Parameters:
    ///   - league: its name in the rules.
    ///   - week: such as `2026-W06`.
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
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree`
    /// or `admin`, or one whose types name `flag.cleared`.
    /// - Parameters:
    ///   - source: the source of the event.
    ///   - id: the id of the event.
    public static func flagCleared(source: String, id: String) -> LearningEvent {
        LearningEvent("flag.cleared", ["source": source, "id": id])
    }

    /// `scheduler.fitted`: the FSRS parameters that fit the learner's reviews.
    ///
    /// Only administrators may send it: a service refuses the event unless it comes with a key of scope `decree`
    /// or `admin`, or one whose types name `scheduler.fitted`.
    /// - Parameters:
    ///   - parameters: w0 … w20 of FSRS-6, each within its bounds.
    ///   - reviews: the number of reviews they were fitted to; 0 or more.
    ///   - logLoss: the log loss of the fit.
    public static func schedulerFitted(parameters: [Double], reviews: Int, logLoss: Double) -> LearningEvent {
        LearningEvent("scheduler.fitted", ["parameters": parameters, "reviews": reviews, "logLoss": logLoss])
    }
}
