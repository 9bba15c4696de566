// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelProgress
import LaurelReports
import LaurelWire

/// A learner's activity: the last twelve weeks for the calendar, and the last fourteen days by source.
struct LearnerActivity {
    /// The number of weeks that are shown day by day.
    static let weeks = 12
    private static let lastDays: Int32 = 14
    private static let mostBuckets = 5

    /// The days with their values and states, from the first day of a week to today.
    private(set) var days: [(day: LocalDay, value: Double, state: String?)] = []
    /// The sources of XP with their colours, in the order of the rules. The last entry may stand for all other sources.
    private(set) var sources: [(name: String, color: Int?)] = []
    private(set) var stacks: [(day: LocalDay, values: [Double])] = []

    /// - Parameter order: the names of the buckets; their order decides the colours.
    init(_ picture: LearnerPicture, _ order: [String]) {
        let (track, period) = (picture.track, picture.period)
        let xp = Dictionary(track.projection.days.map { ($0.day, $0.xp) }) { first, _ in first }
        let states = Dictionary(track.streakDays.map { ($0.day, $0.kind.rawValue) }) { first, _ in first }
        let first = period.firstDay
        let end = max(picture.today, first)
        days = (first.number...end.number).map { number in
            let day = LocalDay(number: number)
            return (day, xp[day] ?? 0, states[day] ?? "")
        }
        if !days.contains(where: { $0.value != 0 || $0.state?.isEmpty == false }) { days = [] }
        readStacks(track.xp, order, from: LocalDay(number: end.number - Self.lastDays + 1), through: end)
    }

    private mutating func readStacks(
        _ xp: [BucketXP],
        _ order: [String],
        from first: LocalDay,
        through last: LocalDay
    ) {
        let places = Dictionary(order.enumerated().map { ($1, $0 + 1) }) { first, _ in first }
        var sums: [String: Double] = [:]
        var byDay: [LocalDay: [String: Double]] = [:]
        for part in xp where part.day >= first && part.day <= last {
            sums[part.bucket, default: 0] += part.xp
            byDay[part.day, default: [:]][part.bucket, default: 0] += part.xp
        }
        let ranked = sums.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.map(\.key)
        let shown = ranked.prefix(Self.mostBuckets).sorted { places[$0] ?? .max < places[$1] ?? .max }
        let others = ranked.dropFirst(Self.mostBuckets)
        sources = shown.map { (PageChart.title(ofSource: $0), places[$0] ?? order.count + 1) }
        if !others.isEmpty { sources.append((PageChart.other, nil)) }
        stacks = (first.number...last.number).map { number in
            let parts = byDay[LocalDay(number: number)] ?? [:]
            var values = shown.map { parts[$0] ?? 0 }
            if !others.isEmpty { values.append(others.reduce(0) { $0 + (parts[$1] ?? 0) }) }
            return (LocalDay(number: number), values)
        }
    }
}
