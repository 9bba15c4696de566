// SPDX-License-Identifier: Apache-2.0

/// Things that one thread uses at a time, such as decoders with their memory, kept for the next time.
final class Idle<Thing>: Sendable {
    private let gate = Gate()
    private let make: @Sendable () -> Thing
    /// Used with `gate` held only.
    nonisolated(unsafe) private var things: [Thing] = []

    init(_ make: @escaping @Sendable () -> Thing) { self.make = make }

    /// Runs `body` with one that nobody else uses meanwhile.
    func withOne<T>(_ body: (Thing) throws -> T) rethrows -> T {
        let thing = gate.withLock { things.popLast() } ?? make()
        defer { gate.withLock { things.append(thing) } }
        return try body(thing)
    }
}
