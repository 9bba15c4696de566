// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The time by which the lesson goes: the real one, or one that was given and goes on five seconds with each look.
final class LessonClock: Sendable {
    private let pretended: Mutex<Date?>

    init(start: Date?) { pretended = Mutex(start) }

    func now() -> Date {
        pretended.withLock { pretended in
            guard let time = pretended else { return Date() }
            pretended = time.addingTimeInterval(5)
            return time
        }
    }
}
