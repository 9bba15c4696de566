// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelProgress
public import LaurelResults
import LaurelRules
public import LaurelWire

/// Explanations of a learner's numbers. The learner's events are folded again, and each step of the rules is
/// recorded. So an explanation always agrees with the number. The engine's rules are used, which may differ from the
/// store's.
extension Learner {
    /// All awards, adjustments and rewards. The sums equal the XP of `progress(language:at:)`.
    /// - Parameters:
    ///   - language: only events in this language; nil for all languages together.
    ///   - day: only events of this local day.
    ///   - session: only events that carry this session.
    ///   - flagged: true to list only events that exceed a limit of the rules. Such events are listed even if they give
    ///     no XP, or if their flags were cleared.
    ///   - limit: the maximum number of listed events; the latest events are listed. The sums cover all events. nil for
    ///     all.
    ///   - date: the instant to answer as of; nil for now.
    /// - Returns: nil for an unknown learner.
    /// - Complexity: O(events of the learner). The explanation contains the events that XP rules apply to, up to the
    ///   limit.
    public func explainXP(
        language: String? = nil,
        day: LocalDay? = nil,
        session: String? = nil,
        flagged: Bool = false,
        limit: Int? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> XPExplanation? {
        try EngineError.translating {
            let found = try engine.fold(id, until: instant(date)) { plan in
                XPCollector(
                    plan: plan,
                    language: language?.canonicalLanguageTag,
                    day: day,
                    session: session,
                    exceedingOnly: flagged,
                    limit: max(limit ?? .max, 0)
                )
            }
            return found?.observer.explanation(of: id)
        }
    }

    /// The history of one achievement, which may be hidden. If the achievement is over all languages, the list has one
    /// explanation. Otherwise, it has one explanation per language, in byte order.
    /// - Parameters:
    ///   - achievement: the achievement's id.
    ///   - language: for an achievement per language, the only language to explain; nil for all.
    ///   - date: the instant to answer as of; nil for now.
    /// - Returns: an empty list for an unknown learner, and if the learner's version of the rules has no such
    ///   achievement.
    /// - Complexity: O(events of the learner).
    public func explainAchievement(
        _ achievement: String,
        language: String? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> [AchievementExplanation] {
        try EngineError.translating {
            let instant = instant(date)
            let found = try engine.fold(id, until: instant) { AchievementCollector(plan: $0, achievement: achievement) }
            guard let (collector, state, plan) = found, let rule = state.plan.rules.achievement(achievement) else {
                return []
            }
            let languages = language.map { [$0.canonicalLanguageTag] } ?? ProgressReader(plan: plan).languages(state)
            let tracks: [String?] = rule.isPerLanguage ? languages : [nil]
            return tracks.compactMap { collector.explanation(state, language: $0, at: instant) }
        }
    }

    /// The streak day by day.
    /// - Parameters:
    ///   - language: nil for all languages together.
    ///   - day: shows this day with the 15 days before and after it; nil for the last month.
    ///   - date: the instant to answer as of; nil for now.
    /// - Returns: nil for an unknown learner, a language without events, and rules without a streak.
    /// - Complexity: O(events of the learner + days since the first active day).
    public func explainStreak(
        language: String? = nil,
        around day: LocalDay? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> StreakExplanation? {
        try EngineError.translating {
            let instant = instant(date)
            let found = try engine.fold(id, until: instant) { plan in
                StreakCollector(plan: plan, language: language?.canonicalLanguageTag)
            }
            return found.flatMap { $0.observer.explanation($0.state, of: id, around: day, at: instant) }
        }
    }

    /// The changes of a balance. Their amounts add up to the balance in `progress(language:at:)`.
    /// - Parameters:
    ///   - currency: the currency, as the rules name it.
    ///   - date: the instant to answer as of; nil for now.
    /// - Returns: nil for an unknown learner, and if the learner's version of the rules has no such currency.
    /// - Complexity: O(events of the learner).
    public func explainBalance(_ currency: String, at date: Date? = nil) throws(EngineError) -> BalanceExplanation? {
        try EngineError.translating {
            let instant = instant(date)
            let found = try engine.fold(id, until: instant) { BalanceCollector(plan: $0, currency: currency) }
            guard let (collector, state, plan) = found,
                let progress = ProgressReader(plan: plan).progress(state, subject: id, at: instant),
                let balance = LearnerProgress(progress).balances?[currency]
            else { return nil }
            return collector.explanation(of: id, balance: Int(balance))
        }
    }

    /// The history of a word. There is one explanation for each language with events about the word, in byte order.
    /// - Parameters:
    ///   - word: the word's id in events.
    ///   - language: the only language to explain; "" for events without a language; nil for all.
    ///   - date: the instant to answer as of; nil for now.
    /// - Returns: an empty list for an unknown learner, and if no event was about the word.
    /// - Complexity: O(events of the learner).
    public func explainWord(
        _ word: String,
        language: String? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> [WordExplanation] {
        try EngineError.translating {
            let instant = instant(date)
            let found = try engine.fold(id, until: instant) { WordHistoryCollector(plan: $0, word: word) }
            guard let (collector, state, _) = found else { return [] }
            let mastery = engine.rules(at: instant).mastery
            return collector.explanations(
                state,
                language: language?.canonicalLanguageTag,
                mastery,
                at: instant
            )
        }
    }
}
