// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Tells whoever follows a store of every write of this process, as soon as it is durable.
package final class CommitSignal: Sendable {
    private struct State {
        var listeners: [Int: @Sendable () -> Void] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    /// - Parameter listener: Called on the thread that wrote, which goes on when it returns.
    /// - Returns: What ``remove(_:)`` asks for.
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

/// Tells whether anybody has written to a store, of whichever process. Used by one thread at a time.
package protocol CommitProbe: AnyObject, Sendable {
    /// Whether anything was written since it was last asked, or made.
    /// - Complexity: some microseconds.
    func hasNews() throws -> Bool
    /// Nothing is asked of it any more.
    func close()
}
