// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// The days of a group. For each day there are two numbers: its members, and its active members.
struct GroupDays {
    /// The number of the first day in the lists.
    private let first: Int32
    private var members: [Int32]
    private var active: [Int32]

    /// - Parameter last: the last day of the lists.
    /// - Complexity: O(days + members · runs of active days).
    init(of group: [GroupMember], to last: LocalDay) {
        let starts = group.flatMap(\.membership.spans).map(\.first.number)
        first = starts.min() ?? last.number
        let count = max(0, Int(last.number) - Int(first) + 1)
        (members, active) = ([Int32](repeating: 0, count: count + 1), [Int32](repeating: 0, count: count + 1))
        for member in group {
            for span in member.membership.days(to: last) {
                add(span, to: &members)
                for run in member.active.runs where run.overlaps(span) { add(run.clamped(to: span), to: &active) }
            }
        }
        for day in members.indices.dropFirst() {
            members[day] += members[day - 1]
            active[day] += active[day - 1]
        }
        members.removeLast()
        active.removeLast()
    }

    /// Adds the days on which one learner counts. `counts` holds differences from the previous day until they are added
    /// up.
    private func add(_ days: ClosedRange<Int32>, to counts: inout [Int32]) {
        counts[Int(days.lowerBound - first)] += 1
        counts[Int(days.upperBound - first) + 1] -= 1
    }

    /// The days on which the group had at least two members, ascending, each with the number of members and of active
    /// members.
    func together() -> some Sequence<(day: LocalDay, members: Int, active: Int)> {
        members.indices.lazy.filter { members[$0] >= 2 }.map { index in
            (LocalDay(number: first + Int32(index)), Int(members[index]), Int(active[index]))
        }
    }

    /// The number of members on a day, and the number of those who were active.
    func counts(on day: LocalDay) -> (members: Int, active: Int) {
        let index = Int(day.number) - Int(first)
        return members.indices.contains(index) ? (Int(members[index]), Int(active[index])) : (0, 0)
    }
}

extension Memberships.Membership {
    /// The days of membership up to a day, as ranges that do not overlap.
    fileprivate func days(to last: LocalDay) -> [ClosedRange<Int32>] {
        let ranges = spans.compactMap { span -> ClosedRange<Int32>? in
            let end = min(span.end.map { $0.number - 1 } ?? .max, last.number)
            return span.first.number <= end ? span.first.number...end : nil
        }
        return ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, range in
            guard let before = merged.last, range.lowerBound <= before.upperBound else { return merged.append(range) }
            merged[merged.count - 1] = before.lowerBound...max(before.upperBound, range.upperBound)
        }
    }
}
