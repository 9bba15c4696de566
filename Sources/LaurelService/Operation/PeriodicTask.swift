// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Laurel
import LaurelSystem

/// A task that is repeated on its own thread.
final class PeriodicTask: Sendable {
    private let end = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter seconds: the pause between two runs, and before the first run.
    /// - Throws: ``EngineError/outOfThreads``.
    init(every seconds: Double, _ run: @escaping @Sendable () -> Void) throws(EngineError) {
        let isRunning = SystemThread.start("laurel periodic") { [self] in
            while end.wait(timeout: .now() + seconds) == .timedOut { run() }
            ended.signal()
        }
        guard isRunning else { throw .outOfThreads }
    }

    /// Stops the task. If the task is running, waits until the run has ended.
    func stop() {
        end.signal()
        ended.wait()
    }
}
