package import LaurelEvents
import LaurelRules

/// A CEFR level estimated from a score, and what the estimate rests on.
package struct CEFREstimate: Sendable {
    package var band: String
    /// 0 … 100 of the way to the next band; 100 in the last.
    package var percent: Double
    package var score: Double
    /// The score at which the band starts.
    package var start: Double
    /// The next band and the score at which it starts; nil in the last.
    package var next: (band: String, start: Double)?
}

/// What a track has summed up to some moment of the fold.
package struct TrackTotals: Sendable {
    /// nil for the overall track.
    package var language: [UInt8]?
    package var xp: Double
    package var practiceMilliseconds: Int64
    package var sessions: Int
    package var successfulRepairs: Int
    package var helpGiven: Int
    package var teamWins: Int
    package var wordsKnown: Int
    package var wordsLearned: Int
    package var wordsNew: Int
    package var wordsLearning: Int
    package var wordsReviewing: Int
    package var wordsMastered: Int

    init(_ track: TrackState) {
        language = track.language
        xp = track.xp
        practiceMilliseconds = track.practiceMilliseconds
        sessions = track.endedSessions
        successfulRepairs = track.successfulRepairs
        helpGiven = track.helpGiven
        teamWins = track.teamWins
        wordsKnown = track.words.known
        wordsLearned = track.words.learned
        wordsNew = track.words.new
        wordsLearning = track.words.learning
        wordsReviewing = track.words.reviewing
        wordsMastered = track.words.mastered
    }
}

extension LearnerState {
    /// Of every track at this moment, the overall one first.
    package var totals: [TrackTotals] { tracks.map(TrackTotals.init) }

    /// Whether a day counts for the streak of a track.
    package func isActive(_ day: CivilDay, language: [UInt8]?) -> Bool {
        tracks.first { $0.language == language }?.streak.active.contains(day) ?? false
    }
}

extension ProgressReader {
    package func estimate(_ state: LearnerState, language: [UInt8]?) -> CEFREstimate? {
        state.tracks.first { $0.language == language }.flatMap(cefr)
    }

    /// The local day of an instant for a learner, by the overall track.
    package func localDay(of instant: Timestamp, _ state: LearnerState) -> CivilDay {
        localDay(of: instant, state.tracks[0])
    }

    /// What became of each day of a track's streak.
    /// - Parameters:
    ///   - first: days before it are walked over, but left out.
    ///   - today: the reference day of the walk, and the last one of the list.
    ///   - isOver: whether that day has ended: what was missed on it is then missed.
    /// - Complexity: O(days since the first active one).
    package func streakDays(
        _ state: LearnerState,
        language: [UInt8]?,
        from first: CivilDay,
        through today: CivilDay,
        isOver: Bool
    ) -> [StreakDay] {
        guard let terms = plan.streakTerms, let track = state.tracks.first(where: { $0.language == language }) else {
            return []
        }
        return track.streak.days(from: first, through: today, isOver: isOver, terms)
    }
}

/// A day as the streak sees it.
package struct StreakDay: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The learner practised.
        case active
        /// Counts because a repair said so.
        case repaired
        /// Missed, and forgiven: by a freeze held, or one set for the day.
        case frozen
        /// Missed, and one of the rules' rest days.
        case rest
        /// Missed: the streak ended, or had already.
        case missed
        /// Today, as long as nothing was done: it is not over.
        case open
    }

    package var day: CivilDay
    package var kind: Kind
    /// The streak at the end of the day.
    package var streak: Int
}

extension Streak {
    /// The walk, day by day: see ``value(at:_:)`` for its end.
    func days(from first: CivilDay, through today: CivilDay, isOver: Bool, _ terms: StreakTerms) -> [StreakDay] {
        guard let start = active.first, start <= today else { return [] }
        var result: [StreakDay] = []
        var (streak, held) = (0, 0)
        for number in start.number...today.number {
            let day = CivilDay(number: number)
            let kind: StreakDay.Kind
            if active.contains(day) {
                kind = .active
                streak += 1
                if let every = terms.freezeEvery, streak % every == 0 { held = min(held + 1, terms.freezesHeld) }
            } else if day == today, !isOver {
                kind = .open
            } else if frozen.contains(day) {
                kind = .frozen
            } else if terms.isRestDay(day) {
                kind = .rest
            } else if held > 0 {
                held -= 1
                kind = streak > 0 ? .frozen : .missed
            } else {
                streak = 0
                kind = .missed
            }
            if day >= first { result.append(StreakDay(day: day, kind: kind, streak: streak)) }
        }
        return result
    }
}
