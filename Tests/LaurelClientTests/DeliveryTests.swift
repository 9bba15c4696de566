// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelClient
import Synchronization
import Testing

@Suite struct DeliveryTests {
    private struct NoNetwork: Error, CustomStringConvertible { let description = "no network" }

    @Test func `batches are bounded in events and bytes`() async throws {
        let workshop = try Workshop()
        let sizes = Mutex<[Int]>([])
        let delivery = ClosureDelivery { batch in
            sizes.withLock { $0.append(batch.count) }
            #expect(batch.ids.count == batch.lines.count)
            return workshop.take(batch)
        }
        let client = try workshop.client(delivery: delivery) {
            $0.batchEvents = 4
            $0.batchBytes = 3000
        }
        for index in 0..<10 { try await client.speak("\(index)") }
        try await client.speak(String(repeating: "x", count: 5000))
        try await client.speak("last")
        try await client.flush()
        #expect(sizes.withLock { $0 } == [4, 4, 2, 1, 1])
        #expect(try workshop.lines().count == 12)
    }

    @Test func `failures are tried again with the same events, after doubling waits`() async throws {
        let workshop = try Workshop()
        let clock = NotingClock()
        let attempts = Mutex<[[String]]>([])
        let delivery = ClosureDelivery { batch in
            let count = attempts.withLock { attempts in
                attempts.append(batch.ids)
                return attempts.count
            }
            if count <= 5 { throw NoNetwork() }
            return workshop.take(batch)
        }
        let client = try workshop.client(delivery: delivery) {
            $0.clock = clock
            $0.retry = RetryPolicy(base: .seconds(1), cap: .seconds(6))
            $0.random = { 0.5 }
        }
        try await client.speak("a")
        try await client.speak("b")
        await client.start()
        for await state in await client.progress where state.pending == 0 { break }
        #expect(clock.waits == [.seconds(0.5), .seconds(1), .seconds(2), .seconds(3), .seconds(3)])
        #expect(attempts.withLock { $0 } == Array(repeating: ["1", "2"], count: 6))
        let status = await client.status()
        #expect(status.sent == 2 && status.failures == 0)
        await client.close()
    }

    @Test(arguments: [
        (1, 0.0, 0.0), (1, 1.0, 1.0), (2, 1.0, 2.0), (3, 0.5, 2.0), (8, 1.0, 128.0), (9, 1.0, 256.0), (10, 1.0, 300.0),
        (1_000_000, 1.0, 300.0),
    ])
    func `full jitter`(failures: Int, random: Double, seconds: Double) {
        #expect(RetryPolicy().delay(afterFailures: failures, random: random) == .seconds(seconds))
    }

    @Test func `the receiver can ask for patience`() async throws {
        let workshop = try Workshop()
        let clock = NotingClock()
        let first = Mutex(true)
        let delivery = ClosureDelivery { batch in
            let isFirst = first.withLock { first in
                defer { first = false }
                return first
            }
            if isFirst { throw DeliveryError("busy", retryAfter: .seconds(77)) }
            return workshop.take(batch)
        }
        let client = try workshop.client(delivery: delivery) {
            $0.clock = clock
            $0.random = { 1 }
        }
        try await client.speak("a")
        await client.start()
        for await state in await client.progress where state.pending == 0 { break }
        #expect(clock.waits == [.seconds(77)])
    }

    @Test func `where trying again does not help, the client waits to be asked`() async throws {
        let workshop = try Workshop()
        let isSignedIn = Mutex(false)
        let attempts = Mutex(0)
        let delivery = ClosureDelivery { batch in
            attempts.withLock { $0 += 1 }
            guard isSignedIn.withLock({ $0 }) else { throw DeliveryError("sign in first", isRetryable: false) }
            return workshop.take(batch)
        }
        let client = try workshop.client(delivery: delivery)
        try await client.speak("a")
        await client.start()
        for await state in await client.progress where state.state == .blocked {
            #expect(state.lastProblem == "sign in first")
            break
        }
        try await client.speak("b")
        await #expect(throws: DeliveryError.self) { try await client.flush() }
        #expect(attempts.withLock { $0 } == 2)
        isSignedIn.withLock { $0 = true }
        await client.start()
        for await state in await client.progress where state.pending == 0 { break }
        #expect(try workshop.lines() == ["a", "b"])
        await client.close()
    }

    @Test func `progress begins with the present, counts, and ends with the client`() async throws {
        let workshop = try Workshop()
        let delivery = ClosureDelivery { batch in
            _ = workshop.take(batch)
            return Receipt(refused: 1, message: "one was in conflict")
        }
        let client = try workshop.client(delivery: delivery) { $0.batchEvents = 2 }
        for index in 0..<4 { try await client.speak("\(index)") }
        #expect(await client.status().pending == 4)
        let reader = Task { await client.progress.reduce(into: []) { $0.append($1) } }
        try await client.flush()
        await client.close()
        let last = try #require(await reader.value.last)
        #expect(last.state == .closed)
        #expect((last.pending, last.sent, last.refused) == (0, 4, 2))
        #expect(last.lastProblem == "one was in conflict")
        var after: [DeliveryProgress] = []
        for await state in await client.progress { after.append(state) }
        #expect(after.map(\.state) == [.closed])
    }

    @Test func `many tasks record at once, and nothing is lost or doubled`() async throws {
        let workshop = try Workshop()
        let client = try workshop.client { $0.batchEvents = 50 }
        await client.start()
        let ids = try await withThrowingTaskGroup(of: [String].self) { group in
            for task in 0..<8 {
                group.addTask {
                    var ids: [String] = []
                    for index in 0..<100 { ids.append(try await client.speak("\(task)-\(index)").id) }
                    return ids
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try await client.flush()
        await client.close()
        let delivered = try workshop.delivered.withLock { try $0.map { try Line($0) } }
        #expect(Set(ids).count == 800)
        #expect(delivered.map(\.id).sorted() == ids.sorted())
        // The events of each task are in order.
        for task in 0..<8 {
            let names = delivered.map(\.name).filter { $0.hasPrefix("\(task)-") }
            #expect(names == (0..<100).map { "\(task)-\($0)" })
        }
    }

    @Test func `a file gets whole lines, also after one that a kill cut short`() async throws {
        let workshop = try Workshop()
        let file = workshop.folder.appending(path: "inbox.ndjson")
        let client = try workshop.client(delivery: FileDelivery(file))
        try await client.speak("a")
        try await client.flush()
        let before = try String(contentsOf: file, encoding: .utf8)
        let torn = #"{"specversion":"1.0","id":"#
        try (before + torn).write(to: file, atomically: false, encoding: .utf8)
        try await client.speak("b")
        try await client.flush()
        let after = try String(contentsOf: file, encoding: .utf8)
        #expect(after.hasPrefix(before))
        #expect(try after.split(separator: "\n").map { try Line(String($0)).name } == ["a", "b"])
        // A file that was moved away is created again.
        try FileManager.default.removeItem(at: file)
        try await client.speak("c")
        try await client.flush()
        #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count == 1)
    }

    @Test func `a file that cannot be written keeps the events waiting`() async throws {
        let workshop = try Workshop()
        let missing = workshop.folder.appending(path: "missing/inbox.ndjson")
        let client = try workshop.client(delivery: FileDelivery(missing))
        try await client.speak("a")
        await #expect { try await client.flush() } throws: { ($0 as? OutboxError)?.code == .ioError }
        #expect(await client.status().pending == 1)
        try FileManager.default.createDirectory(
            at: missing.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try await client.flush()
        #expect(await client.status().pending == 0)
    }
}
