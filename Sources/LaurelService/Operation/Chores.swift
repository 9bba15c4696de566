import Dispatch
import Foundation

/// What is looked at now and then, on one thread.
final class Chores: Sendable {
    private let end = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter chores: each with its own patience between two turns, in seconds.
    func start(_ chores: [(every: Double, run: @Sendable () -> Void)]) {
        let thread = Thread { [self] in
            Thread.current.name = "laurel chores"
            var next = chores.map { ProcessInfo.processInfo.systemUptime + $0.every }
            while end.wait(timeout: .now() + 0.5) == .timedOut {
                for (index, chore) in chores.enumerated() where ProcessInfo.processInfo.systemUptime >= next[index] {
                    chore.run()
                    next[index] = ProcessInfo.processInfo.systemUptime + chore.every
                }
            }
            ended.signal()
        }
        thread.start()
    }

    func stop() {
        end.signal()
        ended.wait()
    }
}
