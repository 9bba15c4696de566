// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelProgress
public import LaurelResults
import LaurelRules
public import LaurelWire

/// Why a learner's numbers are what they are. The learner's events are folded again, and what the rules do is written down, so
/// an explanation cannot disagree with the number. The rules are the engine's, be they the store's or others.
extension Learner {
    /// Every award, adjustment and reward; the sums are those of `progress(language:at:)`.
    /// - Parameters:
    ///   - language: events in it only; nil for all languages together.
    ///   - day: events of this local day only.
    ///   - session: events that carry this session only.
    ///   - limit: how many events are told, the latest; the sums are of all. nil for all.
    ///   - date: the instant to answer as of; nil for now.
    /// - Returns: nil for an unknown learner.
    /// - Complexity: O(events of the learner); the explanation holds those that XP rules apply to, up to the limit.
    public func explainXP(
        language: String? = nil,
        day: LocalDay? = nil,
        session: String? = nil,
        limit: Int? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> XPExplanation? {
        try EngineError.translating {
            var made: XPCollector?
            let found = try engine.state(of: id, at: instant(date)) { plan in
                made = XPCollector(
                    plan: plan,
                    language: language?.canonicalLanguageTag,
                    day: day,
                    session: session,
                    limit: max(limit ?? .max, 0)
                )
                return made
            }
            return found == nil ? nil : made?.explanation(of: id)
        }
    }

    /// One achievement in the tracks that it lives in: over all languages, or each language's in byte order. Hidden ones, too.
    /// - Parameters:
    ///   - achievement: its id.
    ///   - language: of an achievement per language, only this one.
    ///   - date: the instant to answer as of; nil for now.
    /// - Returns: nothing for an unknown learner, and where the version of the rules that the learner is in has no such
    ///   achievement.
    /// - Complexity: O(events of the learner).
    public func explainAchievement(
        _ achievement: String,
        language: String? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> [AchievementExplanation] {
        try EngineError.translating {
            var made: AchievementCollector?
            let instant = instant(date)
            let found = try engine.state(of: id, at: instant) { plan in
                made = AchievementCollector(plan: plan, achievement: achievement)
                return made
            }
            guard let (state, plan) = found, let collector = made,
                let rule = state.plan.rules.achievement(achievement)
            else { return [] }
            let languages = language.map { [$0.canonicalLanguageTag] } ?? ProgressReader(plan: plan).languages(state)
            let tracks: [String?] = rule.isPerLanguage ? languages : [nil]
            return tracks.compactMap { collector.explanation(state, language: $0, at: instant) }
        }
    }

    /// The streak day by day.
    /// - Parameters:
    ///   - language: nil for all languages together.
    ///   - day: shows this day with the 15 before and after it; nil shows the last month.
    ///   - date: the instant to answer as of; nil for now.
    /// - Returns: nil for an unknown learner, a language without events, and rules without a streak.
    /// - Complexity: O(events of the learner + days since the first active one).
    public func explainStreak(
        language: String? = nil,
        around day: LocalDay? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> StreakExplanation? {
        try EngineError.translating {
            var made: StreakCollector?
            let instant = instant(date)
            let found = try engine.state(of: id, at: instant) { plan in
                made = StreakCollector(plan: plan, language: language?.canonicalLanguageTag)
                return made
            }
            guard let (state, _) = found else { return nil }
            return made?.explanation(state, of: id, around: day, at: instant)
        }
    }

    /// What became of a word, in each language that had events about it, in byte order.
    /// - Parameters:
    ///   - word: its id, as events have it.
    ///   - language: only this one, "" for events without a language; nil for all of them.
    ///   - date: the instant to answer as of; nil for now.
    /// - Returns: nothing for an unknown learner, and where no event was about the word.
    /// - Complexity: O(events of the learner).
    public func explainWord(
        _ word: String,
        language: String? = nil,
        at date: Date? = nil
    ) throws(EngineError) -> [WordExplanation] {
        try EngineError.translating {
            var made: WordHistoryCollector?
            let instant = instant(date)
            let found = try engine.state(of: id, at: instant) { plan in
                made = WordHistoryCollector(plan: plan, word: word)
                return made
            }
            guard let (state, _) = found, let collector = made else { return [] }
            let mastery = engine.rules(at: instant).mastery
            return collector.explanations(
                state,
                language: language?.canonicalLanguageTag,
                mastery,
                at: instant.milliseconds
            )
        }
    }
}
