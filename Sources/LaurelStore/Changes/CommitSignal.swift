// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Notifies listeners about every write of this process, as soon as the write is durable.
package final class CommitSignal: Sendable {
    private struct State {
        var listeners: [Int: @Sendable () -> Void] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// - Parameter listener: called on the thread that wrote, which waits until the listener returns.
    /// - Returns: the listener's number for ``remove(_:)``.
    package func add(_ listener: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.last += 1
            state.listeners[state.last] = listener
            return state.last
        }
    }

    package func remove(_ number: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }

    func send() {
        let listeners = state.withLock { $0.listeners.isEmpty ? nil : Array($0.listeners.values) }
        listeners?.forEach { $0() }
    }
}

/// Detects writes to a store by any process. Use it from one thread at a time.
package protocol CommitProbe: AnyObject, Sendable {
    /// True if a process has written since the last call, or since the probe was created.
    /// - Complexity: some microseconds.
    func hasNewCommits() throws -> Bool
    /// Closes the probe. Do not use it afterwards.
    func close()
}
