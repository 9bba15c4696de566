// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
package import LaurelResults
import LaurelStore
package import LaurelWire

/// The contents of a learner's page, computed in one pass over the learner's events.
package struct LearnerPicture: Sendable {
    /// The progress in the requested track.
    package let progress: LearnerProgress
    /// The languages with events, in byte order.
    package let languages: [String]
    /// The sessions in the requested track, newest first.
    package let sessions: [Session]
    /// The achievements of the requested track. The overall track has the achievements of all tracks.
    package let achievements: [Achievement]
    /// The facts of the requested track.
    package let track: TrackFacts
    package let today: LocalDay
    package let period: ReportPeriod

    /// True if the streak ends at the end of today unless the learner practises.
    package var isAtRisk: Bool { track.progress.numbers.isAtRisk(on: today) }
}

extension ProgressEngine {
    /// - Parameters:
    ///   - language: nil for all languages together.
    ///   - weeks: the number of weeks for which days are included, ending with the present week.
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
