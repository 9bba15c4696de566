// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// Computes results on all cores, and passes them to one thread in the order of the inputs.
///
/// The receiving thread adds the inputs, or the pipeline reads them in advance from a source. If the operating system
/// cannot start a thread, the receiving thread computes the results itself. Releasing the pipeline waits for the inputs
/// in progress, and discards the other inputs.
package final class OrderedPipeline<Input: Sendable, Output: Sendable> {
    /// Computes a result. Each instance is used by one thread.
    package typealias Transform = (Input) throws -> Output

    package enum Received {
        case output(Output)
        /// The source has no more inputs.
        case end
        /// No result was available within the given time.
        case nothingYet
    }

    private let shared: Shared
    private let workers: Int
    private let limit: Int
    private var threads = Threads()
    /// The transform of the receiving thread; nil until it computes a result itself.
    private var transform: Transform?
    /// The weights of the inputs that were added and whose results have not been received.
    private var weights: [Int] = []

    private init(workers: Int, limit: Int, shared: Shared) {
        (self.workers, self.limit, self.shared) = (workers, limit, shared)
        for _ in 0..<workers {
            threads.start {
                var transform: Transform?
                repeat { shared.permits.wait() } while shared.computeNext(&transform)
            }
        }
    }

    /// Creates a pipeline to which the receiving thread adds inputs.
    /// - Parameters:
    ///   - workers: the number of threads.
    ///   - limit: the maximum total weight of inputs whose results have not been received. A single input may weigh
    ///     more.
    ///   - worker: creates a transform. Each computing thread calls it before its first input, and again after an
    ///     error.
    package convenience init(
        workers: Int = Threads.processors,
        limit: Int,
        worker: @escaping @Sendable () -> Transform
    ) {
        self.init(workers: workers, limit: limit, shared: Shared(nil, worker))
    }

    /// Creates a pipeline to which the receiving thread adds inputs.
    /// - Parameter transform: called on several threads at once.
    package convenience init(
        workers: Int = Threads.processors,
        limit: Int,
        transform: @escaping @Sendable (Input) throws -> Output
    ) {
        self.init(workers: workers, limit: limit, worker: { transform })
    }

    /// Creates a pipeline that reads its inputs from a source.
    /// - Parameters:
    ///   - workers: the number of threads; 0 for the receiving thread only.
    ///   - limit: the maximum number of inputs in progress or waiting to be received.
    ///   - source: returns the next input, and nil after the last one. One thread at a time calls it. If it throws, the
    ///     results of earlier inputs are received first. Then the error is thrown, and the pipeline ends.
    ///   - worker: creates a transform. Each computing thread calls it before its first input, and again after an
    ///     error.
    package convenience init(
        workers: Int = Threads.processors,
        limit: Int,
        reading source: @escaping @Sendable () throws -> Input?,
        worker: @escaping @Sendable () -> Transform
    ) {
        self.init(workers: workers, limit: limit, shared: Shared(source, worker))
        for _ in 0..<limit { shared.permits.signal() }
    }

    deinit {
        shared.stop()
        for _ in 0..<workers { shared.permits.signal() }
        threads.join()
    }

    /// Adds an input. If the limit is reached, it receives results first.
    /// - Throws: the first error of a result or of `receive`.
    package func put(_ input: Input, weight: Int = 1, receive: (Output) throws -> Void) throws {
        while !weights.isEmpty, weights.reduce(weight, +) > limit { try receiveNext(receive) }
        weights.append(weight)
        shared.put(input)
        shared.permits.signal()
    }

    /// Receives the results of all added inputs.
    /// - Throws: the first error of a result or of `receive`.
    package func finish(receive: (Output) throws -> Void) throws {
        while !weights.isEmpty { try receiveNext(receive) }
    }

    private func receiveNext(_ receive: (Output) throws -> Void) throws {
        weights.removeFirst()
        if case .output(let output) = try self.receive() { try receive(output) }
    }

    /// Waits for the next result.
    /// - Parameter seconds: the maximum time to wait; nil for no limit.
    /// - Throws: the error of the next result. Later calls throw it again.
    package func receive(within seconds: Double? = nil) throws -> Received {
        while true {
            if let received = try shared.take() { return received }
            if threads.isEmpty {
                _ = shared.computeNext(&transform)
            } else if let seconds {
                if shared.ready.wait(timeout: .now() + seconds) == .timedOut { return .nothingYet }
            } else {
                shared.ready.wait()
            }
        }
    }
}

