// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
package import LaurelResults
import LaurelStore
package import LaurelWire

/// The contents of a learner's page, from one reading of the learner's events.
package struct LearnerPicture: Sendable {
    /// The progress in the track asked for.
    package let progress: LearnerProgress
    /// The languages with events, in byte order.
    package let languages: [String]
    /// The sessions in the track asked for, newest first.
    package let sessions: [Session]
    /// The achievements of the track asked for; with the overall one, of all tracks.
    package let achievements: [Achievement]
    /// The facts of the track asked for.
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
