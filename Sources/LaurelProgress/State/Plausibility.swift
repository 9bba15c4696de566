// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// An event type that this version or a later version of the rules limits.
struct LimitedType: Sendable {
    let name: String
    /// The number of events whose times are stored. It is the largest limit of this version and later versions.
    let kept: Int
    /// This version's limit; nil if only a later version limits the type.
    let limit: PlausibleLimit?

    /// The limited types, sorted by name.
    /// - Parameter later: the limits of later versions.
    static func all(of rules: RuleSet, later: [PlausibleLimit]) -> [LimitedType] {
        Set((rules.plausible + later).map(\.type)).sorted().map { name in
            LimitedType(
                name: name,
                kept: (rules.plausible + later).filter { $0.type == name }.map(\.atMost).max() ?? 0,
                limit: rules.plausible.first { $0.type == name }
            )
        }
    }
}

/// A learner's latest events of the limited types, and the events whose flags were cleared.
struct Plausibility: Sendable {
    /// For each limited type, the times of the latest events, ascending, in milliseconds since 1970.
    var recent: [[Int64]]
    /// The keys of the events whose flags were cleared: see ``Voids/key(source:id:)``.
    var cleared = DistinctValues()

    init(_ plan: VersionPlan) { recent = plan.limitedTypes.map { _ in [] } }

    /// The same events, in the order of the limited types of another version.
    func converted(from old: VersionPlan, to new: VersionPlan) -> Plausibility {
        var converted = Plausibility(new)
        converted.cleared = cleared
        for (index, type) in new.limitedTypes.enumerated() {
            guard let before = old.limitedTypes.firstIndex(where: { $0.name == type.name }) else { continue }
            converted.recent[index] = recent[before].suffix(type.kept)
        }
        return converted
    }

    /// Adds an event to the latest events of its type.
    /// - Parameter index: the index of the limited type.
    /// - Returns: true if the type's limit is exceeded.
    /// - Complexity: O(limit), amortised O(1) for limits that are not exceeded.
    mutating func exceeds(_ type: LimitedType, _ index: Int, at time: Int64) -> Bool {
        defer {
            recent[index].append(time)
            if recent[index].count >= 2 * type.kept { recent[index].removeFirst(recent[index].count - type.kept) }
        }
        guard let limit = type.limit else { return false }
        guard limit.atMost > 0 else { return true }
        let first = recent[index].count - limit.atMost
        return first >= 0 && recent[index][first] > time - limit.span.milliseconds
    }
}

/// The events and XP of a track that are flagged as implausible.
struct FlaggedTotals: Sendable, Equatable {
    var events = 0
    var xp = 0.0
}

/// The relation of an event to the limits of the rules' `plausible`.
package enum FlagState: Sendable {
    /// The event exceeds no limit.
    case plausible
    /// The event exceeds a limit.
    case flagged
    /// The event exceeds a limit, but a `flag.cleared` event cleared its flag.
    case cleared
}

extension FoldCore {
    /// Sets the flag of the current event, whose type is limited.
    /// - Parameter limit: the index of the event's limited type.
    /// - Returns: the XP of the overall track and of the language's track before the event.
    @inline(never)
    mutating func beginLimited(
        _ limit: Int,
        _ table: EventTable,
        _ row: Int,
        _ track: UnsafeMutablePointer<TrackValues>?
    ) -> (overall: Double, language: Double) {
        event.flag = flag(limit, table, row)
        return (overall.pointee.xp, track?.pointee.xp ?? 0)
    }

    /// Counts the current event if it is flagged, and the XP that it earned.
    @inline(never)
    mutating func endLimited(
        _ xpBefore: (overall: Double, language: Double),
        _ track: UnsafeMutablePointer<TrackValues>?
    ) {
        if event.flag == .flagged {
            overall.pointee.countFlagged(xpBefore: xpBefore.overall, on: event.day)
            track?.pointee.countFlagged(xpBefore: xpBefore.language, on: event.day)
        }
        event.flag = .plausible
    }

    /// Compares the current event with its type's limit, and stores the event's time for later comparisons.
    private mutating func flag(_ limit: Int, _ table: EventTable, _ row: Int) -> FlagState {
        guard learner.plausibility.exceeds(plan.limitedTypes[limit], limit, at: table.milliseconds[row]) else {
            return .plausible
        }
        guard learner.plausibility.cleared.count > 0 else { return .flagged }
        let key = Voids.key(source: table.texts[table.source[row]], id: table.identifier(row))
        let isCleared = key.withUnsafeBufferPointer { learner.plausibility.cleared.keys.find($0) != nil }
        return isCleared ? .cleared : .flagged
    }
}

extension TrackValues {
    /// Counts a flagged event. All XP added after `xpBefore` is flagged.
    mutating func countFlagged(xpBefore: Double, on day: LocalDay) {
        flagged.events += 1
        let earned = xp - xpBefore
        guard earned != 0 else { return }
        flagged.xp += earned
        enterDay(day)
        today.flaggedXP += earned
    }
}
