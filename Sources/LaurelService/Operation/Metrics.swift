// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Synchronization

/// The counters of the service, in Prometheus' text format.
final class Metrics: Sendable {
    /// The counts of the answers of one route.
    private struct Answered {
        /// The counts, for each method and status that occurred.
        var counts: [(method: String, status: Int, count: Int)] = []
        var latency = Histogram()

        mutating func add(_ method: String, _ status: Int, _ seconds: Double) {
            latency.add(seconds)
            if let place = counts.firstIndex(where: { $0.status == status && $0.method == method }) {
                counts[place].count += 1
            } else {
                counts.append((method, status, 1))
            }
        }
    }

    private struct Histogram {
        /// The upper bounds of the buckets of durations, in seconds.
        static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
        var counts = [Int](repeating: 0, count: bounds.count + 1)
        var sum = 0.0

        mutating func add(_ seconds: Double) {
            counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
            sum += seconds
        }
    }

    private struct State {
        var routes: [String: Answered] = [:]
        var commits = 0
        var failedCommits: [EngineError.Code: Int] = [:]
        var commitSeconds = Histogram()
        var joined = 0
        var events: [String: Int] = [:]
        var webhooks: [String: Int] = [:]
    }

    /// Values that are measured when the metrics are requested.
    struct Gauges {
        var queue = 0
        var questions = 0
        var streams = 0
        var learners = 0
        var storedEvents = 0
        var storeBytes = 0
        var quarantined = 0
        /// 1 if the latest write succeeded, otherwise 0.
        var storeWritable = 1
    }

    private let state = Mutex(State())
    /// The causes whose counters exist from the start, with the value 0. An alert needs an existing series.
    private static let causes: [EngineError.Code] = [.busy, .diskFull, .ioError, .unavailable]

    /// Counts a request.
    /// - Parameter route: the path of its route, with names in braces. So the number of series stays small.
    func noteRequest(method: String, route: String, status: Int, seconds: Double) {
        state.withLock { $0.routes[route, default: Answered()].add(method, status, seconds) }
    }

    func noteCommit(requests: Int, seconds: Double, _ outcomes: [IngestOutcome]) {
        state.withLock { state in
            state.commits += 1
            state.joined += requests
            state.commitSeconds.add(seconds)
            for outcome in outcomes {
                guard case .done(let report) = outcome else { continue }
                for (name, count) in [
                    ("stored", report.stored), ("duplicate", report.duplicates), ("conflict", report.conflicts),
                    ("refused", report.refused),
                ] where count > 0 { state.events[name, default: 0] += count }
            }
        }
    }

    /// A summary for people.
    struct Summary {
        struct Route {
            var route: String
            var requests: Int
            var meanSeconds: Double
            /// The number of answers with status 400 and above.
            var failed: Int
        }

        var commits = 0
        var failedCommits = 0
        /// The routes, the most frequent first.
        var routes: [Route] = []
    }

    var summary: Summary {
        let state = state.withLock { $0 }
        let routes = state.routes.map { name, answered in
            let requests = answered.counts.reduce(0) { $0 + $1.count }
            return Summary.Route(
                route: name,
                requests: requests,
                meanSeconds: answered.latency.sum / Double(max(1, requests)),
                failed: answered.counts.reduce(0) { $0 + ($1.status >= 400 ? $1.count : 0) }
            )
        }
        let sorted = routes.sorted { ($1.requests, $0.route) < ($0.requests, $1.route) }
        return Summary(commits: state.commits, failedCommits: state.failedCommits.values.reduce(0, +), routes: sorted)
    }

    func noteFailedCommit(_ cause: EngineError.Code) {
        state.withLock { $0.failedCommits[cause, default: 0] += 1 }
    }
    func noteWebhook(_ outcome: String) { state.withLock { $0.webhooks[outcome, default: 0] += 1 } }

