// SPDX-License-Identifier: Apache-2.0

import Foundation
public import Laurel
public import LaurelHTTP
import LaurelReports
import LaurelStore
import Synchronization

/// A service that offers an engine over HTTP. It parses requests, checks rights and waits. Every answer comes from a
/// call of the engine.
public final class LaurelService: HTTPHandler {
    let engine: ProgressEngine
    let options: ServiceOptions
    let keys: KeyRing
    let metrics = Metrics()
    let log: RequestLog
    let health: StoreHealth
    let commit: GroupCommit
    let webhooks: WebhookSender
    let learnerWatch: LearnerWatch
    let groupWatch: GroupWatch
    let intake: Intake
    let answers: LearnerAnswers
    let questions: CallQueue
    /// The threads for reports. A report may take seconds, and other requests must not wait for it.
    private let reportQueue: CallQueue
    let hub: Hub
    let jobs: Jobs
    let exports: CallQueue
    let reports: ReportLibrary
    let reportCache: ReportCache
    let roster: Roster
    let watch = IntakeWatch()
    let condition = Condition()
    let drafts: DraftStore
    /// The users for whom public keys may send events.
    let named: NamedLearners
    /// The mapping for calls of analytics SDKs.
    let analyticsFormat: InputFormat
    let startedAt = Date()
    let cors: CrossOrigin
    /// False on a node with the role of a worker.
    private let answersQuestions: Bool
    private let router: Router
    let limits: CallerLimits
    private let periodicTasks: [PeriodicTask]
    private let isClosing = Mutex(false)

    /// - Parameter engine: an engine that was opened for writing. The service closes it at the end.
    public init(_ engine: ProgressEngine, _ options: ServiceOptions = ServiceOptions(), log: RequestLog) throws {
        (self.engine, self.options, self.log) = (engine, options, log)
        let keys = try KeyRing(engine, options)
        self.keys = keys
        let duty = Duty("announcements", engine, leaseSeconds: options.leaseSeconds)
        webhooks = try WebhookSender(engine, keys, duty, metrics, options, log)
        learnerWatch = LearnerWatch(engine, keys, duty, options, log)
        groupWatch = GroupWatch(engine, keys, duty, log)
        questions = CallQueue("laurel answers", threads: max(2, Threads.processors), waiting: 10_000)
        reportQueue = CallQueue("laurel reports", threads: 2, waiting: 32)
        let hub = try Hub(engine, questions)
        self.hub = hub
        health = StoreHealth(engine, log)
        commit = try GroupCommit(engine, metrics, health, watch, limit: options.queueBytes) { hub.noticeCommit() }
        intake = Intake(commit)
        answers = LearnerAnswers(engine)
        limits = CallerLimits(options)
        jobs = try Jobs(engine, options, log)
        exports = CallQueue("laurel exports", threads: 2, waiting: 8)
        roster = Roster(engine)
        drafts = DraftStore(engine)
        named = NamedLearners(engine)
        analyticsFormat = try AnalyticsCall.format(options)
        reports = try ReportLibrary(folder: options.reportsFolder)
        reportCache = ReportCache(engine, slow: options.slowReport)
        (cors, answersQuestions) = (CrossOrigin(origins: options.corsOrigins), options.role.answers)
        router = Router(Route.all)
        // Each task has its own thread, because keys must expire on time even if another task takes long.
        var tasks = [
            try PeriodicTask(every: KeyRing.refresh) { [keys, log, hub, jobs, webhooks] in
                do {
                    try keys.reload()
                    try jobs.forgetErased()
                    try webhooks.forgetErased()
                } catch { log.event("keys-unreadable", [("error", .string("\(error)"))]) }
                hub.endStreams { !keys.isValid($0) }
            },
            try PeriodicTask(every: 60) { [keys, log] in
                do {
                    try keys.storeUses()
                    try keys.sweep(at: Date())
                } catch {
                    log.event("failure", [("error", .string("\(error)"))])
                }
            },
        ]
        tasks.append(
            try PeriodicTask(every: 86_400) { [keys, log] in
                for key in keys.endingKeys(at: Date()) {
                    log.event(
                        "key-ends",
                        [("key", .string(key.id)), ("at", .string("\(key.expiresAt ?? .distantFuture)"))]
                    )
                }
            }
        )
        if options.role.works {
            tasks.append(try PeriodicTask(every: 60) { [learnerWatch] in learnerWatch.look(at: options.now()) })
            tasks.append(try PeriodicTask(every: 60) { [groupWatch] in groupWatch.look(at: options.now()) })
            tasks.append(
                try Self.maintenance(engine, jobs, RetentionTask(engine, jobs, webhooks, options), options, log)
            )
        }
        periodicTasks = tasks
    }

