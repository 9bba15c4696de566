// SPDX-License-Identifier: Apache-2.0

import LaurelSystem
import Synchronization
import Testing

@testable import Laurel

/// A machine with a limited number of threads.
private final class Machine: Sendable {
    let left: Mutex<Int>
    init(threads: Int) { left = Mutex(threads) }

    func queue(threads: Int, waiting: Int = .max) -> CallQueue {
        CallQueue(
            "laurel tests",
            threads: threads,
            waiting: waiting,
            startThread: { [self] name, body in
                let isThere = left.withLock { left in
                    left -= 1
                    return left >= 0
                }
                return isThere && SystemThread.start(name, body)
            }
        )
    }
}

@Suite(.timeLimit(.minutes(1))) struct CallQueueTests {
    @Test func `without a thread, jobs are refused, and done as soon as there is one`() async throws {
        let machine = Machine(threads: 0)
        let queue = machine.queue(threads: 2)
        #expect(!queue.add { Issue.record("it was refused") })
        await #expect(throws: EngineError.outOfThreads) { try await queue.run { 1 } }
        #expect(queue.backlog == 0)
        machine.left.withLock { $0 = 1 }
        #expect(try await queue.run { 2 } == 2)
        queue.finish()
    }

    @Test(arguments: [1, 2, 4]) func `as many threads as there are do all of the work`(given: Int) async throws {
        let queue = Machine(threads: given).queue(threads: 4)
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...200 { group.addTask { try await queue.run { number } } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 200 * 201 / 2)
        queue.finish()
    }

    @Test func `what was refused holds up no end`() {
        let queue = Machine(threads: 0).queue(threads: 2)
        _ = queue.add {}
        queue.finish()
        #expect(!queue.add {}, "it is closed")
    }

    @Test func `a thread that ended for want of work is started again`() async throws {
        let machine = Machine(threads: 2)
        let rested = Mutex(0)
        let queue = CallQueue("laurel tests", threads: 1, patience: 0.01) {
            rested.withLock { $0 += 1 }
        } startThread: { name, body in
            machine.left.withLock { $0 -= 1 }
            return SystemThread.start(name, body)
        }
        for turn in 1...2 {
            #expect(try await queue.run { turn } == turn)
            while rested.withLock({ $0 }) < turn { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(machine.left.withLock { $0 } == 0)
    }
}
