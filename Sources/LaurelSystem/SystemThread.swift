// SPDX-License-Identifier: Apache-2.0

/// Threads that are not joined. The caller learns if a thread cannot be started, for example in a container with a
/// limit of threads. Foundation's `Thread` does not report that failure.
package enum SystemThread {
    /// A function that starts a thread: ``start(_:_:)``, or a replacement in tests.
    package typealias Starter = @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool

    /// Starts a thread with a stack of 8 MiB, the main thread's size, on every platform.
    /// - Parameter name: at most 15 bytes are used.
    /// - Returns: false if the system cannot start a thread.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Body(name, body))
        let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            let body = Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
            laurel_thread_name(String(body.name.prefix(15)))
            body.run()
            return nil
        }
        guard laurel_thread_start_detached(run, box.toOpaque(), 8 << 20) == 0 else {
            box.release()
            return false
        }
        return true
    }

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void
        init(_ name: String, _ run: @escaping @Sendable () -> Void) { (self.name, self.run) = (name, run) }
    }
}
