// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem

/// A lock around a function. Unlike `Mutex`, it does not restrict what the function captures and returns.
package final class Lock: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<T>(_ body: () throws -> T) rethrows -> T {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}

extension [Lock] {
    /// Runs a function while all locks are held. To prevent deadlocks, all callers must acquire several locks in the
    /// same order.
    func withAll<T>(_ body: () throws -> T) rethrows -> T {
        func holding(_ rest: ArraySlice<Lock>) throws -> T {
            guard let first = rest.first else { return try body() }
            return try first.withLock { try holding(rest.dropFirst()) }
        }
        return try holding(self[...])
    }
}
