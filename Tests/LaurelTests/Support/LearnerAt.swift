// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

extension ProgressEngine {
    /// - Parameter instant: whose offset, where it has one, decides which day is today.
    func learner(_ id: String, at instant: Timestamp) -> Learner {
        guard case .minutes(let minutes) = instant.offset else { return learner(id, timeZone: nil) }
        return learner(id, timeZone: TimeZone(secondsFromGMT: Int(minutes) * 60))
    }
}
