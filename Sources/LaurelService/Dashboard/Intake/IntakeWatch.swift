// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import LaurelResults
import Synchronization

/// Counts the events that this node has received during the last hour, minute by minute.
final class IntakeWatch: Sendable {
    fileprivate struct Minute {
        var number: Int64
        var kinds: [IntakeCounts.Kind: Int] = [:]
        var duplicates = 0
        var refused = 0

        var lines: Int { kinds.values.reduce(0, +) + duplicates + refused }
    }

    fileprivate struct State {
        var minutes: [Minute] = []
        /// The time of the latest line.
        var lastAt: Date?
        var unknown: [IngestReport.UnknownName] = []
    }

    /// A summary of the last hour.
    struct Hour: Sendable {
        /// The number of events with the same source and type.
        struct Kind: Sendable, Codable {
            /// Source of the events.
            var source: String
            /// Type of the events, such as line.spoken.
            var type: String
            /// Events stored in the hour.
            var events: Int
        }

        /// The sources with the most events. If there are more sources than the chart shows, the last name stands for
        /// all others.
        var sources: [String] = []
        /// The last sixty minutes, each with the number of events per source.
        var minutes: [(minute: Date, values: [Double])] = []
        /// The events by source and type, the most frequent first.
        var kinds: [Kind] = []
        var stored = 0
        var duplicates = 0
        var refused = 0
        var unknown: [IngestReport.UnknownName] = []
    }

    /// The rate at which lines arrive. Health checks use it to find silence and surges.
    struct Trend: Sendable {
        /// The seconds since the latest line; if there is no line yet, since the start of the node.
        var silence = 0.0
        /// The number of lines in the last hour, including repeated and refused lines.
        var lines = 0
        /// The number of refused lines in the last hour.
        var refused = 0
        /// The mean number of lines per minute in the last hour. The time since the latest line is left out.
        var perMinute = 0.0
        /// The number of lines in the last five minutes.
        var recent = 0
        /// The usual number of lines in five minutes: the mean over the last hour without its last five minutes; nil if
        /// the node has run for less than half an hour.
        var usual: Double?
    }

    private static let minutes: Int64 = 60
    private static let mostSources = 5
    /// The maximum number of kinds that are counted in a minute, and of unknown names that are listed. They are
    /// limited, because clients choose the kinds and names.
    private static let (mostKinds, mostNames) = (1000, 200)
    private let state = Mutex(State())

    /// Counts the outcomes of the requests in a commit.
    func note(_ tally: IntakeCounts, _ outcomes: [IngestOutcome], at date: Date) {
        let reports = outcomes.compactMap(\.report)
        guard !reports.isEmpty else { return }
        state.withLock { state in
            let number = date.milliseconds / 60_000
            if state.minutes.last?.number != number {
                state.minutes.append(Minute(number: number))
                state.minutes.removeAll { $0.number <= number - Self.minutes }
            }
            state.lastAt = date
            let last = state.minutes.count - 1
            guard last >= 0 else { return }
            for report in reports {
                state.minutes[last].duplicates += report.duplicates
                state.minutes[last].refused += report.refused + report.conflicts
                for name in report.unknown { state.note(name, atMost: Self.mostNames) }
            }
            for (kind, count) in tally.events {
                if state.minutes[last].kinds.count >= Self.mostKinds, state.minutes[last].kinds[kind] == nil {
                    continue
                }
                state.minutes[last].kinds[kind, default: 0] += count
            }
        }
    }

    /// - Parameter start: the time at which the node started.
    func trend(at date: Date, since start: Date) -> Trend {
        let (minutes, lastAt) = state.withLock { ($0.minutes, $0.lastAt) }
        let now = date.milliseconds / 60_000
        let hour = minutes.filter { $0.number > now - Self.minutes }
        var trend = Trend()
        trend.silence = max(0, date.timeIntervalSince(lastAt ?? start))
        trend.lines = hour.reduce(0) { $0 + $1.lines }
        trend.refused = hour.reduce(0) { $0 + $1.refused }
        let age = min(Double(Self.minutes), date.timeIntervalSince(start) / 60)
        trend.perMinute = Double(trend.lines) / max(1, age - trend.silence / 60)
        trend.recent = hour.filter { $0.number > now - 5 }.reduce(0) { $0 + $1.lines }
        if age >= 30 { trend.usual = Double(trend.lines - trend.recent) / ((age - 5) / 5) }
        return trend
    }

    func lastHour(at date: Date) -> Hour {
        let (minutes, unknown) = state.withLock { ($0.minutes, $0.unknown) }
        let now = date.milliseconds / 60_000
        var hour = Hour()
        var (kinds, sources): ([IntakeCounts.Kind: Int], [String: Int]) = ([:], [:])
        let recent = minutes.filter { $0.number > now - Self.minutes }
        for minute in recent {
            hour.duplicates += minute.duplicates
            hour.refused += minute.refused
            for (kind, count) in minute.kinds {
                kinds[kind, default: 0] += count
                sources[kind.source, default: 0] += count
                hour.stored += count
            }
        }
        hour.kinds = kinds.sorted { ($1.value, $0.key.source, $0.key.type) < ($0.value, $1.key.source, $1.key.type) }
            .map { Hour.Kind(source: $0.key.source, type: $0.key.type, events: $0.value) }
        let ranked = sources.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        hour.sources = Array(ranked.prefix(Self.mostSources))
        if ranked.count > Self.mostSources { hour.sources.append(PageChart.other) }
        let byNumber = Dictionary(recent.map { ($0.number, $0) }) { first, _ in first }
        hour.minutes = (now - Self.minutes + 1...now).map { number in
            var values = [Double](repeating: 0, count: hour.sources.count)
            for (kind, count) in byNumber[number]?.kinds ?? [:] {
                let place = ranked.prefix(Self.mostSources).firstIndex(of: kind.source) ?? values.count - 1
                values[place] += Double(count)
            }
            return (Date(milliseconds: number * 60_000), values)
        }
        hour.unknown = unknown.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        return hour
    }
}

extension IntakeWatch.State {
    fileprivate mutating func note(_ name: IngestReport.UnknownName, atMost limit: Int) {
        let known = unknown.firstIndex { $0.kind == name.kind && $0.name == name.name && $0.type == name.type }
        if let known {
            unknown[known].count += name.count
        } else if unknown.count < limit {
            unknown.append(name)
        }
    }
}

extension IngestOutcome {
    fileprivate var report: RequestReport? {
        switch self {
        case .done(let report), .nothingStored(let report): report
        case .notAllowed, .unreadable, .failed: nil
        }
    }
}
