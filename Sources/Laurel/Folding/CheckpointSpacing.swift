// SPDX-License-Identifier: Apache-2.0

import LaurelStore

/// The positions of checkpoints in a long history. Towards the end of the history, they are closer together. So a late
/// event needs a fold of at most twice the number of events after it. The number of checkpoints grows with the
/// logarithm of the history's length.
enum CheckpointSpacing {
    /// The minimum useful number of events between two checkpoints, and before the first one.
    private static let least = LearnerUpdater.snapshotInterval
    private static let nearest = 2 * least

    /// The numbers of events after which a fold creates checkpoints, ascending, without the end.
    static func stops(_ events: Int) -> [Int] {
        var stops: [Int] = []
        var distance = nearest
        while events - distance >= least {
            stops.append(events - distance)
            distance += distance / 2
        }
        return stops.reversed()
    }

    /// The checkpoints to drop, because the history has become longer.
    /// - Parameters:
    ///   - points: ascending.
    ///   - end: the number of folded events.
    static func superfluous(_ points: [CheckpointPoint], end: Int) -> [CheckpointPoint] {
        var superfluous: [CheckpointPoint] = []
        var before = 0
        for (point, next) in zip(points, points.dropFirst().map(\.events) + [end]) {
            if end - before <= 2 * (end - next) { superfluous.append(point) } else { before = point.events }
        }
        return superfluous
    }
}
