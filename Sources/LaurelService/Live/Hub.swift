// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Laurel
import LaurelSystem
import LaurelHTTP
import Synchronization

/// Sends the state of learners and groups to their streams after each change. A message contains the whole state, so a
/// client that missed messages needs only the next one.
///
/// A state is read once for all its streams, at most four times a second. Large groups are read less often.
final class Hub: Sendable {
    private struct Watched {
        var streams: [Int: HTTPBodyStream] = [:]
        /// A hash of the last message to each stream. A message that is equal to the last one is not sent.
        var sent: [Int: Int] = [:]
        /// The learners whose changes may change the state, as of the last message.
        var learners: Set<[UInt8]>
        var isDirty = true
        var isBusy = false
        /// The earliest time of the next message, in seconds of a monotonic clock.
        var notBefore = 0.0
        /// The tier of each achievement, as of the last message; nil before the first message.
        var tiers: [String: Int]?

        init(_ topic: LiveTopic) { learners = topic.learners }
    }

    private struct State {
        var topics: [LiveTopic: Watched] = [:]
        /// All streams. A stream with several topics is contained once.
        var streams: [Int: HTTPBodyStream] = [:]
        /// The callers of the streams.
        var callers: [Int: Caller] = [:]
        /// The streams that receive the ids of changed learners.
        var observers: [Int: HTTPBodyStream] = [:]
        var last = 0
        var isClosed = false
    }

    static let interval = 0.25
    /// The maximum share of the time in which one topic is read and sent. So groups of thousands do not block others.
    private static let share = 0.1
    /// The seconds after which a state is read again if reading it failed.
    private static let retry = 2.0
    static let heartbeat = 15.0
    /// The maximum number of bytes that may wait for a slow client.
    private static let backlog = 16 << 10

    private let engine: ProgressEngine
    private let pool: CallQueue
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the hub's thread.
    /// - Throws: ``EngineError/outOfThreads``.
    init(_ engine: ProgressEngine, _ pool: CallQueue) throws(EngineError) {
        (self.engine, self.pool) = (engine, pool)
        let isRunning = SystemThread.start("laurel streams") { [self] in
            watch()
            ended.signal()
        }
        guard isRunning else { throw .outOfThreads }
    }

    /// Wakes the hub after a commit.
    func noticeCommit() {
        if count > 0 { wake.signal() }
    }

    /// The number of open streams.
    var count: Int { state.withLock { $0.streams.count } }

    /// The number of open streams of callers that may see this learner only.
    func count(of learner: String) -> Int {
        state.withLock { $0.callers.values.count { $0.learner?.utf8.elementsEqual(learner.utf8) ?? false } }
    }

    /// Ends the streams whose credentials are no longer valid.
    func endStreams(where hasEnded: (Caller.Credential) -> Bool) {
        let ended = state.withLock { state in
            state.streams.filter { number, _ in state.callers[number].map { hasEnded($0.credential) } ?? false }.map(
                \.value
            )
        }
        for stream in ended { stream.end() }
    }

