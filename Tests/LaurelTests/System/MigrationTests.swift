import LaurelEvents
import Testing

/// `Fixtures/format-1.db.zst`: 708 events of a simulated class, some with ids that count and some with UUIDs, and one
/// refused line, in a store of format 1.
@Suite struct MigrationTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let source = UnpackingSource(try FileSource(path: "/\(tests)/Fixtures/format-1.db.zst"))
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try chunk.withUnsafeMutableBufferPointer { try source.read(into: $0) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        store = try folder.write(bytes, to: "old.db")
    }

    @Test func `an old store is read as it is`() throws {
        #expect(try laurel("verify", "--store", store).status == 0)
        #expect(try laurel("replay", "--check", "--store", store).status == 0)
        #expect(try version() == 1)
    }

    @Test func `the first write brings it to the present format, and nothing changes`() throws {
        let events = try laurel("export", "--store", store).output
        #expect(events.split(separator: "\n").count == 708)
        let fingerprint = try laurel("fingerprint", "--store", store).output
        // Every identity is still known: those that count, and those that do not.
        let again = try laurel("ingest", "--json", "--store", store, input: folder.write(events, to: "events.ndjson"))
        #expect(again.output.contains(#""stored":0,"duplicates":708"#), "\(again.output)\(again.errors)")
        #expect(try version() == 2)
        #expect(try laurel("verify", "--store", store).status == 0)
        #expect(try laurel("replay", "--check", "--store", store).status == 0)
        #expect(try laurel("fingerprint", "--store", store).output == fingerprint)
        #expect(try laurel("quarantine", "export", "--store", store).output == "broken\n")
        let fresh = folder.file("fresh.db")
        try laurel("ingest", "--store", fresh, folder.file("events.ndjson"))
        #expect(try laurel("fingerprint", "--store", fresh).output == fingerprint)
    }

    @Test func `events after the move are told apart from those before`() throws {
        let events = try laurel("export", "--store", store).output.split(separator: "\n")
        try laurel("ingest", "--store", store, input: folder.write(String(events[0]), to: "one"))
        let changed = events.filter { $0.contains(#""type":"line.spoken""#) }.map {
            $0.replacing(#""type":"line.spoken""#, with: #""type":"line.skipped""#)
        }
        let file = try folder.write(changed.joined(separator: "\n"), to: "changed")
        let outcome = try laurel("ingest", "--json", "--store", store, input: file)
        #expect(
            outcome.output.contains(#""stored":0,"duplicates":0,"conflicts":\#(changed.count)"#),
            "\(outcome.output)"
        )
    }

    /// `user_version` in the file's header.
    private func version() throws -> UInt8 { try contents(store)[63] }
}
