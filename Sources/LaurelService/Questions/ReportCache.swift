// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import Synchronization

/// A report, and the time as of which it was made.
struct TimedReport: Sendable {
    let document: ReportDocument
    let time: Date
    /// True if the report was made for an earlier request.
    let isCached: Bool
}

/// Recent reports on many learners. Only reports that take long to make are cached.
///
/// A cached report is shown at once. If events have arrived since, the report is made again in the background. After a
/// change of the rules or an erasure, no earlier report is shown.
final class ReportCache: Sendable {
    private struct Entry {
        var document: ReportDocument
        var time: Date
        /// The store's last commit before the report was made.
        var commit: CommitPosition
    }

    /// The maximum age of a report that is shown, in seconds.
    private static let maximumAge = 600.0

    private let engine: ProgressEngine
    /// The number of seconds from which a report counts as slow to make.
    private let slow: Double
    private let entries = BoundedCache<ReportIdentity, Entry>(limit: 128)
    /// The reports that are being made again.
    private let renewals = Mutex<Set<ReportIdentity>>([])
    /// The thread on which reports are made again. It is not one of the threads for requests, which must stay free for
    /// cached reports.
    private let queue = CallQueue("laurel renewals", threads: 1, waiting: 64)

    init(_ engine: ProgressEngine, slow: Double) { (self.engine, self.slow) = (engine, slow) }

    /// Returns a report on many learners: a cached report, or a new one.
    /// - Parameter now: the instant as of which a new report is made.
    func report(_ maker: ReportMaker, at now: Date) throws -> TimedReport {
        if let entry = entries[maker.identity], (0...Self.maximumAge).contains(now.timeIntervalSince(entry.time)) {
            let changes = try engine.changes(since: entry.commit)
            if !changes.everyone {
                if changes.commit != entry.commit { renew(maker, at: now) }
                return TimedReport(document: entry.document, time: entry.time, isCached: true)
            }
        }
        return TimedReport(document: try make(maker, at: now), time: now, isCached: false)
    }

    private func make(_ maker: ReportMaker, at now: Date) throws -> ReportDocument {
        let start = ContinuousClock.now
        let commit = try engine.changes(since: 0).commit
        let document = try maker.document()
        // A cached report is always replaced. Otherwise, an older report would be shown after a newer one.
        if start.duration(to: .now) >= .seconds(slow) || entries[maker.identity] != nil {
            entries.set(maker.identity, Entry(document: document, time: now, commit: commit), cost: 1)
        }
        return document
    }

    private func renew(_ maker: ReportMaker, at now: Date) {
        guard renewals.withLock({ $0.insert(maker.identity).inserted }) else { return }
        let isAccepted = queue.add { [self] in
            // If the report fails, the request after the cached report's maximum age shows the problem.
            _ = try? make(maker, at: now)
            end(maker)
        }
        if !isAccepted { end(maker) }
    }

    private func end(_ maker: ReportMaker) { renewals.withLock { _ = $0.remove(maker.identity) } }

    /// Empties the cache. Reports contain the data of learners, who may have been erased.
    func forget() { entries.removeAll() }

    /// Waits until no report is being made again.
    func finish() { queue.finish() }
}
