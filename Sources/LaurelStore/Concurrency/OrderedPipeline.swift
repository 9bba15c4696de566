// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// Maps inputs on all cores as they come, and hands the results to the calling thread in the order of the inputs.
///
/// One thread puts inputs and receives results. The release of the feed waits for the inputs under way, and begins no
/// others.
package final class OrderedPipeline<Input: Sendable, Output: Sendable> {
    private let channel = Channel()
    private let transform: @Sendable (Input) throws -> Output
    private let limit: Int
    private let workers: Int
    private var threads = Threads()
    /// The weights of the inputs whose results have not been received.
    private var weights: [Int] = []

    /// - Parameters:
    ///   - workers: the number of threads.
    ///   - limit: the largest weight of all inputs whose results have not been received. A single input may weigh more.
    ///   - transform: called on several threads at once.
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

    /// Adds an input. If the limit is reached, receives results first.
    /// - Throws: the first error of a result or of `receive`.
    package func put(_ input: Input, weight: Int = 1, receive: (Output) throws -> Void) throws {
        guard !threads.isEmpty else { return try receive(try transform(input)) }
        while !weights.isEmpty, weights.reduce(weight, +) > limit { try receiveNext(receive) }
        weights.append(weight)
        channel.put(input)
    }

    /// Receives the results of all inputs.
    /// - Throws: the first error of a result or of `receive`.
    package func finish(receive: (Output) throws -> Void) throws {
        while !weights.isEmpty { try receiveNext(receive) }
    }

    private func receiveNext(_ receive: (Output) throws -> Void) throws {
        weights.removeFirst()
        try receive(try channel.receive().get())
    }

    /// The queue between the threads. Results wait here for their turn.
    private final class Channel: Sendable {
        private struct State {
            /// The inputs that no thread has begun, by index; the index of the first of them, and of the next input
            /// put.
            var inputs: [Int: Input] = [:]
            var next = 0
            var end = 0
            /// The results that have not been received, by index.
            var results: [Int: Result<Output, any Error>] = [:]
            /// The index of the result to receive next.
            var taken = 0
        }

        private let state = Mutex(State())
        /// Signalled for each input, and at the end for each thread.
        private let work = DispatchSemaphore(value: 0)
        /// Signalled for each result. Waited for only while the next result is missing.
        private let ready = DispatchSemaphore(value: 0)

        func put(_ input: Input) {
            state.withLock { state in
                state.inputs[state.end] = input
                state.end += 1
            }
            work.signal()
        }

        /// Waits for an input; nil once there will be none.
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

        /// Drops the inputs that no thread has begun, and ends the threads.
        func stop(_ workers: Int) {
            state.withLock { $0.inputs = [:] }
            for _ in 0..<workers { work.signal() }
        }
    }
}
