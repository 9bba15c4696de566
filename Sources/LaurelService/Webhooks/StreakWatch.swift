// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelWire
import Synchronization

/// Announces streaks that end tonight unless the learner practises. Each streak is announced once, in the evening of
/// the learner's local day.
final class StreakWatch: Sendable {
    /// The seconds before the end of the day at which the evening starts.
    private static let evening = 4 * 3600.0
    /// The maximum number of seconds between two checks of a learner. The learner's clock may change in the meantime.
    private static let longest = 3600.0

    private let engine: ProgressEngine
    private let keys: KeyRing
    private let duty: Duty
    private let days: Int
    private let log: RequestLog
    /// For each learner, the time until which the learner need not be checked.
    private let quiet = Mutex<[String: Date]>([:])

    /// - Parameter duty: the duty of announcing streaks. Only the service that has this duty announces them.
    init(_ engine: ProgressEngine, _ keys: KeyRing, _ duty: Duty, _ options: ServiceOptions, _ log: RequestLog) {
        (self.engine, self.keys, self.duty, self.log) = (engine, keys, duty, log)
        days = options.streakAtRiskDays
    }

    func look(at date: Date) {
        guard keys.records.webhooks.contains(where: { $0.wants(.streakAtRisk) }) else { return }
        do {
            guard try duty.isOurs() else { return }
            var candidates: [String] = []
            try engine.forEachLearner(at: nil) { learner in
                let isRecent = learner.lastPracticeAt.map { date.timeIntervalSince($0) < 4 * 86_400 } ?? false
                if isRecent, learner.currentStreak >= days { candidates.append(learner.id) }
            }
            let quiet = self.quiet.withLock { $0 }
            var next: [String: Date] = [:]
            for id in candidates {
                if let until = quiet[id], date < until {
                    next[id] = until
                } else {
                    do { next[id] = try announceIfAtRisk(id, date) } catch  where error.isLearnerError {
                        // The messages about other learners are still sent.
                        log.event("failure", [("error", .string("\(error)"))])
                        next[id] = date + Self.longest
                    }
                }
            }
            self.quiet.withLock { $0 = next }
        } catch {
            log.event("failure", [("error", .string("\(error)"))])
        }
    }

    /// Announces a streak at risk.
    /// - Returns: the time until which the learner need not be checked; nil to check the learner again in the next run.
    private func announceIfAtRisk(_ id: String, _ date: Date) throws -> Date? {
        guard let end = try engine.endOfDay(of: id, at: date) else { return nil }
        let start = end - Self.evening
        guard start <= date else { return min(start, date + Self.longest) }
        let learner = engine.learner(id, timeZone: nil)
        guard let now = try learner.progress(at: date), now.currentStreak >= days,
            // The streak at the end of the day, if no further event arrives.
            let later = try learner.progress(at: end), later.currentStreak < now.currentStreak
        else { return nil }
        let name = ProgressEngine.streaksAtRisk + Array(id.utf8).hexadecimal
        let night = Timestamp.utc(end.milliseconds)
        guard try engine.serviceRecords(prefix: name)[name] != night else { return end }
        let announcement = Announcement(
            .streakAtRisk,
            learner: id,
            ["days": .integer(Int64(now.currentStreak)), "endsAt": .string(night)]
        )
        try engine.announce(announcement, keeping: [name: night])
        return end
    }
}

extension Error {
    /// True if one learner's stored data is damaged; false if the store cannot be read.
    fileprivate var isLearnerError: Bool { (self as? EngineError)?.code == .corrupt }
}
