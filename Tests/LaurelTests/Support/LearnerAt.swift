// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

extension ProgressEngine {
    /// - Parameter instant: its offset, if it has one, decides the local day.
    func learner(_ id: String, at instant: Timestamp) -> Learner {
        guard case .minutes(let minutes) = instant.offset else { return learner(id, timeZone: nil) }
        return learner(id, timeZone: TimeZone(secondsFromGMT: Int(minutes) * 60))
    }
}
