// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// What is done again and again, on a thread of its own.
final class Chore: Sendable {
    private let end = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter seconds: between two turns, and before the first.
    init(every seconds: Double, _ run: @escaping @Sendable () -> Void) {
        let thread = Thread { [self] in
            Thread.current.name = "laurel chores"
            while end.wait(timeout: .now() + seconds) == .timedOut { run() }
            ended.signal()
        }
        thread.start()
    }

    /// Waits for a turn that has begun.
    func stop() {
        end.signal()
        ended.wait()
    }
}