    /// Runs the maintenance that was postponed during writes. It runs even if no events arrive.
    private static func maintenance(
        _ engine: ProgressEngine,
        _ jobs: Jobs,
        _ retention: RetentionTask,
        _ options: ServiceOptions,
        _ log: RequestLog
    ) throws -> PeriodicTask {
        let duty = Duty("upkeep", engine, leaseSeconds: options.leaseSeconds)
        let fitting = FitTask(engine, jobs, options)
        let leagues = LeagueTask(engine, jobs)
        return try PeriodicTask(every: Double(2 * options.leaseSeconds)) {
            // A task that fails repeatedly does not stop the other tasks.
            func attempt(_ work: () throws -> Void) {
                do { try work() } catch let error as EngineError where error.code == .busy {
                    // The next run tries again.
                } catch {
                    log.event("failure", [("error", .string("\(error)"))])
                }
            }
            var isOurs = false
            attempt { isOurs = try duty.isOurs() }
            guard isOurs else { return }
            attempt { try engine.runDeferredWork() }
            attempt { if try engine.isMergingDue() { try jobs.ensure(.merge) } }
            attempt { try retention.run(at: options.now()) }
            attempt { try fitting.run(at: options.now()) }
            attempt { try leagues.run(at: options.now()) }
        }
    }

    /// Erases a learner.
    /// - Returns: false if the store has no such learner.
    func erase(_ learner: String, by caller: Caller) throws -> Bool {
        let existed = try engine.erase(learner: learner, by: caller.actor)
        // Tokens for the learner become invalid at once, even if the store has no such learner yet.
        try keys.reload()
        if existed { try forgetErased() }
        return existed
    }

    /// Merges a learner into another.
    func merge(_ learner: String, into other: String, by caller: Caller) throws -> MergeOutcome {
        let outcome = try engine.merge(learner, into: other, by: caller.actor, at: options.now())
        // Tokens of the merged learner become invalid at once.
        try keys.reload()
        return outcome
    }

    /// Removes the data of erased learners from this process. Any process may have erased them.
    func forgetErased() throws {
        try jobs.forgetErased()
        try webhooks.forgetErased()
        named.forget()
        reportCache.forget()
    }

    public var hasKeys: Bool { keys.hasKeys }
    /// Adds the first key of the store, with all rights.
    /// - Parameter keep: called with the secret before the key is stored.
    /// - Returns: the key; nil if another process has added a key in the meantime.
    public func addFirstKey(keep: (String) throws -> Void) throws -> AccessKey? {
        defer { try? keys.reload() }
        return try AccessKeys(engine).addFirst(keep: keep)
    }

    /// The keys that expire within 30 days.
    public var endingKeys: [AccessKey] { keys.endingKeys(at: Date()) }
    var isReady: Bool { !isClosing.withLock { $0 } }

    /// Finishes the running work. New requests are refused first, then streams end, then waiting events are stored.
    /// Must be called before the server is stopped, so that the server can send all answers.
    public func close() {
        let isFirst = isClosing.withLock { isClosing in
            defer { isClosing = true }
            return !isClosing
        }
        guard isFirst else { return }
        for task in periodicTasks { task.stop() }
        hub.close()
        jobs.close()
        intake.close()
        commit.close()
        webhooks.close()
        exports.finish()
        reportQueue.finish()
        reportCache.finish()
        questions.finish()
        do { try keys.storeUses() } catch { log.event("failure", [("error", .string("\(error)"))]) }
        engine.close()
    }

    // MARK: Requests

    public func receive(_ head: HTTPRequestHead) -> HTTPIntake {
        let tracked = TrackedRequest(self, head)
        do throws(Problem) {
            if let answer = cors.preflight(head) ?? CrossOrigin.handshake(head) {
                return .answer(tracked.finish(answer))
            }
            let request = try admit(head, tracked)
            return try act(request, tracked)
        } catch {
            return .answer(tracked.finish(answer(error, to: head, tracked)))
        }
    }

    /// The answer for a problem. A browser gets a page.
    private func answer(_ problem: Problem, to head: HTTPRequestHead, _ tracked: TrackedRequest) -> HTTPResponse {
        guard tracked.isPage || (tracked.route == "-" && head.wantsPage) else { return problem.response }
        return problem.page(to: head, caller: tracked.signedIn, isUnlocked: keys.isUnlocked)
    }