    /// Opens a stream whose first message is the present state.
    /// - Returns: nil after the hub was closed.
    func open(_ topics: [LiveTopic], for caller: Caller) -> HTTPBodyStream? {
        let stream = HTTPBodyStream(isLive: true)
        let number: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            state.streams[state.last] = stream
            state.callers[state.last] = caller
            for topic in topics {
                state.topics[topic, default: Watched(topic)].streams[state.last] = stream
                state.topics[topic]?.isDirty = true
            }
            return state.last
        }
        guard let number else { return nil }
        stream.onClose { [weak self] in self?.remove(number, topics) }
        wake.signal()
        return stream
    }

    /// Opens a stream that sends the ids of learners when they change. The stream begins without a message.
    /// - Returns: nil after the hub was closed.
    func openChanges(for caller: Caller) -> HTTPBodyStream? {
        guard let stream = open([], for: caller) else { return nil }
        stream.write(Array(": from here on\n\n".utf8))
        state.withLock { state in
            if let number = state.streams.first(where: { $0.value === stream })?.key {
                state.observers[number] = stream
            }
        }
        return stream
    }

    private func remove(_ number: Int, _ topics: [LiveTopic]) {
        state.withLock { state in
            state.streams[number] = nil
            state.callers[number] = nil
            state.observers[number] = nil
            for topic in topics {
                state.topics[topic]?.streams[number] = nil
                state.topics[topic]?.sent[number] = nil
                if state.topics[topic]?.streams.isEmpty == true { state.topics[topic] = nil }
            }
        }
    }

    func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            return Array(state.streams.values)
        }
        for stream in streams { stream.end() }
        wake.signal()
        ended.wait()
    }

    // MARK: Changes

    private func note(_ changes: LearnerChanges, isNew: Bool) {
        let touched = Set(changes.learners.map { Array($0.utf8) })
        if isNew { notifyObservers(changes) }
        let isAnyGroup = state.withLock { $0.topics.keys.contains(where: \.isGroup) }
        let groups = isAnyGroup && !changes.everyone ? touchedGroups(changes) : []
        state.withLock { state in
            for (topic, watched) in state.topics
            where changes.everyone || !watched.learners.isDisjoint(with: touched)
                || topic.isGroup && groups?.contains(topic) ?? true
            {
                state.topics[topic]?.isDirty = true
            }
        }
    }

    /// The groups of changed learners, with groups that a learner has just joined; nil if they cannot be read.
    private func touchedGroups(_ changes: LearnerChanges) -> Set<LiveTopic>? {
        (try? engine.groupNames(of: changes.learners)).map { Set($0.map { .group(Array($0.utf8)) }) }
    }

    private func notifyObservers(_ changes: LearnerChanges) {
        let observers = state.withLock { state in
            state.observers.map { (stream: $1, limit: state.callers[$0].flatMap { CohortLimit($0) }) }
        }
        guard !observers.isEmpty else { return }
        // If many learners have changed, clients reload all learners anyway.
        var announced = changes.learners.count > 1000 ? LearnerChanges(commit: changes.commit) : changes
        var cohorts: [String?] = []
        if observers.contains(where: { $0.limit != nil }) {
            // If the cohorts cannot be read, clients must not miss a change. So they reload all learners.
            do { cohorts = try engine.cohorts(of: announced.learners) } catch {
                announced = LearnerChanges(commit: changes.commit)
            }
        }
        guard let json = try? LaurelJSON.encode(announced) else { return }
        for (stream, limit) in observers {
            guard let limit, !announced.everyone else {
                stream.write(Self.event("changes", Array(json)))
                continue
            }
            var seen = announced
            seen.learners = zip(announced.learners, cohorts).filter { limit.admits($1) }.map(\.0)
            guard !seen.learners.isEmpty, let json = try? LaurelJSON.encode(seen) else { continue }
            stream.write(Self.event("changes", Array(json)))
        }
    }

    // MARK: Sending

    private func watch() {
        var nextHeartbeat = Self.now + Self.heartbeat
        var last = (try? engine.changes(since: 0).commit) ?? 0
        while !state.withLock({ $0.isClosed }) {
            if count > 0, let changes = try? engine.changes(since: last), changes.commit != last || changes.everyone {
                note(changes, isNew: changes.commit != last)
                last = changes.commit
            }
            let (due, next) = dueTopics()
            // The hub looks for commits of other processes as often as it sends messages.
            let wait = count > 0 ? min(next, Self.interval) : next
            for topic in due {
                let isAccepted = pool.add { [self] in sendState(topic) }
                if !isAccepted { putBack(topic) }
            }
            if Self.now >= nextHeartbeat {
                for stream in state.withLock({ Array($0.streams.values) }) {
                    stream.write(Array(": heartbeat\n\n".utf8))
                }
                nextHeartbeat = Self.now + Self.heartbeat
            }
            _ = wake.wait(timeout: .now() + min(wait, max(0.001, nextHeartbeat - Self.now)))
            // One pass handles all commits up to now, so further signals are removed.
            while wake.wait(timeout: .now()) == .success {}
        }
    }

    /// The topics that are due now, and the seconds until the next topic is due.
    private func dueTopics() -> ([LiveTopic], Double) {
        let now = Self.now
        return state.withLock { state in
            var (due, wait): ([LiveTopic], Double) = ([], Self.heartbeat)
            for (topic, watched) in state.topics where watched.isDirty && !watched.isBusy {
                if watched.notBefore <= now { due.append(topic) } else { wait = min(wait, watched.notBefore - now) }
            }
            for topic in due {
                state.topics[topic]?.isDirty = false
                state.topics[topic]?.isBusy = true
                state.topics[topic]?.notBefore = now + Self.interval
            }
            return (due, wait)
        }
    }

    private func putBack(_ topic: LiveTopic, for seconds: Double = interval) {
        state.withLock { state in
            state.topics[topic]?.isDirty = true
            state.topics[topic]?.isBusy = false
            state.topics[topic]?.notBefore = Self.now + seconds
        }
    }

    /// Reads a topic's state, and sends it to all streams of the topic.
    private func sendState(_ topic: LiveTopic) {
        let start = Self.now
        do {
            let current = try LiveState(topic, engine)
            let callers = state.withLock { state in
                (state.topics[topic]?.streams ?? [:]).keys.compactMap { number in
                    state.callers[number].map { (number, $0) }
                }
            }
            send(topic, current, try current.answers(to: callers, engine), start)
        } catch {
            // The store may be unreadable for a while. The learner's progress still exists, so the state is read again
            // later.
            putBack(topic, for: Self.retry)
        }
    }

    /// - Parameters:
    ///   - answers: the answer to each stream.
    ///   - start: the time at which the reading began.
    private func send(
        _ topic: LiveTopic,
        _ current: LiveState,
        _ answers: [Int: LiveState.Answer],
        _ start: Double
    ) {
        let tiers = Dictionary(current.achievements.map { ($0.id, $0.tier) }) { first, _ in first }
        typealias Sending = (stream: HTTPBodyStream, answer: LiveState.Answer)
        let (ready, unlocked) = state.withLock { state -> ([Sending], [String]) in
            guard var watched = state.topics[topic] else { return ([], []) }
            let unlocked = watched.tiers.map { old in tiers.filter { $0.value > old[$0.key] ?? 0 }.keys.sorted() } ?? []
            (watched.tiers, watched.learners) = (tiers, current.learners)
            var ready: [Sending] = []
            for (number, answer) in answers {
                guard let stream = watched.streams[number] else { continue }
                // A client that reads slowly gets only the newest state, and gets it later.
                guard stream.backlog <= Self.backlog else {
                    watched.isDirty = true
                    continue
                }
                if watched.sent.updateValue(answer.json.hashValue, forKey: number) != answer.json.hashValue {
                    ready.append((stream, answer))
                }
            }
            state.topics[topic] = watched
            return (ready, unlocked)
        }
        let achievements = unlocked.compactMap { id in current.achievements.first { $0.id == id } }
        let more = achievements.map { achievement in
            let json =
                (try? LaurelJSON.encode(UnlockedAchievement(learner: topic.id, language: topic.language, achievement)))
            return Self.event("achievement", Array(json ?? Data()))
        }
        for (stream, answer) in ready {
            stream.write(Self.event(topic.eventName, answer.json))
            if answer.isVisible { for event in more { stream.write(event) } }
        }
        let now = Self.now
        state.withLock { state in
            let next = max(state.topics[topic]?.notBefore ?? 0, now + (now - start) / Self.share)
            state.topics[topic]?.notBefore = next
            state.topics[topic]?.isBusy = false
        }
        wake.signal()
    }

    /// A server-sent event.
    /// - Parameter json: the data, on one line.
    private static func event(_ name: String, _ json: [UInt8]) -> [UInt8] {
        Array("event: \(name)\ndata: ".utf8) + json + Array("\n\n".utf8)
    }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }
}
