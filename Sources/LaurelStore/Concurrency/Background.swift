// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A value that another thread computes meanwhile. Used by one thread.
package final class Background<Value: Sendable> {
    private var threads = Threads()
    private let result = Result()

    package init(_ compute: @escaping @Sendable () -> Value) {
        let result = result
        threads.start { result.value.withLock { $0 = compute() } }
        if threads.isEmpty { result.value.withLock { $0 = compute() } }
    }

    deinit { threads.join() }

    /// Waits until it is there.
    package func value() -> Value {
        threads.join()
        return result.value.withLock { $0! }
    }

    private final class Result: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
