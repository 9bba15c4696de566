// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents

/// Finds the event that decides between learners of a room with equal XP. It is the earliest event after which the
/// running sum of the week's XP was at least the final sum. Flagged XP and the bucket `adjustment` do not count.
package final class LeagueTimes: FoldObserver {
    private let days: ClosedRange<LocalDay>
    private var plan: VersionPlan
    private var time: Int64?
    private var counts = false
    private var sum = 0.0
    /// The events after which the sum was higher than ever before, with these sums.
    private var peaks: [(time: Int64, sum: Double)] = []

    package init(_ days: ClosedRange<LocalDay>, _ plan: FoldPlan) { (self.days, self.plan) = (days, plan.versions[0]) }

    /// The time in milliseconds since 1970; `Int64.max` for a learner without events.
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
        if counts, language == nil, bucket != plan.adjustmentBucket { sum += amount }
    }

    private func endEvent() {
        guard let time else { return }
        if sum > peaks.last?.sum ?? -.infinity { peaks.append((time, sum)) }
        self.time = nil
    }
}
