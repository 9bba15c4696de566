import LaurelStore
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
}
