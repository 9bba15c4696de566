// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// Starts a job that fits FSRS's parameters to the reviews of all learners, every `fit-days` days.
final class FitTask: Sendable {
    private let engine: ProgressEngine
    private let jobs: Jobs
    private let days: Int?
    private let hourly = HourlyWork()

    init(_ engine: ProgressEngine, _ jobs: Jobs, _ options: ServiceOptions) {
        (self.engine, self.jobs, days) = (engine, jobs, options.fitDays)
    }

    /// - Parameter date: the present time.
    func run(at date: Date) throws {
        guard let days else { return }
        try hourly.run(at: date) {
            let name = ServiceRecordName.lastFit
            let known = try engine.serviceRecords(prefix: name)[name].flatMap(Double.init)
            if known.map({ date.timeIntervalSince1970 - $0 >= Double(days) * 86_400 }) ?? true {
                try jobs.ensure(.fit)
                try engine.setServiceRecords([name: "\(date.timeIntervalSince1970)"])
            }
        }
    }
}
