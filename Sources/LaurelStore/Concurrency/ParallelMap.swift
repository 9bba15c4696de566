// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// Maps on all cores, and hands the results to the calling thread in the order of the inputs.
package enum ParallelMap {
    /// - Parameters:
    ///   - ahead: How many results a thread may have under way or waiting.
    ///   - transform: Called on several threads at once.
    ///   - begin: Called on the calling thread, before it receives anything, while the threads are at work.
    ///   - receive: Called on the calling thread, once per input, in their order.
    /// - Throws: The first error of either; what is under way is awaited.
    package static func run<Input: Sendable, Output: Sendable>(
        _ inputs: [Input],
        ahead: Int = 4,
        transform: @escaping @Sendable (Input) throws -> Output,
        begin: () throws -> Void = {},
        receive: (Output) throws -> Void
    ) throws {
        guard inputs.count > 1 else {
            try begin()
            for input in inputs { try receive(try transform(input)) }
            return
        }
        let workers = min(Threads.processors, inputs.count)
        let limit = workers * ahead
        let feed = ParallelFeed(workers: workers, limit: limit, transform: transform)
        var hasBegun = false
        func beginOnce() throws {
            if !hasBegun { try begin() }
            hasBegun = true
        }
        func take(_ output: Output) throws {
            try beginOnce()
            try receive(output)
        }
        for input in inputs.prefix(limit) { try feed.put(input, receive: take) }
        // As much is under way as may be, and nothing has been waited for.
        try beginOnce()
        for input in inputs.dropFirst(limit) { try feed.put(input, receive: take) }
        try feed.finish(receive: take)
    }

    /// Maps on the calling thread, and on others where cores are free: for inputs that take well under a millisecond each, of
    /// which threads of our own would take too much.
    ///
    /// The calling thread waits for nothing that has not begun, so it does not matter who else uses Dispatch's threads.
    /// - Parameter transform: Called on several threads at once.
    /// - Throws: The error of the first input that has one.
    package static func results<Input: Sendable, Output: Sendable>(
        of inputs: [Input],
        transform: @escaping @Sendable (Input) throws -> Output
    ) throws -> [Output] {
        guard inputs.count > 1 else { return try inputs.map(transform) }
        let results = Mutex([Result<Output, any Error>?](repeating: nil, count: inputs.count))
        DispatchQueue.concurrentPerform(iterations: inputs.count) { index in
            let result = Result { try transform(inputs[index]) }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { try $0.map { try $0!.get() } }
    }
}