    private func admit(_ head: HTTPRequestHead, _ tracked: TrackedRequest) throws(Problem) -> ServiceRequest {
        switch router.match(head) {
        case .failed(let problem): throw problem
        case .found(let route, let path):
            (tracked.route, tracked.isPage) = (route.path, route.isPage)
            guard answersQuestions || route.isForOperators else {
                throw .notFound("this node only works, and answers \(Route.forOperators); ask another node")
            }
            guard isReady || route.access == .anonymous else {
                throw .busy("the service is ending", code: "shutting-down", after: 2)
            }
            let query = try Query(route.isPage || route.isAnalytics ? nil : head.query, route.parameters)
            let caller = try caller(of: head, route, path, query)
            tracked.caller = caller.name
            if route.access != .anonymous { tracked.signedIn = caller }
            try limits.admit(caller)
            guard let limit = CohortLimit(caller) else {
                return ServiceRequest(head: head, route: route, path: path, query: query, caller: caller)
            }
            let narrow = try limit.narrow(head, route)
            let narrowed = try Query(route.isPage ? nil : narrow.query, route.parameters)
            return ServiceRequest(head: narrow, route: route, path: path, query: narrowed, caller: caller)
        }
    }

    private func caller(
        of head: HTTPRequestHead,
        _ route: Route,
        _ path: [String: String],
        _ query: Query
    ) throws(Problem) -> Caller {
        guard route.access != .anonymous else { return Caller(name: "-", scopes: []) }
        if route.isAnalytics, head.headers["Authorization"] == nil {
            // The key may be in the body.
            var caller = Caller(name: "-", scopes: [])
            caller.address = head.clientAddress
            return caller
        }
        let acceptsToken = route.parameters.contains { $0.name == Parameter.accessToken.name }
        var caller = try keys.caller(
            of: head,
            token: acceptsToken ? query.text(.accessToken) : nil,
            acceptsBasic: route.isAnalytics
        )
        caller.address = head.clientAddress
        try route.check(caller, path) { id, learner throws(Problem) in
            do { return try engine.currentID(of: id).utf8.elementsEqual(learner.utf8) } catch { throw Problem(error) }
        }
        return caller
    }

    private func act(_ request: ServiceRequest, _ tracked: TrackedRequest) throws(Problem) -> HTTPIntake {
        switch request.route.action {
        case .immediate(let body): return .answer(tracked.finish(answer(request) { try body(self, request) }))
        case .question(let body):
            return collect(0, request, tracked) { [self] _ in answer(request) { try body(self, request) } }
        case .document(let limit, let body):
            return collect(limit, request, tracked) { [self] bytes in answer(request) { try body(self, request, bytes) }
            }
        case .learner(let body):
            return collect(0, request, tracked) { [self] _ in
                answer(request) { try answers.answer(request, now: Date(), body) }
            }
        case .intake:
            if request.query.text(Intake.wanted) != nil, !request.caller.scopes.contains(.read) {
                throw Problem(403, "missing-scope", "?return=progress needs the scope read")
            }
            return .pieces(TrackedUpload(try EventUpload(intake, request, keys, limits), tracked))
        case .analytics(let call):
            return .pieces(TrackedUpload(AnalyticsUpload(self, request, call, tracked), tracked))
        }
    }

    private func collect(
        _ limit: Int,
        _ request: ServiceRequest,
        _ tracked: TrackedRequest,
        _ body: @escaping @Sendable ([UInt8]) -> HTTPResponse
    ) -> HTTPIntake {
        let queue = request.route.isReport ? reportQueue : questions
        let tooLong = Problem(
            413,
            "body-too-large",
            limit == 0 ? "there is no body here" : "the body may have \(limit) bytes"
        )
        return .collect(limit: limit, tooLong: tooLong.response) { bytes, exchange in
            let isAccepted = queue.add { exchange.respond(tracked.finish(body(bytes))) }
            if !isAccepted {
                let problem = Problem.busy("too many requests of this kind wait for an answer", after: 5)
                exchange.respond(tracked.finish(problem.response))
            }
        }
    }

    private func answer(_ request: ServiceRequest, _ body: () throws -> HTTPResponse) -> HTTPResponse {
        do {
            // A stream checks the cohorts before each message, on another thread.
            if !request.route.action.isImmediate { try CohortLimit(request.caller)?.check(request, engine) }
            return try body()
        } catch let redirect as Redirect {
            return Visit.seeOther(redirect.link)
        } catch {
            let problem = Problem(error)
            if problem.status >= 500 { log.event("failure", [("error", .string("\(error)"))]) }
            guard request.route.isPage else { return problem.response }
            let caller = request.route.access == .anonymous ? nil : request.caller
            return problem.page(to: request.head, caller: caller, isUnlocked: keys.isUnlocked)
        }
    }
}

extension HTTPRequestHead {
    /// True if the request comes from a person with a browser.
    var wantsPage: Bool { method == "GET" && headers["Accept"]?.contains("text/html") ?? false }
}

extension Route {
    fileprivate static let forOperators = "/healthz, /readyz and /metrics"
    /// True if the route makes a report.
    fileprivate var isReport: Bool { path.contains("/reports/{name}") }
    /// True if a worker node also answers the route.
    var isForOperators: Bool { ["/healthz", "/readyz", "/metrics"].contains(path) }
}