extension OrderedPipeline {
    /// The state that the threads share: the inputs, and the results that were not received yet.
    private final class Shared: Sendable {
        private struct State {
            /// The inputs that were added and that no thread has begun.
            var inputs: [Input] = []
            /// The numbers of the next input to begin, and of the next result to receive.
            var begun = 0
            var received = 0
            var results: [Int: Result<Output, any Error>] = [:]
            /// True if no further input may begin.
            var isOver = false
        }

        private let source: (@Sendable () throws -> Input?)?
        private let worker: @Sendable () -> Transform
        private let state = Mutex(State())
        /// The lock of the thread that reads the source.
        private let reading = Lock()
        /// Signalled once for each input that a thread may begin, and at the end once for each thread.
        let permits = DispatchSemaphore(value: 0)
        /// Signalled for each result and for the end. A thread waits for it only while the next result is missing.
        let ready = DispatchSemaphore(value: 0)

        init(_ source: (@Sendable () throws -> Input?)?, _ worker: @escaping @Sendable () -> Transform) {
            (self.source, self.worker) = (source, worker)
        }

        func put(_ input: Input) { state.withLock { $0.inputs.append(input) } }

        /// Drops the inputs that no thread has begun.
        func stop() { state.withLock { ($0.inputs, $0.isOver) = ([], true) } }

        /// Computes the result of the next input.
        /// - Parameter transform: the thread's transform; nil before its first input, and after an error.
        /// - Returns: false if there was no further input.
        func computeNext(_ transform: inout Transform?) -> Bool {
            guard let (number, input) = begin() else { return false }
            let own = transform ?? worker()
            let result = Result { try own(input) }
            transform = if case .success = result { own } else { nil }
            state.withLock { $0.results[number] = result }
            ready.signal()
            return true
        }

        private func begin() -> (number: Int, input: Input)? {
            reading.withLock {
                guard !state.withLock(\.isOver) else { return nil }
                let next = Result { try source?() }
                return state.withLock { state in
                    var input: Input?
                    switch next {
                    case .success(let read): input = read ?? (state.inputs.isEmpty ? nil : state.inputs.removeFirst())
                    case .failure(let error): state.results[state.begun] = .failure(error)
                    }
                    guard let input else {
                        state.isOver = true
                        ready.signal()
                        return nil
                    }
                    state.begun += 1
                    return (state.begun - 1, input)
                }
            }
        }

        /// The next result; nil while it is missing.
        func take() throws -> Received? {
            let result: Result<Received, any Error>? = state.withLock { state in
                guard let result = state.results[state.received] else {
                    return state.isOver && state.received == state.begun ? .success(.end) : nil
                }
                if case .success = result {
                    state.results[state.received] = nil
                    state.received += 1
                }
                return result.map { .output($0) }
            }
            if source != nil, case .success(.output) = result { permits.signal() }
            return try result?.get()
        }
    }
}

extension Array where Element: Sendable {
    /// Maps the elements on all cores, and passes the results to the calling thread in their order.
    /// - Parameters:
    ///   - workers: the number of threads. It may exceed the number of processors if the threads often wait.
    ///   - ahead: the maximum number of elements per thread in progress or waiting to be received.
    ///   - transform: called on several threads at once.
    ///   - begin: called once on the calling thread, before the first result is received, while the threads compute.
    ///   - receive: called on the calling thread with each result, in the order of the elements.
    /// - Throws: the first error of `transform`, `begin` or `receive`, after the elements in progress are finished.
    package func mapInParallel<Output: Sendable>(
        workers: Int = Threads.processors,
        ahead: Int = 4,
        transform: @escaping @Sendable (Element) throws -> Output,
        begin: () throws -> Void = {},
        receive: (Output) throws -> Void
    ) throws {
        let workers = count > 1 ? Swift.min(workers, count) : 0
        let rest = Mutex(makeIterator())
        let pipeline = OrderedPipeline(workers: workers, limit: workers * ahead) {
            rest.withLock { $0.next() }
        } worker: {
            transform
        }
        try begin()
        while case .output(let output) = try pipeline.receive() { try receive(output) }
    }
}
