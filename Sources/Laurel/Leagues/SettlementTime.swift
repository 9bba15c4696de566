// SPDX-License-Identifier: Apache-2.0

package import Foundation
import LaurelProgress
import LaurelWire

extension ProgressEngine {
    /// True if the leagues should be settled: a week can be settled since the last settlement, or that settlement is a
    /// day old. The settlement of each day improves results if late events may do so.
    /// - Parameters:
    ///   - last: the instant of the last settlement; nil if there was none.
    ///   - now: the present time.
    /// - Returns: false if no version of the rules has leagues.
    package func isSettlementDue(since last: Date?, at now: Date) -> Bool {
        let (plan, day) = (plan, 86_400.0)
        guard let last, abs(now.timeIntervalSince(last)) < day else { return !plan.leagueNames.isEmpty }
        // A week that waits longer for its settlement is settled at the next daily run.
        let first = LocalDay(containing: (last - 60 * day).milliseconds)
        return plan.leagueNames.contains { league in
            plan.leagueWeeks(league, firstRun: first, settledBy: now.milliseconds).contains {
                $0.settlesAt > last.milliseconds
            }
        }
    }
}
