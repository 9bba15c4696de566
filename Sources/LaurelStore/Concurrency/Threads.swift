// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem

/// Threads of our own. Dispatch's global queue shares its threads with Swift's tasks: where a task waits for work that
/// stands in that queue, nobody may be left to do it.
package struct Threads {
    private var threads: [laurel_thread] = []

    package init() {}

    /// How many processors there are to use.
    package static let processors = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    package var isEmpty: Bool { threads.isEmpty }

    /// Starts one more, where the machine has one to give.
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

    /// Waits for all of them.
    package mutating func join() {
        for thread in threads { laurel_thread_join(thread) }
        threads = []
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
