// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelResults
import LaurelSimulation
import Synchronization

/// Records the events that a client sent, the answers that it received, and the promises that it broke.
final class SentEvents: Sendable {
    /// The way in which a request is answered.
    struct Plan: Sendable {
        var trouble: Trouble
        /// The events for the service.
        var passed: [SentEvent] = []
        /// The events that are refused, with their indexes in the request.
        var refused: [(index: Int, event: SentEvent)] = []
        /// The number of milliseconds before the answer.
        var delay = 0
        /// The number of the client's run.
        var run = 0
    }

    fileprivate struct State {
        var random: Random
        var isCalm = false
        var run = 0
        var requests = 0
        var troubles: [Trouble: Int] = [:]
        var learners: Set<String> = []
        /// The bytes of each event, as they were first sent.
        var contents: [SentEvent.Identity: [UInt8]] = [:]
        /// The events that were sent to the service.
        var passed: Set<SentEvent.Identity> = []
        /// The refused events, with their marks.
        var refused: [SentEvent.Identity: String?] = [:]
        /// The refused events about whose refusal the client knows.
        var knownAsRefused: Set<SentEvent.Identity> = []
        /// The earliest time of the next request, after an answer with `Retry-After`.
        var earliest: ContinuousClock.Instant?
        var breaches: [String] = []

        mutating func note(_ breach: String) {
            if !breaches.contains(breach) { breaches.append(breach) }
        }
    }

    private let state: Mutex<State>
    /// True if only one process sends events. Of several processes, one may send again before another has recorded an
    /// answer. So only then the waits between requests, and events that are sent again after a refusal, can be judged.
    private let isAlone: Bool

    init(seed: UInt64, isAlone: Bool) {
        state = Mutex(State(random: Random(seed: seed, stream: 2)))
        self.isAlone = isAlone
    }

    var requests: Int { state.withLock { $0.requests } }
    var troubles: [Trouble: Int] { state.withLock { $0.troubles } }
    var learners: [String] { state.withLock { $0.learners.sorted() } }
    var breaches: [String] { state.withLock { $0.breaches } }
    /// The marks of the refused events.
    var refusedMarks: Set<String> { state.withLock { Set($0.refused.values.compactMap(\.self)) } }

    func note(_ breach: String) { state.withLock { $0.note(breach) } }

    /// Begins a new run of the client. Answers that earlier processes of the client received do not matter any more.
    func beginRun() {
        state.withLock { state in
            state.run += 1
            (state.knownAsRefused, state.earliest) = ([], nil)
        }
    }

    /// Ends the troubles. Events that were refused stay refused.
    func calmDown() { state.withLock { $0.isCalm = true } }

    /// Judges a batch, and decides how it is answered.
    func plan(_ events: [SentEvent]) -> Plan {
        state.withLock { state in
            state.requests += 1
            state.judgeTime()
            for event in events { state.judge(event) }
            let trouble = state.trouble(for: events)
            if trouble != .none { state.troubles[trouble, default: 0] += 1 }
            var plan = Plan(trouble: trouble, run: state.run)
            guard trouble.answer == nil else { return plan }
            if trouble == .slow { plan.delay = 1 + state.random.below(1000) }
            for (index, event) in events.enumerated() {
                if let identity = event.identity, state.refused.keys.contains(identity) {
                    plan.refused.append((index, event))
                } else {
                    plan.passed.append(event)
                    if let identity = event.identity { state.passed.insert(identity) }
                }
            }
            return plan
        }
    }

    /// Records an answer that reaches the client whole.
    func answered(_ plan: Plan) {
        state.withLock { state in
            guard isAlone, plan.run == state.run else { return }
            if let seconds = plan.trouble.retryAfter { state.earliest = .now + .seconds(seconds) }
            state.knownAsRefused.formUnion(plan.refused.compactMap(\.event.identity))
        }
    }

    /// Records the service's own answer to a batch.
    func answered(_ plan: Plan, with report: RequestReport) {
        guard report.read != plan.passed.count || !report.problems.isEmpty else { return }
        state.withLock { state in
            if report.read != plan.passed.count {
                state.note("the service read \(report.read) of \(plan.passed.count) events; send one event a line")
            }
            for problem in report.problems {
                state.note("the service refused the event \(problem.id ?? "without an id"): \(problem.message)")
            }
        }
    }
}

extension SentEvents.State {
    fileprivate mutating func judgeTime() {
        defer { earliest = nil }
        // The clocks of two processes differ by milliseconds.
        guard let earliest, ContinuousClock.now < earliest - .milliseconds(50) else { return }
        note("a request came before the end of the time that Retry-After named")
    }

    fileprivate mutating func judge(_ event: SentEvent) {
        if let learner = event.learner { learners.insert(learner) }
        guard let identity = event.identity else {
            let text = String(decoding: event.bytes.prefix(80), as: UTF8.self)
            return note("a line is not an event with a source and an id: \(Visible.text(text))")
        }
        let name = "the event \(Visible.text(identity.id)) of \(Visible.text(identity.source))"
        if let first = contents.updateValue(event.bytes, forKey: identity), first != event.bytes {
            note("\(name) was sent again with other bytes")
        }
        if knownAsRefused.contains(identity) { note("\(name) was sent again after it was refused") }
    }

    /// Chooses a trouble that fits the batch. For ``Trouble/refusedEvent``, it also chooses the event.
    fileprivate mutating func trouble(for events: [SentEvent]) -> Trouble {
        guard !isCalm else { return .none }
        let kinds = Trouble.allCases
        let trouble = kinds[random.choice(among: kinds.map(\.share))]
        switch trouble {
        case .tooLarge: return events.count > 1 ? trouble : .none
        case .refusedEvent:
            // An event that was sent to the service may be stored there already, so it cannot be refused.
            guard !events.isEmpty else { return .none }
            let event = events[random.below(events.count)]
            guard let identity = event.identity, !passed.contains(identity) else { return .none }
            refused[identity] = .some(event.mark)
            return trouble
        default: return trouble
        }
    }
}
