// SPDX-License-Identifier: Apache-2.0

/// A pool of objects that only one thread may use at a time, such as decoders with their memory.
package final class ObjectPool<Thing>: Sendable {
    private let lock = Lock()
    private let make: @Sendable () -> Thing
    /// Used only with `lock` held.
    nonisolated(unsafe) private var things: [Thing] = []

    package init(_ make: @escaping @Sendable () -> Thing) { self.make = make }

    /// Runs `body` with an object that no other thread uses meanwhile. One with which it failed is not used again.
    package func withOne<T>(_ body: (Thing) throws -> T) rethrows -> T {
        let thing = take()
        let result = try body(thing)
        giveBack(thing)
        return result
    }

    /// An object for one thread at a time, to be given back if it is to serve again.
    @Sendable package func take() -> Thing { lock.withLock { things.popLast() } ?? make() }

    package func giveBack(_ thing: Thing) { lock.withLock { things.append(thing) } }
}
