// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
import LaurelRules

/// A CEFR level estimated from a score, and the numbers behind the estimate.
package struct CEFREstimate: Sendable {
    package var band: String
    /// The share of the way to the next band in percent, 0 … 100; 100 in the last band.
    package var percent: Double
    package var score: Double
    /// The score at which the band starts.
    package var start: Double
    /// The next band, and its lowest score; nil in the last band.
    package var next: (band: String, start: Double)?
}

/// The totals of a track at one moment of the fold.
package struct TrackTotals: Sendable {
    /// The language; nil for the overall track.
    package var language: [UInt8]?
    package var xp: Double
    package var counts: TrackCounts

    init(_ track: TrackState) { (language, xp, counts) = (track.language, track.xp, track.counts) }
}

extension LearnerState {
    /// The present totals of every track, the overall track first.
    package var totals: [TrackTotals] { tracks.map(TrackTotals.init) }

    /// True if a day counts for the streak of a track.
    package func isActive(_ day: LocalDay, language: [UInt8]?) -> Bool {
        tracks.first { $0.language == language }?.streak.active.contains(day) ?? false
    }
}

extension ProgressReader {
    package func estimate(_ state: LearnerState, language: [UInt8]?) -> CEFREstimate? {
        let track = language.map { state.track(language: $0) } ?? state.tracks[0]
        return track.flatMap { cefr($0, of: state, state.balances) }
    }
}
