// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// Maps inputs on all cores.
package enum ParallelMap {
    /// Maps on threads of its own, and hands the results to the calling thread in the order of the inputs.
    /// - Parameters:
    ///   - workers: how many threads; more than there are processors where each waits for something now and then.
    ///   - ahead: how many inputs per thread may be under way or waiting to be received.
    ///   - transform: called on several threads at once.
    ///   - begin: called once on the calling thread, before it receives anything, while the threads work.
    ///   - receive: called on the calling thread with each result, in the order of the inputs.
    /// - Throws: the first error of `transform`, `begin` or `receive`. Inputs under way are waited for.
    package static func run<Input: Sendable, Output: Sendable>(
        _ inputs: [Input],
        workers: Int = Threads.processors,
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
        let workers = min(workers, inputs.count)
        let limit = workers * ahead
        let feed = OrderedPipeline(workers: workers, limit: limit, transform: transform)
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
        // The threads have as much to do as the limit allows, and nothing was waited for.
        try beginOnce()
        for input in inputs.dropFirst(limit) { try feed.put(input, receive: take) }
        try feed.finish(receive: take)
    }

    /// Maps on the calling thread and on other free cores. It is for inputs that take well under a millisecond each,
    /// for which starting threads would take too long.
    ///
    /// The calling thread waits only for inputs that have begun, so other users of Dispatch's threads cannot block it.
    /// - Parameter transform: called on several threads at once.
    /// - Throws: the error of the first input that has one.
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
