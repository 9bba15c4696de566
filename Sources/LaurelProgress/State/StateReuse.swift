// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The reuse of states that stay in memory between folds.
extension LearnerState {
    /// Prepares a state so that any ``Fold`` can continue it. Clears the touched days, and the values that are valid
    /// only within the previous fold.
    package func settle() {
        for track in tracks { track.values.pointee.settle() }
        memberships.settle()
    }

    /// The number of folded events, without void events.
    package var eventCount: Int { tracks[0].counts.events }

    /// The approximate size in memory, in bytes.
    /// - Complexity: O(tracks · metrics with keys).
    package var memorySize: Int {
        var size = 1024 + voids.retracted.memorySize + voids.discardedSessions.memorySize
        size += plausibility.cleared.memorySize + plausibility.recent.reduce(0) { $0 + 8 * $1.count }
        size += fitted.fits.count * (MemoryLayout<FittedParameters.Fit>.stride + 256)
        size += memberships.all.count * 256 + leagues.latest.count * 256 + leagues.adjustments.count * 16
        for vocabulary in vocabularies { size += vocabulary.words.pointee.memorySize }
        for track in tracks { size += track.values.pointee.memorySize }
        return size
    }
}

extension TrackValues {
    fileprivate var memorySize: Int {
        var size = MemoryLayout<TrackValues>.size + layout.count * 9
        size += days.count * MemoryLayout<DayProjection>.stride
        size += achievements.count * MemoryLayout<AchievementState>.stride
        size += sessions.count * (MemoryLayout<SessionWindow>.stride + layout.stride * 9)
        let days = streak.days
        size += (days.active.runs.count + days.frozen.runs.count) * MemoryLayout<ClosedRange<Int32>>.stride
        size += days.grants.grants.count * MemoryLayout<(period: Int32, count: Int)>.stride
        for window in keyed {
            for values in window where values.count > 0 { size += values.memorySize }
        }
        return size
    }
}

extension DistinctValues {
    fileprivate var memorySize: Int { keys.memorySize + numbers.count * MemoryLayout<Double>.stride }
}

extension VocabularyWords {
    fileprivate var memorySize: Int {
        names.memorySize + states.count * MemoryLayout<WordState>.stride
            + details.count * (MemoryLayout<[UInt8]?>.stride + 32)
    }
}

extension TextTable {
    /// The approximate size in bytes, including the hash table.
    fileprivate var memorySize: Int { bytes.count + count * 16 }
}
