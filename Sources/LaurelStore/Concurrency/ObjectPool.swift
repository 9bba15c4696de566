// SPDX-License-Identifier: Apache-2.0

/// A pool of objects that only one thread may use at a time, such as decoders with their memory.
final class ObjectPool<Thing>: Sendable {
    private let lock = Lock()
    private let make: @Sendable () -> Thing
    /// Used only with `lock` held.
    nonisolated(unsafe) private var things: [Thing] = []

    init(_ make: @escaping @Sendable () -> Thing) { self.make = make }

    /// Runs `body` with an object that no other thread uses meanwhile.
    func withOne<T>(_ body: (Thing) throws -> T) rethrows -> T {
        let thing = lock.withLock { things.popLast() } ?? make()
        defer { lock.withLock { things.append(thing) } }
        return try body(thing)
    }
}
