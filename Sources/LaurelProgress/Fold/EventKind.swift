// SPDX-License-Identifier: Apache-2.0

/// The event types of the catalogue that the fold itself handles, independently of the rules.
package enum EventKind: String, Sendable, CaseIterable {
    case learnerUpdated = "learner.updated"
    case levelDeclared = "level.declared"
    case sessionStarted = "session.started"
    case sessionEnded = "session.ended"
    case sessionDiscarded = "session.discarded"
    case lineSpoken = "line.spoken"
    case wordAdded = "word.added"
    case wordUpdated = "word.updated"
    case wordRemoved = "word.removed"
    case wordEncountered = "word.encountered"
    case wordLearned = "word.learned"
    case wordUnlearned = "word.unlearned"
    case wordImported = "word.imported"
    case reviewGraded = "review.graded"
    case repairMade = "repair.made"
    case helpGiven = "help.given"
    case teamWon = "team.won"
    case conversationEnded = "conversation.ended"
    case streakRepaired = "streak.repaired"
    case streakFrozen = "streak.frozen"
    case streakPaused = "streak.paused"
    case freezeGranted = "freeze.granted"
    case xpAdjusted = "xp.adjusted"
    case xpDeclared = "xp.declared"
    case currencyAdjusted = "currency.adjusted"
    case itemBought = "item.bought"
    case achievementGranted = "achievement.granted"
    case achievementRevoked = "achievement.revoked"
    case schedulerFitted = "scheduler.fitted"
    case groupJoined = "group.joined"
    case groupLeft = "group.left"
    case leagueFinished = "league.finished"
    case eventRetracted = "event.retracted"
    case flagCleared = "flag.cleared"
    case other = ""

    package var concernsWord: Bool {
        switch self {
        case .wordAdded, .wordUpdated, .wordRemoved, .wordEncountered, .wordLearned, .wordUnlearned, .wordImported,
            .reviewGraded:
            true
        default: false
        }
    }

    /// True if the fold itself reads a field of events of this kind.
    func reads(_ role: FieldRole) -> Bool {
        switch role {
        case .durationMs: isTimed || self == .sessionEnded
        case .mode, .scenario, .partner: self == .sessionStarted || self == .sessionEnded
        case .group, .kind: self == .groupJoined || self == .groupLeft
        case .league, .week, .tier, .next, .outcome, .room, .rank, .of, .xp: self == .leagueFinished
        case .leagues: self == .learnerUpdated
        default: self != .lineSpoken
        }
    }

    /// True if the event must be a stretch by itself. Its tracks may treat it differently from other events, or the
    /// event is not practice.
    var isFoldedSeparately: Bool {
        switch self {
        case .learnerUpdated, .levelDeclared, .streakRepaired, .streakFrozen, .streakPaused, .freezeGranted,
            .xpAdjusted, .xpDeclared, .achievementGranted, .achievementRevoked, .schedulerFitted, .groupJoined,
            .groupLeft, .leagueFinished, .sessionDiscarded, .eventRetracted, .flagCleared:
            true
        default: false
        }
    }

    /// True if the event itself changes balances of currencies.
    var changesBalances: Bool { self == .currencyAdjusted || self == .itemBought }

    /// True if each track counts the event separately: see ``FoldCore/countPerTrack(_:_:)``.
    var countsPerTrack: Bool {
        switch self {
        case .sessionStarted, .sessionEnded, .repairMade, .helpGiven, .teamWon, .levelDeclared: true
        default: false
        }
    }

    /// True if the event may contain a duration. Outside sessions the duration counts as practice.
    var isTimed: Bool { [.lineSpoken, .reviewGraded, .conversationEnded].contains(self) }

    /// The fold's own steps for the event, in execution order. They do not depend on the rules.
    var builtInSteps: [BuiltInStep] {
        var builtInSteps: [BuiltInStep] = countsPerTrack ? [.countPerTrack] : []
        switch self {
        case .learnerUpdated: builtInSteps.append(.applyProfile)
        case .sessionEnded: builtInSteps = [.borrow, .countPerTrack, .closeSession]
        case .streakRepaired, .streakFrozen, .streakPaused, .freezeGranted:
            builtInSteps += [.applyStreakCorrection, .publishStreak]
        case .xpAdjusted, .xpDeclared: builtInSteps.append(.adjust)
        case .achievementGranted, .achievementRevoked: builtInSteps.append(.applyManualAchievement)
        case .schedulerFitted: builtInSteps.append(.keepFit)
        case .groupJoined, .groupLeft: builtInSteps.append(.changeMembership)
        case .leagueFinished: builtInSteps.append(.finishLeague)
        default: break
        }
        return builtInSteps
    }

    /// The kinds of events that act on other events, at any position in the order.
    package static let corrections: [EventKind] = [.eventRetracted, .sessionDiscarded, .flagCleared]
}

/// The fields of `data` that the fold itself reads. `CodingKey` gives each case its name without reflection. Reflection
/// would take most of the time of building a plan.
package enum FieldRole: Int, Sendable, CaseIterable, CodingKey {
    case word, grade, durationMs, mode, scenario, partner, helped, date, amount, total, achievement, level
    case displayName, nativeLanguage, dailyGoalMinutes, cohort, leaderboard
    case masteryLevel, easeFactor, intervalDays, stability, difficulty, nextReviewAt, lastReviewedAt, totalReviews
    case correctReviews, source, id
    case text, translation, partOfSpeech, category, origin
    case from, through, count
    case currency, item
    case parameters
    case group, kind
    case league, week, tier, next, outcome, room, rank, of, xp, leagues

    static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.stringValue, $0) })

    /// The fields that vocabularies depend on, including those of corrections.
    package static let ofWords = names(
        of: [
            .word, .grade, .masteryLevel, .easeFactor, .intervalDays, .stability, .difficulty, .nextReviewAt,
            .lastReviewedAt, .totalReviews, .correctReviews, .parameters,
        ]
    )
    .union(ofCorrections)
    /// The fields that identify the events that a correction voids.
    package static let ofCorrections = names(of: [.source, .id])

    static func names(of roles: [FieldRole]) -> Set<String> { Set(roles.map(\.stringValue)) }
}
