// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelWire
import Synchronization

/// Announces changes that happen without an event, only because time passes: streaks that end tonight, missed days,
/// reminders and recaps. The learner's clock decides when they happen. Each change is announced once.
final class LearnerWatch: Sendable {
    /// The start of the evening, in minutes before the end of the day.
    static let evening = 4 * 60
    /// The seconds after which a learner whose data could not be read is tried again.
    private static let pause = 3600.0
    /// The number of days after the latest practice in which a learner without a streak gets reminders.
    private static let remindedDays: Int32 = 14
    /// The number of days at the start of a week on which the recap of the week before is sent.
    private static let recapDays: Int32 = 2

    /// The state of a learner on a local day.
    private struct Memory {
        var day: LocalDay
        /// The tasks that are done for the day.
        var done: Set<Task> = []
        /// The hour of the reminder; nil until it is known.
        var hour: Int?
        /// The time until which the learner is not checked again; nil for no pause.
        var pausedUntil: Date?
    }

    private enum Task: CaseIterable {
        case missedDays, streakAtRisk, reminder, recap

        var kinds: [Announcement.Kind] {
            switch self {
            case .missedDays: [.streakLost, .freezeUsed]
            case .streakAtRisk: [.streakAtRisk]
            case .reminder: [.reminderDue]
            case .recap: [.recapDue]
            }
        }
    }

    private let engine: ProgressEngine
    private let keys: KeyRing
    private let duty: Duty
    private let days: Int
    private let log: RequestLog
    private let memories = Mutex<[String: Memory]>([:])

    /// - Parameter duty: the duty of announcing. Only the service that has this duty announces.
    init(_ engine: ProgressEngine, _ keys: KeyRing, _ duty: Duty, _ options: ServiceOptions, _ log: RequestLog) {
        (self.engine, self.keys, self.duty, self.log) = (engine, keys, duty, log)
        days = options.streakAtRiskDays
    }

    func look(at date: Date) {
        let tasks = wantedTasks
        guard !tasks.isEmpty else { return }
        do {
            guard try duty.isOurs() else { return }
            var learners: [WatchedLearner] = []
            try engine.forEachWatchedLearner(at: date) { learner in
                if tasks.contains(where: { concerns($0.task, learner) }) { learners.append(learner) }
            }
            let known = memories.withLock { $0 }
            var next: [String: Memory] = [:]
            for learner in learners {
                let before = known[learner.id].flatMap { $0.day == learner.today ? $0 : nil }
                var memory = before ?? Memory(day: learner.today)
                if memory.pausedUntil.map({ $0 <= date }) ?? true { try look(at: learner, tasks, &memory, date) }
                next[learner.id] = memory
            }
            memories.withLock { $0 = next }
        } catch {
            log.event("failure", [("error", .string("\(error)"))])
        }
    }

    /// The tasks that a webhook wants, each with the time when the first such webhook was added.
    private var wantedTasks: [(task: Task, since: Date)] {
        let webhooks = keys.records.webhooks
        return Task.allCases.compactMap { task in
            let wanting = webhooks.filter { webhook in task.kinds.contains { webhook.wants($0) } }
            return wanting.map(\.createdAt).min().map { (task, $0) }
        }
    }

    /// False if the numbers of the latest practice show that there is nothing to announce.
    private func concerns(_ task: Task, _ learner: WatchedLearner) -> Bool {
        guard let practised = learner.lastPractice else { return false }
        let away = learner.today.number - practised.number
        switch task {
        case .missedDays:
            // More than seven days after the end of a streak, missed days are not announced.
            return learner.streak > 0 && learner.streakEnds.map { learner.today.number - $0.number <= 7 } ?? false
        case .streakAtRisk: return learner.streak >= days && learner.isStreakAtRisk
        case .reminder: return !learner.hasPractisedToday && (learner.isStreakAlive || away <= Self.remindedDays)
        case .recap: return away <= 7 + Self.recapDays && learner.today.number - learner.week.number < Self.recapDays
        }
    }

    private func look(
        at learner: WatchedLearner,
        _ tasks: [(task: Task, since: Date)],
        _ memory: inout Memory,
        _ date: Date
    ) throws {
        for (task, since) in tasks where !memory.done.contains(task) && concerns(task, learner) {
            do {
                if try announce(task, learner, &memory, date, since) { memory.done.insert(task) }
            } catch let error as EngineError {
                // The messages about other learners are still sent.
                guard error.code == .corrupt else { throw error }
                log.event("failure", [("error", .string("\(error)"))])
                memory.pausedUntil = date + Self.pause
            }
        }
    }

    /// Announces the findings of a task.
    /// - Returns: true if the task is done for the learner's local day.
    private func announce(
        _ task: Task,
        _ learner: WatchedLearner,
        _ memory: inout Memory,
        _ date: Date,
        _ since: Date
    ) throws -> Bool {
        switch task {
        case .missedDays:
            try engine.announce(engine.missedDayAnnouncements(for: learner.id, at: date, since: since), .missedDay)
            return true
        case .streakAtRisk: return try announceStreakAtRisk(learner, date)
        case .reminder: return try remind(learner, &memory, date, since)
        case .recap: return try announceRecap(learner, date, since)
        }
    }

    private func announceStreakAtRisk(_ learner: WatchedLearner, _ date: Date) throws -> Bool {
        guard learner.minute >= 1440 - Self.evening else { return false }
        guard let end = try engine.endOfDay(of: learner.id, at: date) else { return true }
        let night = Timestamp.utc(end.milliseconds)
        let announcement = Announcement(
            .streakAtRisk,
            learner: learner.id,
            ["days": .integer(Int64(learner.streak)), "endsAt": .string(night)]
        )
        try engine.announce([(night, announcement)], .streakAtRisk)
        return true
    }

    private func remind(
        _ learner: WatchedLearner,
        _ memory: inout Memory,
        _ date: Date,
        _ since: Date
    ) throws -> Bool {
        guard ReminderHour.hours.contains(learner.hour) else { return false }
        if memory.hour == nil { memory.hour = try engine.reminderHour(of: learner.id, at: date) }
        guard let hour = memory.hour else { return true }
        let minutes = learner.minute - learner.start(ofHour: hour)
        guard minutes >= 0 else { return false }
        // A webhook that was added after the hour of the reminder waits for the next day.
        guard date - Double(minutes + 1) * 60 >= since else { return true }
        let announcement = engine.reminder(for: learner, hour: hour)
        try engine.announce([(learner.today.description, announcement)], .reminder)
        return true
    }

    private func announceRecap(_ learner: WatchedLearner, _ date: Date, _ since: Date) throws -> Bool {
        guard ReminderHour.hours.contains(learner.hour) else { return false }
        let minutes = Int(learner.today.number - learner.week.number) * 1440 + learner.minute
        // A webhook gets the recaps of weeks that end after it was added.
        guard date - Double(minutes) * 60 >= since else { return true }
        guard let recap = try engine.recap(of: learner.id, at: date) else { return true }
        try engine.announce([(learner.week.description, recap)], .recap)
        return true
    }
}
