import LaurelEvents
import LaurelProgress
import LaurelRules

/// Says why a learner's numbers are what they are, by folding the one learner's events and listening to the fold. The
/// rules are the engine's, be they the store's or others.
extension ProgressEngine {
    /// Every award, adjustment and reward; the sums are those of progress. nil for an unknown learner.
    /// - Complexity: the learner's history.
    package func explainXP(
        of subject: String,
        _ selection: XPSelection = XPSelection(),
        at instant: Timestamp
    ) throws -> XPExplanation? {
        var collector: XPCollector?
        let found = try state(of: subject, at: instant) { plan in
            collector = XPCollector(plan: plan, selection: selection)
            return collector
        }
        return found == nil ? nil : collector?.explanation()
    }

    /// One achievement in the tracks that it lives in: the overall one, or each language's in byte order.
    /// None where the version of the rules that the learner is in has no such achievement.
    /// - Parameter language: of an achievement per language, only this one.
    package func explainAchievement(
        _ id: String,
        of subject: String,
        language: String?,
        at instant: Timestamp
    ) throws -> [AchievementExplanation]? {
        var made: AchievementCollector?
        let found = try state(of: subject, at: instant) { plan in
            made = AchievementCollector(plan: plan, achievement: id)
            return made
        }
        guard let (state, plan) = found, let collector = made else { return nil }
        guard let rule = state.plan.rules.achievement(id) else { return [] }
        guard rule.isPerLanguage else {
            return [collector.explanation(state, language: nil, at: instant)].compactMap(\.self)
        }
        let languages = language.map { [$0] } ?? ProgressReader(plan: plan).languages(state)
        return languages.compactMap { collector.explanation(state, language: $0, at: instant) }
    }

    /// The streak day by day; nil for an unknown learner, a language they have no track for, or rules without a streak.
    /// - Parameter day: shows the days around it; nil shows the last month.
    package func explainStreak(
        of subject: String,
        language: String?,
        around day: LocalDay?,
        at instant: Timestamp
    ) throws -> StreakExplanation? {
        var collector: StreakCollector?
        let found = try state(of: subject, at: instant) { plan in
            collector = StreakCollector(plan: plan, language: language)
            return collector
        }
        guard let (state, _) = found else { return nil }
        return collector?.explanation(state, around: day, at: instant)
    }

    /// What became of a word, per language that had events about it. nil for an unknown learner.
    /// - Parameter language: nil for all of them.
    package func explainWord(
        _ word: String,
        of subject: String,
        language: String?,
        at instant: Timestamp
    ) throws -> [WordExplanation]? {
        var collector: WordHistoryCollector?
        let found = try state(of: subject, at: instant) { plan in
            collector = WordHistoryCollector(plan: plan, word: word)
            return collector
        }
        guard let (state, _) = found else { return nil }
        return collector?.explanations(state, language: language)
    }
}
