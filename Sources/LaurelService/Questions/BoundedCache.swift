// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A cache of recently used values. The sum of their costs is limited.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var cost: Int
    }

    /// The two generations of entries. An entry that is used moves to the younger generation. When the younger
    /// generation is full, the older one is dropped as a whole, and a new generation begins.
    private struct State {
        var young: [Key: Entry] = [:]
        var old: [Key: Entry] = [:]
        var cost = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit / 2 }

    subscript(key: Key) -> Value? {
        state.withLock { state in
            if let entry = state.young[key] { return entry.value }
            guard let entry = state.old.removeValue(forKey: key) else { return nil }
            put(entry, key, &state)
            return entry.value
        }
    }

    func removeAll() { state.withLock { $0 = State() } }

    func set(_ key: Key, _ value: Value, cost: Int) {
        state.withLock { put(Entry(value: value, cost: cost), key, &$0) }
    }

    private func put(_ entry: Entry, _ key: Key, _ state: inout State) {
        if state.cost + entry.cost > limit { (state.old, state.young, state.cost) = (state.young, [:], 0) }
        state.cost += entry.cost - (state.young.updateValue(entry, forKey: key)?.cost ?? 0)
    }
}
