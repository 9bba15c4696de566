import Glibc
import LaurelEvents
import Testing

/// The command is killed at random moments of an ingest; what it leaves behind is a whole store.
@Suite(.serialized) struct KillTests {
    private static let seed: UInt64 = 20_260_205
    private static let lines = simulated(learners: 40, days: 40, seed: 61)

    /// One FIFO or file as the input of an ingest.
    private enum Feed: String, CaseIterable {
        /// All in one transaction.
        case file
        /// In bursts, each of which is made durable by itself.
        case bursts
    }

    @Test func `killed at 25 moments, completed after each five`() throws {
        let folder = try TemporaryFolder()
        let whole = folder.file("whole.db")
        let input = try folder.write(KillTests.lines.joined(separator: "\n") + "\n", to: "events.ndjson")
        let start = ContinuousClock.now
        try #require(try laurel("ingest", "--store", whole, input).status == 0)
        let duration = start.duration(to: .now).milliseconds
        let fingerprint = try laurel("fingerprint", "--store", whole).output
        try #require(fingerprint.count == 65)
        try #require(system("split -n l/20 '\(input)' '\(folder.path)/burst-'") == 0)

        var random = SeededGenerator(seed: KillTests.seed)
        var killed = 0
        for round in 0..<5 {
            let store = folder.file("round\(round).db")
            var longest = duration
            for index in 0..<5 {
                let moment = Int.random(in: 0...longest, using: &random)
                let feed = Feed.allCases[(round + index) % 2]
                let place: Comment = "seed \(KillTests.seed), round \(round), \(feed), killed after \(moment) ms"
                if try kill(feed, input, store, after: moment, folder) {
                    killed += 1
                } else {
                    // The machine was busier when the time was taken, or less is left to do.
                    longest = moment
                }
                guard access(store, F_OK) == 0 else { continue }
                try expectWhole(store, place)
            }
            let completed = try laurel("ingest", "--store", store, "--json", input)
            #expect(completed.status == 0, "\(completed.errors)")
            #expect(completed.output.contains("\"refused\":0") && completed.output.contains("\"conflicts\":0"))
            try expectWhole(store, "round \(round), completed")
            #expect(try laurel("fingerprint", "--store", store).output == fingerprint)
        }
        #expect(killed >= 15, "most ingests were over before they were killed")
    }

    /// - Returns: whether it was still running.
    private func kill(
        _ feed: Feed,
        _ input: String,
        _ store: String,
        after milliseconds: Int,
        _ folder: TemporaryFolder
    ) throws -> Bool {
        switch feed {
        case .file:
            let ingest = try Program(laurel: ["ingest", "--store", store, input])
            sleep(milliseconds: milliseconds)
            ingest.kill()
            return try ingest.wait().status == 128 + SIGKILL
        case .bursts:
            // Pauses long enough that each burst is committed.
            let script = "for part in '\(folder.path)'/burst-*; do cat \"$part\"; sleep 0.1; done"
            let fifo = folder.file("fifo")
            unlink(fifo)
            try #require(mkfifo(fifo, 0o600) == 0)
            let writer = try Program(["sh", "-c", "exec > '\(fifo)' 2> /dev/null; \(script)"])
            let ingest = try Program(laurel: ["ingest", "--store", store, fifo])
            sleep(milliseconds: milliseconds + milliseconds / 2)
            ingest.kill()
            let outcome = try ingest.wait()
            writer.kill()
            _ = try writer.wait()
            return outcome.status == 128 + SIGKILL
        }
    }

    private func expectWhole(_ store: String, _ place: Comment) throws {
        let verified = try laurel("verify", "--store", store)
        // A store that was killed as it was made has nothing in it yet.
        #expect(verified.status == 0, "\(place): \(verified.output) \(verified.errors)")
        let checked = try laurel("replay", "--check", "--store", store)
        let isEmpty = verified.output.hasPrefix("ok: 0 events")
        #expect(checked.status == 0 || isEmpty, "\(place): \(checked.output) \(checked.errors)")
    }
}

extension Duration {
    fileprivate var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
