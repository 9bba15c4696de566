// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelRules

/// What a learner has of one achievement, beside what ``AchievementProgress`` tells everyone.
package struct AchievementStanding: Sendable {
    package var progress: AchievementProgress
    /// The largest value while `when` and `requires` held; 0 before any.
    package var best: Double
    package var isRevoked: Bool
}

/// What explanations and leaderboards read off a state. Languages are nil for the overall track.
extension ProgressReader {
    /// The local day of an instant, as progress in that track takes it.
    package func localDay(of instant: Timestamp, _ state: LearnerState, language: String?) -> LocalDay? {
        track(state, language).map { localDay(of: instant, $0) }
    }

    /// A track's XP of the events whose local day is among these; of all where nil.
    package func xp(_ state: LearnerState, language: String?, days: ClosedRange<LocalDay>?) -> Double {
        guard let track = track(state, language) else { return 0 }
        guard let days else { return track.xp }
        return track.days.reduce(0) { days.contains($1.day) ? $0 + $1.xp : $0 }
    }

    /// - Parameter index: among the achievements of the version that the learner is in.
    package func achievement(_ index: Int, _ state: LearnerState, language: String?) -> AchievementStanding? {
        guard let track = track(state, language) else { return nil }
        guard let place = scope(track).indexes.firstIndex(of: index) else { return nil }
        return AchievementStanding(
            progress: achievements(track)[place],
            best: track.achievements[index].best,
            isRevoked: track.achievements[index].isRevoked
        )
    }

    /// The streak's walk to a reference day, or to the latest active day if that is later.
    /// - Complexity: O(days since the first active one).
    package func walkStreak(
        _ state: LearnerState,
        language: String?,
        to reference: LocalDay,
        _ visit: (LocalDay, StreakOutcome, StreakValue) -> Void
    ) {
        guard state.plan.hasStreak else { return }
        track(state, language)?.streak.walk(to: reference, state.plan.streakTerms, visit)
    }

    /// A word that is known; nil if it is not.
    /// - Parameter language: empty for words of events without one.
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
    /// Empty for words of events without a language.
    package var language: String
    package var word: String
}

extension ProgressReader {
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
