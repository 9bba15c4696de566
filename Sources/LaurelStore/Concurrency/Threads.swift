// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LaurelSystem

/// Calls `work` repeatedly on another thread while `body` runs.
func repeating<T>(
    every seconds: Double,
    _ work: @escaping @Sendable () -> Void,
    during body: () throws -> T
) rethrows -> T {
    let end = DispatchSemaphore(value: 0)
    var threads = Threads()
    threads.start {
        while end.wait(timeout: .now() + seconds) == .timedOut { work() }
    }
    defer {
        end.signal()
        threads.join()
    }
    return try body()
}

/// Threads outside Dispatch's pool, which Swift's tasks use. Tasks in that pool may wait for the work of these threads.
/// In the same pool, that work might never get a thread.
package struct Threads {
    private var threads: [laurel_thread] = []

    package init() {}

    /// The number of processors that are online, at least 1.
    package static let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    package var isEmpty: Bool { threads.isEmpty }

    /// Starts a thread if the operating system allows another one; otherwise does nothing.
    package mutating func start(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Body(body))
        var thread = laurel_thread()
        let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
            return nil
        }
        if laurel_thread_start(&thread, run, box.toOpaque()) == 0 {
            threads.append(thread)
        } else {
            box.release()
        }
    }

    /// Waits for all threads to end.
    package mutating func join() {
        for thread in threads { laurel_thread_join(thread) }
        threads = []
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
