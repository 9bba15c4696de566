// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelClient
import Testing

@Suite struct LimitTests {
    @Test func `a full outbox refuses, and takes again after a delivery`() async throws {
        let workshop = try Workshop()
        let client = try workshop.client { $0.limits = OutboxLimits(events: 3) }
        for name in ["a", "b", "c"] { try await client.speak(name) }
        await #expect { try await client.speak("d") } throws: { ($0 as? OutboxError)?.code == .full }
        // All events of a call are recorded, or none.
        try await client.flush()
        let four = (0..<4).map { LearningEvent.lineSpoken(line: "\($0)") }
        await #expect { try await client.record(four, in: Workshop.context) } throws: {
            ($0 as? OutboxError)?.code == .full
        }
        #expect(await client.status().pending == 0)
        try await client.speak("e")
        try await client.flush()
        #expect(try workshop.lines() == ["a", "b", "c", "e"])
    }

    @Test func `bytes count as well`() async throws {
        let workshop = try Workshop()
        let client = try workshop.client { $0.limits = OutboxLimits(bytes: 2000) }
        try await client.speak(String(repeating: "x", count: 1500))
        await #expect { try await client.speak(String(repeating: "y", count: 400)) } throws: {
            ($0 as? OutboxError)?.code == .full
        }
        #expect(await client.status().pendingBytes < 2000)
    }

    @Test func `or the oldest give way, and stay away after a restart`() async throws {
        let workshop = try Workshop()
        let limits = OutboxLimits(events: 3, whenFull: .dropOldest)
        var client: LaurelClient? = try workshop.client { $0.limits = limits }
        for index in 0..<10 { try await client!.speak("\(index)") }
        let status = await client!.status()
        #expect(status.pending == 3)
        #expect(status.dropped == 7)
        let tooMany = (0..<4).map { LearningEvent.lineSpoken(line: "\($0)") }
        await #expect { try await client!.record(tooMany, in: Workshop.context) } throws: {
            ($0 as? OutboxError)?.code == .full
        }
        client = nil
        let again = try workshop.client { $0.limits = limits }
        try await again.flush()
        #expect(try workshop.lines() == ["7", "8", "9"])
    }

    @Test func `what is being sent does not give way`() async throws {
        let workshop = try Workshop()
        let gate = Gate()
        let delivery = ClosureDelivery { batch in
            await gate.pass()
            return workshop.take(batch)
        }
        let client = try workshop.client(delivery: delivery) {
            $0.limits = OutboxLimits(events: 4, whenFull: .dropOldest)
            $0.batchEvents = 2
        }
        for name in ["a", "b", "c", "d"] { try await client.speak(name) }
        let flush = Task { try await client.flush() }
        await gate.waitForVisitor()
        for name in ["e", "f", "g"] { try await client.speak(name) }
        #expect(await client.status().dropped == 3)
        await gate.open()
        try await flush.value
        try await client.flush()
        #expect(try workshop.lines() == ["a", "b", "f", "g"])
    }

    /// Segments after one that must stay are compacted.
    @Test func `the files stay small while a delivery hangs`() async throws {
        let workshop = try Workshop()
        let gate = Gate()
        let delivery = ClosureDelivery { batch in
            await gate.pass()
            return workshop.take(batch)
        }
        let client = try workshop.client(delivery: delivery) {
            $0.limits = OutboxLimits(bytes: 500_000, whenFull: .dropOldest)
            $0.batchEvents = 1
        }
        try await client.speak("first")
        let flush = Task { try await client.flush() }
        await gate.waitForVisitor()
        let text = String(repeating: "x", count: 50_000)
        for index in 0..<200 {
            try await client.record(.lineSpoken(line: "\(index)", text: text), in: Workshop.context)
        }
        let size = try workshop.files().values.reduce(0) { $0 + $1.count }
        #expect(size < 3_000_000, "10 MB were recorded")
        await gate.open()
        try await flush.value
        await client.close()
        let again = try workshop.client()
        try await again.flush()
        let lines = try workshop.lines()
        #expect(lines.first == "first")
        #expect(lines.dropFirst().elementsEqual((200 - (lines.count - 1)..<200).map(String.init)))
    }
}

/// A gate that blocks callers until it is opened.
actor Gate {
    private var isOpen = false
    private var inside: [CheckedContinuation<Void, Never>] = []
    private var watching: [CheckedContinuation<Void, Never>] = []
    private var hasVisitor = false

    func pass() async {
        hasVisitor = true
        watching.forEach { $0.resume() }
        watching = []
        if !isOpen { await withCheckedContinuation { inside.append($0) } }
    }

    func waitForVisitor() async {
        if !hasVisitor { await withCheckedContinuation { watching.append($0) } }
    }

    func open() {
        isOpen = true
        inside.forEach { $0.resume() }
        inside = []
    }
}
