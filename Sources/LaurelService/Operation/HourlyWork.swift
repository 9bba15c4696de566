// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Work that is done at most once an hour.
final class HourlyWork: Sendable {
    private static let pause = 3600.0
    private let last = Mutex<Date?>(nil)

    /// Does the work, unless it was done less than an hour before. Work that fails is done again at the next call.
    /// - Parameter date: the present time.
    func run(at date: Date, _ work: () throws -> Void) rethrows {
        guard last.withLock({ $0.map { abs(date.timeIntervalSince($0)) >= Self.pause } ?? true }) else { return }
        try work()
        last.withLock { $0 = date }
    }
}
