// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
package import LaurelResults
import LaurelStore
package import LaurelWire

/// What a learner's page shows, from one reading of the learner's events.
package struct LearnerPicture: Sendable {
    /// Of the track asked for.
    package let progress: LearnerProgress
    /// The languages with events, in byte order.
    package let languages: [String]
    /// Of the track asked for, newest first.
    package let sessions: [Session]
    /// Of the track asked for; of all tracks together with the overall one.
    package let achievements: [Achievement]
    /// Of the track asked for.
    package let track: TrackFacts
    package let today: LocalDay
    package let period: ReportPeriod
}

extension ProgressEngine {
    /// - Parameters:
    ///   - language: nil for all languages together.
    ///   - weeks: how many, the present one the last, are told day by day.
    /// - Returns: nil if the learner has no events in the language.
    /// - Complexity: O(events of the learner).
    package func picture(
        of id: String,
        language: String?,
        weeks: Int,
        at instant: Timestamp
    ) throws(EngineError) -> LearnerPicture? {
        try EngineError.translating {
            let period = ReportPeriod(week: try week(of: instant, for: id), weeks: weeks, at: instant)
            let wants: FactSelection = [.streakDays, .buckets, .sessions, .achievements]
            let language = language?.canonicalLanguageTag
            guard let facts = try facts(of: id, period, wants: wants),
                let track = facts.tracks.first(where: { $0.projection.language == language })
            else { return nil }
            return LearnerPicture(
                progress: LearnerProgress(track.progress),
                languages: facts.tracks.compactMap(\.projection.language),
                sessions: facts.sessions.filter { language == nil || $0.language == language }.map(\.session),
                achievements: language == nil ? facts.tracks.flatMap(\.achievements) : track.achievements,
                track: track,
                today: facts.today,
                period: period
            )
        }
    }
}
