// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelWire
import Synchronization

/// Announces goals that groups have completed, and streaks of groups that end tonight. Each goal is announced once in
/// its window, and each streak once on the group's day. The watch reads a group only after events of its members, and
/// at the times at which the passing of time alone may change something.
final class GroupWatch: Sendable {
    /// The seconds after which a group whose members could not be read is tried again.
    private static let pause = 3600.0

    private struct Memory {
        /// The commit up to which changes of groups are announced; nil if all groups must be read.
        var commit: CommitPosition?
        /// The groups, by ids as bytes, that must be read at a time even without an event.
        var due: [[UInt8]: Date] = [:]
    }

    private let engine: ProgressEngine
    private let keys: KeyRing
    private let duty: Duty
    private let log: RequestLog
    private let memory = Mutex(Memory())

    /// - Parameter duty: the duty of announcing. Only the service that has this duty announces.
    init(_ engine: ProgressEngine, _ keys: KeyRing, _ duty: Duty, _ log: RequestLog) {
        (self.engine, self.keys, self.duty, self.log) = (engine, keys, duty, log)
    }

    func look(at date: Date) {
        let kinds: [Announcement.Kind] = [.groupGoalCompleted, .groupStreakAtRisk]
        let wanted = Set(kinds.filter { kind in keys.records.webhooks.contains { $0.wants(kind) } })
        do {
            var next = Memory()
            // Without a webhook or the duty, changes are not followed. All groups are read at the next chance.
            if !wanted.isEmpty, try duty.isOurs() {
                next = memory.withLock { $0 }
                let changes = try engine.changes(since: next.commit ?? 0)
                let isFollowed = next.commit != nil && !changes.everyone
                let changed = try isFollowed ? engine.groupNames(of: changes.learners) : engine.groupNames()
                let due = next.due.filter { $0.value <= date }.map(\.key)
                for group in Set(changed.map { Array($0.utf8) }).union(due) {
                    next.due[group] = try announce(String(decoding: group, as: UTF8.self), wanted, date)
                }
                next.commit = changes.commit
            }
            memory.withLock { $0 = next }
        } catch {
            log.event("failure", [("error", .string("\(error)"))])
        }
    }

    /// Announces a group's changes.
    /// - Returns: the time at which the group must be read again without an event; nil for no such time.
    private func announce(_ name: String, _ wanted: Set<Announcement.Kind>, _ date: Date) throws -> Date? {
        do throws(EngineError) {
            guard let group = try engine.watchedGroup(name, at: date) else { return nil }
            if wanted.contains(.groupGoalCompleted) {
                for goal in group.completedGoals {
                    try engine.announce([(goal.window, goal.announcement)], .groupGoal, part: goal.part)
                }
            }
            let evening = group.dayEnd - Double(LearnerWatch.evening) * 60
            if wanted.contains(.groupStreakAtRisk), date >= evening, let announcement = group.streakAtRisk {
                try engine.announce([(group.day.description, announcement)], .streakAtRisk)
            }
            if group.hasStreak { return date < evening ? evening : group.dayEnd }
            return group.isAwaited ? group.dayEnd : nil
        } catch {
            // The messages about other groups are still sent.
            guard error.code == .corrupt else { throw error }
            log.event("failure", [("error", .string("\(error)"))])
            return date + Self.pause
        }
    }
}
