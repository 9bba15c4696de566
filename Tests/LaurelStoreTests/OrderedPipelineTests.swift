// SPDX-License-Identifier: Apache-2.0

import LaurelStore
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite(.timeLimit(.minutes(1))) struct OrderedPipelineTests {
    private struct Failure: Error, Equatable { var input: Int }

    @Test(arguments: [0, 1, 2, 3, 200]) func resultsComeInTheOrderOfTheInputs(count: Int) throws {
        var received: [Int] = []
        var beginnings = 0
        try Array(0..<count).mapInParallel { input in
            // Some later inputs are done earlier.
            usleep(UInt32(input % 7 == 0 ? 3000 : 10))
            return input * input
        } begin: {
            #expect(received.isEmpty)
            beginnings += 1
        } receive: {
            received.append($0)
        }
        #expect(received == (0..<count).map { $0 * $0 })
        #expect(beginnings == 1)
    }

    @Test func theFirstErrorInThatOrderIsThrown() {
        var received: [Int] = []
        #expect(throws: Failure(input: 5)) {
            try Array(0..<100).mapInParallel { input in
                if input == 5 { usleep(5000) }
                if input >= 5 { throw Failure(input: input) }
                return input
            } receive: {
                received.append($0)
            }
        }
        #expect(received == [0, 1, 2, 3, 4])
    }

    // MARK: Inputs that are put

    /// Inputs of any weight come one by one, while nothing, little or much is in progress.
    @Test(arguments: [1, 10, 1000]) func theOrderAndTheLimitAreKept(limit: Int) throws {
        let begun = Mutex(0)
        let pipeline = OrderedPipeline(limit: limit) { (input: Int) in
            begun.withLock { $0 += 1 }
            usleep(UInt32(input % 5 == 0 ? 2000 : 10))
            return -input
        }
        var received: [Int] = []
        for input in 0..<100 {
            let weight = input % 3 + 1
            try pipeline.put(input, weight: weight) { received.append($0) }
            // An input is started only when there is room for it. One that is too heavy is started alone.
            let unreceived = (received.count...input).map { $0 % 3 + 1 }
            #expect(unreceived.reduce(0, +) <= max(limit, weight))
            #expect(begun.withLock { $0 } <= input + 1)
        }
        try pipeline.finish { received.append($0) }
        #expect(received == (0..<100).map { -$0 })
    }

    @Test(arguments: [0, 2]) func theFirstErrorIsThrownAndNothingMoreIsBegun(workers: Int) {
        var received: [Int] = []
        #expect(throws: Failure(input: 5)) {
            let pipeline = OrderedPipeline(workers: workers, limit: 4) { (input: Int) in
                if input >= 5 { throw Failure(input: input) }
                return input
            }
            for input in 0..<100 { try pipeline.put(input) { received.append($0) } }
            try pipeline.finish { received.append($0) }
        }
        #expect(received == [0, 1, 2, 3, 4])
    }

    // MARK: Inputs that are read

    /// Numbers, until an error or the end.
    private final class Numbers: Sendable {
        let read = Mutex(0)

        func next(until end: Int, failing: Bool = false) throws -> Int? {
            try read.withLock { read in
                guard read < end else {
                    if failing { throw Failure(input: end) }
                    return nil
                }
                defer { read += 1 }
                return read
            }
        }
    }

    @Test(arguments: [0, 1, 2, 5]) func aSourceIsReadAheadAsFarAsTheLimit(workers: Int) throws {
        let numbers = Numbers()
        let pipeline = OrderedPipeline(workers: workers, limit: 6) {
            try numbers.next(until: 50)
        } worker: {
            { number in
                usleep(UInt32(number % 5 == 0 ? 2000 : 10))
                return -number
            }
        }
        var received: [Int] = []
        while case .output(let output) = try pipeline.receive() {
            received.append(output)
            #expect(numbers.read.withLock { $0 } <= received.count + 6)
        }
        #expect(received == (0..<50).map { -$0 })
        guard case .end = try pipeline.receive() else { throw Failure(input: -1) }
    }

    @Test(arguments: [0, 2]) func anErrorOfTheSourceComesAfterTheResultsAndStays(workers: Int) throws {
        let numbers = Numbers()
        let pipeline = OrderedPipeline(workers: workers, limit: 4) {
            try numbers.next(until: 10, failing: true)
        } worker: {
            { (number: Int) in number }
        }
        for number in 0..<10 {
            guard case .output(number) = try pipeline.receive() else { throw Failure(input: number) }
        }
        for _ in 0..<2 { #expect(throws: Failure(input: 10)) { _ = try pipeline.receive() } }
    }

    @Test func aWaitEndsAfterTheTimeGiven() throws {
        let pipeline = OrderedPipeline(limit: 2) {
            usleep(100_000)
            return nil as Int?
        } worker: {
            { (number: Int) in number }
        }
        guard case .nothingYet = try pipeline.receive(within: 0.001) else { throw Failure(input: 0) }
        guard case .end = try pipeline.receive() else { throw Failure(input: 1) }
    }

    /// Each thread creates one worker, and a new one after an error.
    @Test func aWorkerThatFailedIsNotUsedAgain() throws {
        let made = Mutex(0)
        let pipeline = OrderedPipeline<Int, Int>(workers: 1, limit: 10) {
            let number = made.withLock { made in
                made += 1
                return made
            }
            return { input in
                if input == 3 { throw Failure(input: input) }
                return number
            }
        }
        var received: [Int] = []
        for input in 0..<10 { try pipeline.put(input) { received.append($0) } }
        #expect(throws: Failure(input: 3)) { try pipeline.finish { received.append($0) } }
        #expect(received == [1, 1, 1])
        withExtendedLifetime(pipeline) { while made.withLock({ $0 }) < 2 { usleep(100) } }
    }
}
