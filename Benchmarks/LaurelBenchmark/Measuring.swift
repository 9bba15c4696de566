// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The reason why a measurement cannot be made.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// The wall time of a body, in nanoseconds.
func nanoseconds(_ body: () throws -> Void) rethrows -> Int64 {
    let clock = ContinuousClock()
    let duration = try clock.measure(body).components
    return duration.seconds * 1_000_000_000 + duration.attoseconds / 1_000_000_000
}

/// The processor time of this process, all threads together, in seconds.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The durations of many equal steps.
struct Latencies {
    private(set) var nanoseconds: [Int64] = []

    mutating func measure(_ body: () throws -> Void) rethrows {
        nanoseconds.append(try LaurelBenchmark.nanoseconds(body))
    }

    /// The smallest latency that at least this share of the steps does not exceed (nearest rank).
    func percentile(_ share: Double) -> Int64 {
        let sorted = nanoseconds.sorted()
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    var total: Int64 { nanoseconds.reduce(0, +) }
}

/// Named numbers, printed as one JSON object.
struct Report {
    private var members: [(name: String, value: Double)] = []

    mutating func add(_ name: String, _ value: Double) { members.append((name, value)) }

    /// Adds the median, the 99th percentile and the maximum in milliseconds, and the steps per second.
    mutating func add(_ name: String, _ latencies: Latencies) {
        guard !latencies.nanoseconds.isEmpty else { return }
        add("\(name)_p50_ms", Double(latencies.percentile(0.5)) / 1e6)
        add("\(name)_p99_ms", Double(latencies.percentile(0.99)) / 1e6)
        add("\(name)_max_ms", Double(latencies.percentile(1)) / 1e6)
        add("\(name)_per_second", Double(latencies.nanoseconds.count) * 1e9 / Double(max(latencies.total, 1)))
    }

    /// The members as JSON. The names are the program's own, and need no escapes.
    var json: String { "{" + members.map { "\"\($0.name)\": \($0.value)" }.joined(separator: ", ") + "}" }
}
