// SPDX-License-Identifier: Apache-2.0

import LaurelStore
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite struct ParallelMapTests {
    @Test(arguments: [0, 1, 2, 3, 200]) func resultsComeInTheOrderOfTheInputs(count: Int) throws {
        var received: [Int] = []
        var beginnings = 0
        try ParallelMap.run(Array(0..<count)) { input in
            // The later the sooner done, for some.
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
        struct Failure: Error, Equatable { var input: Int }
        var received: [Int] = []
        #expect(throws: Failure(input: 5)) {
            try ParallelMap.run(Array(0..<100)) { input in
                if input == 5 { usleep(5000) }
                if input >= 5 { throw Failure(input: input) }
                return input
            } receive: {
                received.append($0)
            }
        }
        #expect(received == [0, 1, 2, 3, 4])
    }

    /// What comes one by one, of any weight, while nothing, little or much is under way.
    @Test(arguments: [1, 10, 1000]) func feedsKeepTheOrderAndTheLimit(limit: Int) throws {
        let begun = Mutex(0)
        let feed = OrderedPipeline(limit: limit) { (input: Int) in
            begun.withLock { $0 += 1 }
            usleep(UInt32(input % 5 == 0 ? 2000 : 10))
            return -input
        }
        var received: [Int] = []
        for input in 0..<100 {
            let weight = input % 3 + 1
            try feed.put(input, weight: weight) { received.append($0) }
            // Nothing is begun before there is room for it; one that weighs too much is begun alone.
            let unreceived = (received.count...input).map { $0 % 3 + 1 }
            #expect(unreceived.reduce(0, +) <= max(limit, weight))
            #expect(begun.withLock { $0 } <= input + 1)
        }
        try feed.finish { received.append($0) }
        #expect(received == (0..<100).map { -$0 })
    }

    @Test func feedsThrowTheFirstErrorAndBeginNothingMore() {
        struct Failure: Error, Equatable { var input: Int }
        var received: [Int] = []
        #expect(throws: Failure(input: 5)) {
            let feed = OrderedPipeline(limit: 4) { (input: Int) in
                if input >= 5 { throw Failure(input: input) }
                return input
            }
            for input in 0..<100 { try feed.put(input) { received.append($0) } }
            try feed.finish { received.append($0) }
        }
        #expect(received == [0, 1, 2, 3, 4])
    }
}
