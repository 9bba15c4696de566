// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelClient
import Synchronization
import Testing

@Suite struct FullDiskTests {
    private static let mayMount = geteuid() == 0 && shell("unshare -m true 2> /dev/null") == 0

    private static func shell(_ command: String) -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        guard (try? process.run()) != nil else { return -1 }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// An event that the disk did not take is not acknowledged, and earlier ones stay. When there is room again,
    /// everything continues.
    @Test(.enabled(if: mayMount, "only root may mount a small disk"))
    func `a full disk loses nothing that was acknowledged`() async throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(at: workshop.outbox, withIntermediateDirectories: true)
        let disk = workshop.outbox.path
        try #require(Self.shell("mount -t tmpfs -o size=128k tmpfs '\(disk)'") == 0)
        defer { _ = Self.shell("umount -l '\(disk)'") }

        var client: LaurelClient? = try workshop.client()
        var acknowledged: [EventIdentity] = []
        var failure: OutboxError?
        for _ in 0..<100 where failure == nil {
            do {
                acknowledged.append(try await client!.speak(String(repeating: "x", count: 3000)))
            } catch let error as OutboxError {
                failure = error
            }
        }
        #expect(failure?.code == .diskFull, "\(failure.map(\.message) ?? "all was taken")")
        #expect(acknowledged.count > 10)
        await #expect(throws: OutboxError.self) { try await client!.speak(String(repeating: "y", count: 3000)) }

        try #require(Self.shell("mount -o remount,size=8m '\(disk)'") == 0)
        for name in ["a", "b"] { acknowledged.append(try await client!.speak(name)) }
        client = nil
        let again = try workshop.client()
        acknowledged.append(try await again.speak("c"))
        try await again.flush()
        let delivered = try workshop.delivered.withLock { try $0.map { try Line($0).id } }
        #expect(Set(delivered).count == delivered.count)
        #expect(Set(acknowledged.map(\.id)).isSubset(of: delivered))
        #expect(Set(acknowledged.map(\.id)).count == acknowledged.count)
        // At most the two events whose recording failed may be there as well.
        #expect(delivered.count <= acknowledged.count + 2)
        await again.close()
    }

    /// Delivery frees the room that recording needs.
    @Test(.enabled(if: mayMount, "only root may mount a small disk"))
    func `a full disk can be delivered from`() async throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(at: workshop.outbox, withIntermediateDirectories: true)
        let disk = workshop.outbox.path
        try #require(Self.shell("mount -t tmpfs -o size=128k tmpfs '\(disk)'") == 0)
        defer { _ = Self.shell("umount -l '\(disk)'") }
        let client = try workshop.client()
        var count = 0
        while (try? await client.speak(String(repeating: "x", count: 3000))) != nil { count += 1 }
        try await client.flush()
        #expect(try workshop.lines().count >= count)
        try await client.speak("next")
        try await client.flush()
        #expect(try workshop.lines().last == "next")
        await client.close()
    }
}
