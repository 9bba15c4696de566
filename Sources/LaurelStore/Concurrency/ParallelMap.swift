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
        let channel = Channel<Output>(inputs: inputs.count, bound: workers * ahead)
        var threads = Threads()
        for _ in 0..<workers {
            threads.start {
                while let index = channel.nextInput() { channel.send(Result { try transform(inputs[index]) }, index) }
            }
        }
        defer {
            channel.cancel()
            threads.join()
        }
        try begin()
        if threads.isEmpty {
            for input in inputs { try receive(try transform(input)) }
        } else {
            for _ in inputs { try receive(try channel.receive().get()) }
        }
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

    /// Work handed out by index, results kept until it is their turn.
    private final class Channel<Output: Sendable>: Sendable {
        private struct State {
            var next = 0
            /// Those that are there, by index.
            var results: [Int: Result<Output, any Error>] = [:]
            /// The index of the one that is taken next.
            var taken = 0
        }

        private let inputs: Int
        private let state = Mutex(State())
        /// Signalled for each result, but waited for only where the one whose turn it is is not there.
        private let ready = DispatchSemaphore(value: 0)
        /// Bounds the results that are under way or wait; the next to be taken is always among them. Begins at 0: a
        /// semaphore must not end below where it began.
        private let room = DispatchSemaphore(value: 0)

        init(inputs: Int, bound: Int) {
            self.inputs = inputs
            for _ in 0..<bound { room.signal() }
        }

        func nextInput() -> Int? {
            room.wait()
            let index = state.withLock { state -> Int? in
                guard state.next < inputs else { return nil }
                state.next += 1
                return state.next - 1
            }
            if index == nil { room.signal() }
            return index
        }

        func send(_ result: Result<Output, any Error>, _ index: Int) {
            state.withLock { $0.results[index] = result }
            ready.signal()
        }

        func receive() -> Result<Output, any Error> {
            defer { room.signal() }
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

        /// No further input is begun; whoever waits for room goes on and finds nothing.
        func cancel() {
            state.withLock { $0.next = inputs }
            room.signal()
        }
    }
}
