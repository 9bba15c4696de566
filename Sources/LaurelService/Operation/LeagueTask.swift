// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// Starts a job that settles weeks of leagues, within an hour after a week can be settled.
final class LeagueTask: Sendable {
    private let engine: ProgressEngine
    private let jobs: Jobs
    private let hourly = HourlyWork()

    init(_ engine: ProgressEngine, _ jobs: Jobs) { (self.engine, self.jobs) = (engine, jobs) }

    /// - Parameter date: the present time.
    func run(at date: Date) throws {
        try hourly.run(at: date) {
            let name = ServiceRecordName.lastSettlement
            let seconds = try engine.serviceRecords(prefix: name)[name].flatMap(Double.init)
            // The job writes the record at its end, so a failed job is started again after an hour.
            guard engine.isSettlementDue(since: seconds.map { Date(timeIntervalSince1970: $0) }, at: date) else {
                return
            }
            try jobs.ensure(.leagues(LeagueJob(now: date, actor: AuditActor(name: "laurel serve"))))
        }
    }
}
