// SPDX-License-Identifier: Apache-2.0

import LaurelStore

/// The places of checkpoints in a long history. They lie closer together towards its end. So a late event costs folding
/// at most twice the events that follow it, and the number of checkpoints grows with the logarithm of the history's
/// length.
enum CheckpointSpacing {
    /// Nearer to one another, or to the beginning, they do not pay.
    private static let least = LearnerUpdater.snapshotInterval
    private static let nearest = 2 * least

    /// After how many of some events, folded at once, to make one, ascending; the end is not among them.
    static func stops(_ events: Int) -> [Int] {
        var stops: [Int] = []
        var distance = nearest
        while events - distance >= least {
            stops.append(events - distance)
            distance += distance / 2
        }
        return stops.reversed()
    }

    /// Those that have become too many as the history grew.
    /// - Parameters:
    ///   - places: ascending.
    ///   - end: how many events have been folded.
    static func superfluous(_ places: [CheckpointPlace], end: Int) -> [CheckpointPlace] {
        var superfluous: [CheckpointPlace] = []
        var before = 0
        for (place, next) in zip(places, places.dropFirst().map(\.events) + [end]) {
            if end - before <= 2 * (end - next) { superfluous.append(place) } else { before = place.events }
        }
        return superfluous
    }
}
