// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelHTTP
import LaurelSimulation
import LaurelWire

/// A trial of a client or a service over a broken network.
struct ConformTrial {
    struct Options {
        var service: String
        /// The key of the service's administrator; nil for a service without keys.
        var key: String?
        /// The client's program and its arguments; empty to try the service.
        var client: [String] = []
        var seed: UInt64
        var kills: Int
        /// The number of processes that share an outbox.
        var processes: Int
    }

    /// The number of seconds within which a client must report its first event.
    private static let patience = 30
    /// The number of seconds within which a client must deliver all events that wait.
    private static let lastPatience = 120

    private let options: Options
    private let upstream: Upstream
    private let record: SentEvents
    private let relay: CuttingRelay
    private let servers: [MicroHTTPServer]
    /// The beginning of each event's mark in this trial. A mark identifies an event in the client's output.
    private let name: String

    init(_ options: Options) throws {
        self.options = options
        name = "conform-\(String(UInt32.random(in: 0...UInt32.max), radix: 36))"
        upstream = Upstream(options.service)
        record = SentEvents(seed: options.seed, isAlone: options.processes == 1)
        let local = ListenAddress(host: "127.0.0.1", port: 0)
        servers = try (0..<2).map { _ in MicroHTTPServer(try ListeningSocket(local)) }
        for (server, isWhole) in zip(servers, [true, false]) {
            try server.start(TroubledService(upstream, record, isWhole: isWhole))
        }
        relay = CuttingRelay(
            try ListeningSocket(local),
            whole: servers[0].address.port,
            torn: servers[1].address.port,
            seed: options.seed
        )
        guard relay.start() else { throw CommandFailure(.failed, "cannot start a thread") }
    }

    /// The address for the client.
    var address: String { "http://\(relay.address)" }

    func run() throws -> ConformReport {
        try checkAccess()
        defer { for server in servers { server.stop() } }
        let recorded = try options.client.isEmpty ? tryService() : tryClient()
        return try judge(recorded)
    }

    /// Checks that the service's events can be read.
    private func checkAccess() throws {
        switch try export(learner: name).status {
        case 200, 404: return
        case 401, 403:
            throw CommandFailure.wrongRequest(
                "the service does not let this command read its events",
                hint: "set LAUREL_KEY to a key from `laurel keys add --scope admin`"
            )
        case let status:
            throw CommandFailure.wrongRequest("\(options.service) answered \(status), and is no service of Laurel")
        }
    }

    private func export(learner: String) throws -> HTTPResponse {
        let answer = upstream.ask("GET", "/v1/export?learner=\(PercentCoding.encode(learner))", headers: headers)
        guard let answer else {
            throw CommandFailure(.failed, "\(options.service) cannot be reached", hint: "start it: `laurel serve`")
        }
        return answer
    }

    private var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        if let key = options.key { headers.add("Authorization", "Bearer \(key)") }
        headers.add("Content-Type", "application/x-ndjson")
        return headers
    }

    private func tryService() -> [String] {
        let client = DiligentClient(service: Upstream(address), headers: headers, name: name)
        let recorded = client.run(until: .now + .seconds(Self.lastPatience))
        if recorded.isEmpty { record.note("the service acknowledged no event") }
        return recorded
    }

    /// Starts the client and kills it, again and again. At the end, the client delivers the events that wait in its
    /// outbox.
    private func tryClient() throws -> [String] {
        var random = Random(seed: options.seed, stream: 3)
        var recorded: [String] = []
        for kill in 0..<options.kills {
            record.beginRun()
            let processes = try (0..<options.processes).map { number in
                try ClientProcess(options.client + [address, "\(name)-\(kill)-\(number)"])
            }
            try wait(for: processes)
            Thread.sleep(forTimeInterval: Double(random.below(1500)) / 1000)
            // All clients are killed before the command waits for the first, because processes may hold each other's
            // files.
            ClientProcess.killAll()
            for process in processes { process.kill() }
            recorded += processes.flatMap(\.lines)
            // The last bytes of the killed processes may still arrive.
            Thread.sleep(forTimeInterval: 0.1)
        }
        relay.calmDown()
        record.calmDown()
        record.beginRun()
        let last = try ClientProcess(options.client + [address, "drain"])
        switch last.end(within: Self.lastPatience) {
        case 0: break
        case let status?: record.note("the last run ended with status \(status), not 0")
        case nil:
            last.kill()
            record.note("the last run did not deliver all events within \(Self.lastPatience) seconds")
        }
        return recorded
    }

    /// Waits until each process has recorded an event.
    private func wait(for processes: [ClientProcess]) throws {
        let end = ContinuousClock.now + .seconds(Self.patience)
        while processes.contains(where: { !$0.hasPrinted }) {
            let isEnded = processes.contains { $0.isEnded && !$0.hasPrinted }
            guard !isEnded, ContinuousClock.now < end else {
                for process in processes { process.kill() }
                throw CommandFailure.wrongRequest(
                    isEnded
                        ? "the client ended before it printed a mark"
                        : "the client printed no mark within \(Self.patience) seconds",
                    hint: "`laurel conform --help` says what the client's program must do"
                )
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    /// Compares the service's events with what the client recorded.
    private func judge(_ recorded: [String]) throws -> ConformReport {
        var counts: [String: Int] = [:]
        for learner in record.learners {
            let answer = try export(learner: learner)
            guard answer.status == 200 else { continue }
            for event in SentEvent.events(answer.bytes) {
                if let mark = event.mark, mark.hasPrefix(name) { counts[mark, default: 0] += 1 }
            }
        }
        let refused = record.refusedMarks
        note(recorded.filter { !$0.hasPrefix(name) }, "do not begin with the NAME that the client was given")
        let missing = recorded.filter { $0.hasPrefix(name) && counts[$0] == nil && !refused.contains($0) }
        note(missing, "were recorded, but are not in the service")
        note(counts.filter { $0.value > 1 }.keys.sorted(), "are in the service more than once")
        note(refused.filter { counts[$0] != nil }.sorted(), "were refused, and sent again under another identity")
        return ConformReport(
            seed: options.seed,
            kills: options.client.isEmpty ? 0 : options.kills,
            cuts: relay.cuts,
            requests: record.requests,
            troubles: Dictionary(uniqueKeysWithValues: record.troubles.map { ($0.key.rawValue, $0.value) }),
            recorded: recorded.count,
            stored: counts.values.reduce(0, +),
            refused: refused.count,
            breaches: record.breaches
        )
    }

    private func note(_ marks: [String], _ problem: String) {
        guard let first = marks.first else { return }
        record.note("\(marks.count) marks \(problem), such as “\(Visible.text(first))”")
    }
}
