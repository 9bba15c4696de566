import Foundation
import Laurel
import LaurelClient
import LaurelEvents
import LaurelStore
import Testing

/// A process that records and delivers is killed, again and again, at random moments.
@Suite struct KillTests {
    @Test func `killed 200 times, every acknowledged event arrives exactly once`() async throws {
        let workshop = try Workshop()
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var killed = 0
        for round in 0..<200 {
            // Every other one at work, however long it takes to begin on a busy machine.
            let isAtWork = round.isMultiple(of: 2)
            let seconds = Double.random(in: 0...(isAtWork ? 0.005 : 0.05), using: &random)
            if try kill(workshop, round, after: seconds, ofWork: isAtWork) { killed += 1 }
        }
        #expect(killed == 200, "seed \(seed): some ended by themselves")

        let inbox = workshop.folder.appending(path: "delivered")
        let client = try workshop.client(delivery: FileDelivery(inbox))
        try await client.flush()
        await client.close()
        let stored = try store(inbox)
        let acknowledged = try acknowledged(workshop)
        #expect(acknowledged.count >= 100, "seed \(seed): hardly anything was acknowledged")
        #expect(Set(acknowledged.map(\.identity)).count == acknowledged.count, "seed \(seed): an id came twice")
        for event in acknowledged where stored[event.identity] != event.name {
            Issue.record("seed \(seed): \(event.identity) \(event.name) is \(stored[event.identity] ?? "lost")")
        }
    }

    /// - Parameter isAtWork: whether the time counts from the first event that is acknowledged.
    /// - Returns: whether it was running until then.
    private func kill(
        _ workshop: Workshop,
        _ round: Int,
        after seconds: Double,
        ofWork isAtWork: Bool
    ) throws -> Bool {
        let size = acknowledgedSize(workshop)
        let writer = Process()
        writer.executableURL = KillTests.executable
        writer.arguments = [
            workshop.outbox.path, workshop.folder.appending(path: "acknowledged").path,
            workshop.folder.appending(path: "delivered").path, String(round),
        ]
        try writer.run()
        while isAtWork, writer.isRunning, acknowledgedSize(workshop) == size { Thread.sleep(forTimeInterval: 0.001) }
        Thread.sleep(forTimeInterval: seconds)
        Foundation.kill(writer.processIdentifier, SIGKILL)
        writer.waitUntilExit()
        return writer.terminationReason == .uncaughtSignal && writer.terminationStatus == SIGKILL
    }

    private func acknowledgedSize(_ workshop: Workshop) -> Int {
        let file = workshop.folder.appending(path: "acknowledged")
        return (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
    }

    private func acknowledged(_ workshop: Workshop) throws -> [(identity: String, name: String)] {
        let file = workshop.folder.appending(path: "acknowledged")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            let parts = line.split(separator: " ")
            return ("\(parts[0]) \(parts[1])", String(parts[2]))
        }
    }

    /// Feeds the file to a store twice, and gives what is then in it: source and id → line.
    private func store(_ file: URL) throws -> [String: String] {
        let engine = try ProgressEngine(store: MemoryStore(), rules: nil, clock: 0)
        let clock = Int64(Date().timeIntervalSince1970 * 1000)
        let bytes = try Data(contentsOf: file)
        let first = try ingest(file, bytes.count, engine, clock)
        #expect(first.refused == 0 && first.conflicts == 0, "\(first.problems)")
        let second = try ingest(file, bytes.count, engine, clock)
        #expect(second.stored == 0 && second.refused == 0 && second.conflicts == 0)
        var exported: [UInt8] = []
        _ = try engine.export(subject: nil) { exported += $0 }
        var stored: [String: String] = [:]
        for json in String(decoding: exported, as: UTF8.self).split(separator: "\n") {
            let line = try Line(String(json))
            #expect(stored.updateValue(line.name, forKey: "\(line.source) \(line.id)") == nil)
        }
        #expect(stored.count == first.stored)
        return stored
    }

    private func ingest(_ file: URL, _ size: Int, _ engine: ProgressEngine, _ now: Int64) throws -> IngestReport {
        let handle = try FileHandle(forReadingFrom: file)
        let source = IngestSource(name: file.lastPathComponent, descriptor: handle.fileDescriptor, size: Int64(size))
        return try engine.ingest([source], options: IngestOptions(now: now))
    }

    /// Beside the test bundle.
    private static let executable = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "OutboxWriter")
}