    /// - Parameter isOpen: true for OpenMetrics 1.0, false for Prometheus' text format.
    func text(_ gauges: Gauges, isOpen: Bool = false) -> String {
        let state = state.withLock { $0 }
        var text = MetricsText(isOpen: isOpen)
        text.begin("laurel_http_requests_total", "counter", "Requests by route and status.")
        let routes = state.routes.sorted { $0.key < $1.key }
        for (route, answered) in routes {
            for (method, status, count) in answered.counts.sorted(by: {
                ($0.method, $0.status) < ($1.method, $1.status)
            }) {
                text.add([("method", method), ("route", route), ("status", "\(status)")], Double(count))
            }
        }
        text.begin("laurel_http_request_duration_seconds", "histogram", "From a request's head to its answer.")
        for (route, answered) in routes {
            text.add([("route", route)], Histogram.bounds, answered.latency.counts, answered.latency.sum)
        }
        text.begin("laurel_commits_total", "counter", "Transactions that stored events.")
        text.add([], Double(state.commits))
        text.begin("laurel_commit_failures_total", "counter", "Transactions that failed, by cause.")
        for code in Set(Self.causes).union(state.failedCommits.keys).map(\.rawValue).sorted() {
            text.add([("code", code)], Double(state.failedCommits[EngineError.Code(rawValue: code)] ?? 0))
        }
        text.begin("laurel_commit_requests_total", "counter", "Requests that were stored, several in a transaction.")
        text.add([], Double(state.joined))
        text.begin("laurel_commit_duration_seconds", "histogram", "How long transactions took.")
        text.add([], Histogram.bounds, state.commitSeconds.counts, state.commitSeconds.sum)
        text.begin("laurel_events_total", "counter", "Events by what became of them.")
        for outcome in ["conflict", "duplicate", "refused", "stored"] {
            text.add([("outcome", outcome)], Double(state.events[outcome] ?? 0))
        }
        text.begin("laurel_webhook_deliveries_total", "counter", "Attempts to deliver a webhook, by outcome.")
        for outcome in ["delivered", "failed", "refused"] {
            text.add([("outcome", outcome)], Double(state.webhooks[outcome] ?? 0))
        }
        text.add(gauges)
        for value in ProcessMetrics.values {
            text.begin(value.name, value.type, value.help)
            text.add([], value.value)
        }
        text.begin("laurel_build_info", "gauge", "Always 1; the label is the version.")
        text.add([("version", laurelVersion)], 1)
        return text.text + (isOpen ? "# EOF\n" : "")
    }
}

/// Writes Prometheus' text format (version 0.0.4), or OpenMetrics. OpenMetrics names a counter's family without
/// `_total`.
private struct MetricsText {
    var text = ""
    private let isOpen: Bool
    private var name = ""

    init(isOpen: Bool) { self.isOpen = isOpen }

    mutating func begin(_ name: String, _ type: String, _ help: String) {
        self.name = name
        let family = isOpen && type == "counter" && name.hasSuffix("_total") ? String(name.dropLast(6)) : name
        text += "# HELP \(family) \(help)\n# TYPE \(family) \(type)\n"
    }

    mutating func add(_ labels: [(String, String)], _ value: Double, suffix: String = "") {
        let list = labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
        let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
        text += "\(name)\(suffix)\(list.isEmpty ? "" : "{\(list)}") \(number)\n"
    }

    mutating func add(_ labels: [(String, String)], _ bounds: [Double], _ counts: [Int], _ sum: Double) {
        var total = 0
        for (bound, count) in zip(bounds, counts) {
            total += count
            add(labels + [("le", "\(bound)")], Double(total), suffix: "_bucket")
        }
        total += counts[bounds.count]
        add(labels + [("le", "+Inf")], Double(total), suffix: "_bucket")
        add(labels, sum, suffix: "_sum")
        add(labels, Double(total), suffix: "_count")
    }

    mutating func add(_ gauges: Metrics.Gauges) {
        for (name, help, value) in [
            ("laurel_write_queue_requests", "Requests that wait to be stored.", gauges.queue),
            ("laurel_question_queue_requests", "Questions that wait for a thread.", gauges.questions),
            ("laurel_streams", "Live streams that are open.", gauges.streams),
            ("laurel_learners", "Learners in the store.", gauges.learners),
            ("laurel_stored_events", "Events in the store.", gauges.storedEvents),
            ("laurel_store_bytes", "Size of the store's file, or of its tables and indexes.", gauges.storeBytes),
            ("laurel_quarantined_lines", "Lines in quarantine.", gauges.quarantined),
            (
                "laurel_store_writable", "1 if the latest write to the store succeeded, otherwise 0.",
                gauges.storeWritable
            ),
        ] {
            begin(name, "gauge", help)
            add([], Double(value))
        }
    }
}
