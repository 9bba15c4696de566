// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Synchronization

/// Starts a job that fits FSRS's parameters to the reviews of all learners, every `fit-days` days.
final class FitTask: Sendable {
    /// The seconds between two readings of the record.
    private static let pause = 3600.0
    private let engine: ProgressEngine
    private let jobs: Jobs
    private let days: Int?
    private let last = Mutex<Date?>(nil)

    init(_ engine: ProgressEngine, _ jobs: Jobs, _ options: ServiceOptions) {
        (self.engine, self.jobs, days) = (engine, jobs, options.fitDays)
    }

    /// - Parameter date: the present time.
    func run(at date: Date) throws {
        guard let days, last.withLock({ $0.map { abs(date.timeIntervalSince($0)) >= Self.pause } ?? true }) else {
            return
        }
        let name = ServiceRecordName.lastFit
        let known = try engine.serviceRecords(prefix: name)[name].flatMap(Double.init)
        if known.map({ date.timeIntervalSince1970 - $0 >= Double(days) * 86_400 }) ?? true {
            try jobs.ensure(.fit)
            try engine.setServiceRecords([name: "\(date.timeIntervalSince1970)"])
        }
        last.withLock { $0 = date }
    }
}
