// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// Finds the event that decides between learners of a room with equal XP. It is the earliest event with XP of the week
/// after which the running sum was at least the final sum. Flagged XP and the bucket `adjustment` do not count.
package final class LeagueTimes: FoldObserver {
    private let days: ClosedRange<LocalDay>
    private var plan: VersionPlan
    private var time: Int64 = 0
    private var counts = false
    /// True if the present event gave XP of the week.
    private var isCredited = false
    private var sum = 0.0
    /// The events after which the sum was higher than ever before, with these sums.
    private var peaks: [(time: Int64, sum: Double)] = []

    package init(_ days: ClosedRange<LocalDay>, _ plan: FoldPlan) { (self.days, self.plan) = (days, plan.versions[0]) }

    /// The time in milliseconds since 1970; `Int64.max` for a learner without XP in the week.
    package var reachedAt: Int64 {
        endEvent()
        return peaks.first { $0.sum >= sum }?.time ?? .max
    }

    package func didSwitchVersion(to plan: VersionPlan) { self.plan = plan }

    package func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        endEvent()
        time = event.time
        counts = event.flag != .flagged && days.contains(event.day)
    }

    package func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double) {
        guard counts, language == nil, bucket != plan.adjustmentBucket else { return }
        sum += amount
        isCredited = true
    }

    private func endEvent() {
        if isCredited, sum > peaks.last?.sum ?? -.infinity { peaks.append((time, sum)) }
        isCredited = false
    }
}
