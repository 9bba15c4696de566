// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelClient
import Synchronization
import Testing

@Suite struct OutboxTests {
    @Test func `what was recorded is delivered after a restart, in order, once`() async throws {
        let workshop = try Workshop()
        var client: LaurelClient? = try workshop.client()
        for name in ["a", "b", "c"] { try await client!.speak(name) }
        #expect(try workshop.lines() == [])
        client = nil
        let again = try workshop.client()
        #expect(await again.status().pending == 3)
        try await again.flush()
        #expect(try workshop.lines() == ["a", "b", "c"])
        #expect(await again.status().pending == 0)
        await again.close()
        try await workshop.client().flush()
        #expect(try workshop.lines().count == 3)
    }

    @Test func `ids count up, without gaps where the client was closed, and never repeat where it was not`()
        async throws
    {
        let workshop = try Workshop()
        var ids: [Int] = []
        for isClosed in [true, true, false, false, true] {
            let client = try workshop.client()
            for name in ["a", "b"] { ids.append(Int(try await client.speak(name).id)!) }
            try await client.flush()
            if isClosed { await client.close() }
        }
        #expect(ids[0..<6] == [1, 2, 3, 4, 5, 6])
        #expect(ids == ids.sorted() && Set(ids).count == ids.count, "\(ids)")
    }

    @Test func `a new installation is a new source, and starts at 1`() async throws {
        let workshop = try Workshop()
        let first = try await workshop.client().speak("a")
        let same = try await workshop.client().speak("b")
        #expect(first.source == same.source && first.source.hasPrefix("app/"))
        try FileManager.default.removeItem(at: workshop.outbox)
        let new = try await workshop.client().speak("c")
        #expect(new.source != first.source)
        #expect(new.id == "1")
    }

    @Test func `one client at a time`() async throws {
        let workshop = try Workshop()
        let client = try workshop.client()
        let error = #expect(throws: OutboxError.self) { try workshop.client() }
        #expect(error?.code == .inUse)
        await client.close()
        let next = try workshop.client()
        await #expect { try await client.speak("a") } throws: { ($0 as? OutboxError)?.code == .closed }
        await #expect { try await client.flush() } throws: { ($0 as? OutboxError)?.code == .closed }
        try await next.speak("b")
    }

    /// Every event acknowledged before the cut is still there, and no id is reused.
    @Test func `cut at every byte`() async throws {
        let workshop = try Workshop()
        var client: LaurelClient? = try workshop.client()
        var sizes: [Int] = []
        for index in 0..<8 {
            try await client!.speak("\(index)")
            sizes.append(try #require(try workshop.files().first { $0.key.hasPrefix("outbox-") }).value.count)
        }
        client = nil
        let files = try workshop.files()
        let (name, whole) = try #require(files.first { $0.key.hasPrefix("outbox-") })
        #expect(whole.count == sizes.last)
        for cut in 0...whole.count {
            try workshop.restore(files.merging([name: whole.prefix(cut)]) { $1 })
            workshop.delivered.withLock { $0 = [] }
            let client = try workshop.client()
            let next = try await client.speak("next")
            try await client.flush()
            let kept = (0..<8).filter { sizes[$0] <= cut }.map(String.init)
            #expect(try workshop.lines() == kept + ["next"], "cut at \(cut)")
            #expect(Int(next.id)! > 8, "cut at \(cut)")
        }
    }

    /// The identity is lost. Waiting events keep their source, and new ones cannot collide with them.
    @Test func `the device file cut at every byte`() async throws {
        let workshop = try Workshop()
        var client: LaurelClient? = try workshop.client()
        let first = try await client!.speak("a")
        client = nil
        let files = try workshop.files()
        let device = try #require(files["device"])
        for cut in 0..<device.count {
            try workshop.restore(files.merging(["device": device.prefix(cut)]) { $1 })
            workshop.delivered.withLock { $0 = [] }
            let client = try workshop.client()
            let next = try await client.speak("b")
            try await client.flush()
            #expect(try workshop.lines() == ["a", "b"], "cut at \(cut)")
            #expect(next.source != first.source || Int(next.id)! > Int(first.id)!, "cut at \(cut)")
        }
    }

    @Test func `a damaged record costs itself only`() async throws {
        let workshop = try Workshop()
        var client: LaurelClient? = try workshop.client()
        for index in 0..<5 { try await client!.speak("\(index)") }
        client = nil
        let files = try workshop.files()
        let (name, whole) = try #require(files.first { $0.key.hasPrefix("outbox-") })
        var random = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            var damaged = whole
            let place = Int.random(in: 12..<whole.count, using: &random)
            damaged[place] ^= UInt8.random(in: 1...255, using: &random)
            try workshop.restore(files.merging([name: damaged]) { $1 })
            workshop.delivered.withLock { $0 = [] }
            let client = try workshop.client()
            try await client.flush()
            let lines = try workshop.lines()
            #expect(lines.count == 4 && Set(lines).count == 4, "seed 11, damaged at \(place)")
        }
    }

    @Test func `an outbox of a later version is left alone`() async throws {
        let workshop = try Workshop()
        var client: LaurelClient? = try workshop.client()
        try await client!.speak("a")
        client = nil
        var files = try workshop.files()
        let name = try #require(files.keys.first { $0.hasPrefix("outbox-") })
        files[name]![8] = 9
        try workshop.restore(files)
        let error = #expect(throws: OutboxError.self) { try workshop.client() }
        #expect(error?.code == .newerFormat)
        #expect(try workshop.files()[name] == files[name])
    }
}
