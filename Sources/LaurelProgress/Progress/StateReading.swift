// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelRules

/// A learner's state in one achievement, with more detail than ``AchievementProgress``.
package struct AchievementStanding: Sendable {
    package var progress: AchievementProgress
    /// The largest value that the achievement had while `when` and `requires` were true; 0 if they never were.
    package var best: Double
    package var isRevoked: Bool
}

/// Values that explanations and leaderboards read from a state. The language is nil for the overall track.
extension ProgressReader {
    /// The local day of an instant by the track's clock; nil if the learner does not have the track.
    package func localDay(of instant: Timestamp, _ state: LearnerState, language: String?) -> LocalDay? {
        track(state, language).map { localDay(of: instant, $0) }
    }

    /// The instant at which a week ends on the learner's clock, in milliseconds since 1970.
    /// - Parameter instant: an instant in the week.
    package func end(of week: LeagueWeek, _ state: LearnerState, at instant: Timestamp) -> Int64 {
        // The day ends on every clock within two days of its end in UTC.
        let latest = (Int(week.days.upperBound.number) + 3) * 86_400_000
        let end = (min(Int(instant.milliseconds), latest)..<latest).partitioningIndex { milliseconds in
            let moment = Timestamp(milliseconds: Int64(milliseconds), offset: instant.offset)
            return localDay(of: moment, state.tracks[0]) > week.days.upperBound
        }
        return Int64(end)
    }

    /// The XP of a track, flagged XP included.
    package func xp(_ state: LearnerState, language: String?) -> Double { track(state, language)?.xp ?? 0 }

    /// The XP of a track, without flagged XP, from events whose local day is in a range. If the range is nil, the XP of
    /// all events.
    package func comparedXP(_ state: LearnerState, language: String?, days: ClosedRange<LocalDay>?) -> Double {
        guard let track = track(state, language) else { return 0 }
        guard let days else { return track.xp - track.flagged.xp }
        return track.days.within(days).reduce(0) { $0 + $1.xp - $1.flaggedXP }
    }

    /// - Parameter index: the achievement's index in the learner's version of the rules.
    package func achievement(_ index: Int, _ state: LearnerState, language: String?) -> AchievementStanding? {
        guard let track = track(state, language) else { return nil }
        guard let place = scope(track).indexes.firstIndex(of: index) else { return nil }
        return AchievementStanding(
            progress: achievements(track)[place],
            best: track.achievements[index].best,
            isRevoked: track.achievements[index].isRevoked
        )
    }

    /// Calls a closure for each day of the streak up to a reference day, or up to the latest active day if that is
    /// later.
    /// - Complexity: O(days since the first active day).
    package func walkStreak(
        _ state: LearnerState,
        language: String?,
        to reference: LocalDay,
        _ visit: (LocalDay, StreakOutcome, StreakValue) -> Void
    ) {
        guard state.plan.hasStreak else { return }
        track(state, language)?.streak.walk(to: reference, state.plan.streakTerms, visit)
    }

    /// The streak of a track at the end of a day; nil if the rules have no streak. Freezes are counted even before the
    /// first active day.
    package func streak(_ state: LearnerState, language: String?, at day: LocalDay) -> StreakValue? {
        guard state.plan.hasStreak, var streak = track(state, language)?.streak else { return nil }
        return streak.value(at: day, state.plan.streakTerms)
    }

    /// The state of a word; nil if the learner does not know the word.
    /// - Parameter language: the word's language; empty for words of events without a language.
    package func word(_ word: [UInt8], _ state: LearnerState, language: [UInt8]) -> WordState? {
        state.vocabulary(language: language)?.known.first { $0.word.elementsEqual(word) }?.state
    }

    private func track(_ state: LearnerState, _ language: String?) -> TrackState? {
        guard let language else { return state.tracks[0] }
        return state.track(language: Array(language.utf8))
    }
}

/// A word at the highest mastery.
package struct MasteredWord: Sendable, Hashable {
    /// The word's language; empty for words of events without a language.
    package var language: String
    package var word: String
}

extension ProgressReader {
    /// The known words with the highest mastery.
    /// - Complexity: O(words).
    package func masteredWords(_ state: LearnerState) -> Set<MasteredWord> {
        var found: Set<MasteredWord> = []
        for vocabulary in state.vocabularies {
            let language = String(decoding: vocabulary.language, as: UTF8.self)
            vocabulary.forEachKnown { index, state in
                guard state.mastery == 5 else { return }
                found.insert(
                    MasteredWord(language: language, word: String(decoding: vocabulary[index].word, as: UTF8.self))
                )
            }
        }
        return found
    }
}
