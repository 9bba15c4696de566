// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// Maps inputs that come one after the other on all cores, and hands the results to the calling thread in their order.
///
/// One thread puts and receives. Whoever lets go of it waits for what is under way; nothing more is begun.
package final class ParallelFeed<Input: Sendable, Output: Sendable> {
    private let channel = Channel()
    private let transform: @Sendable (Input) throws -> Output
    private let limit: Int
    private let workers: Int
    private var threads = Threads()
    /// Of the inputs whose results have not been received.
    private var weights: [Int] = []

    /// - Parameters:
    ///   - limit: How much the inputs together may weigh whose results are under way or waiting; one of them may weigh more.
    ///   - transform: Called on several threads at once.
    package init(
        workers: Int = Threads.processors,
        limit: Int,
        transform: @escaping @Sendable (Input) throws -> Output
    ) {
        self.transform = transform
        self.limit = limit
        self.workers = workers
        let channel = channel
        for _ in 0..<workers {
            threads.start {
                while let (index, input) = channel.nextInput() { channel.send(Result { try transform(input) }, index) }
            }
        }
    }

    deinit {
        channel.stop(workers)
        threads.join()
    }

    /// Adds an input. Where too much is under way, results are received first.
    /// - Throws: The first error of a result or of `receive`.
    package func put(_ input: Input, weight: Int = 1, receive: (Output) throws -> Void) throws {
        guard !threads.isEmpty else { return try receive(try transform(input)) }
        while !weights.isEmpty, weights.reduce(weight, +) > limit { try receiveNext(receive) }
        weights.append(weight)
        channel.put(input)
    }

    /// Receives all results that are still to come.
    package func finish(receive: (Output) throws -> Void) throws {
        while !weights.isEmpty { try receiveNext(receive) }
    }

    private func receiveNext(_ receive: (Output) throws -> Void) throws {
        weights.removeFirst()
        try receive(try channel.receive().get())
    }

    /// Inputs handed out in their order, results kept until it is their turn.
    private final class Channel: Sendable {
        private struct State {
            /// Those that nobody has begun, the index of the first, and that of the next one put.
            var inputs: [Int: Input] = [:]
            var next = 0
            var end = 0
            /// Those that are there, by index.
            var results: [Int: Result<Output, any Error>] = [:]
            /// The index of the one that is taken next.
            var taken = 0
        }

        private let state = Mutex(State())
        /// Signalled for each input, and for each thread in the end.
        private let work = DispatchSemaphore(value: 0)
        /// Signalled for each result, but waited for only where the one whose turn it is is not there.
        private let ready = DispatchSemaphore(value: 0)

        func put(_ input: Input) {
            state.withLock { state in
                state.inputs[state.end] = input
                state.end += 1
            }
            work.signal()
        }

        /// Waits for one; nil where there are none to come.
        func nextInput() -> (Int, Input)? {
            work.wait()
            return state.withLock { state in
                guard let input = state.inputs.removeValue(forKey: state.next) else { return nil }
                state.next += 1
                return (state.next - 1, input)
            }
        }

        func send(_ result: Result<Output, any Error>, _ index: Int) {
            state.withLock { $0.results[index] = result }
            ready.signal()
        }

        func receive() -> Result<Output, any Error> {
            while true {
                let result = state.withLock { state in
                    let result = state.results.removeValue(forKey: state.taken)
                    if result != nil { state.taken += 1 }
                    return result
                }
                if let result { return result }
                ready.wait()
            }
        }

        /// No further input is begun.
        func stop(_ workers: Int) {
            state.withLock { $0.inputs = [:] }
            for _ in 0..<workers { work.signal() }
        }
    }
}
