// SPDX-License-Identifier: Apache-2.0

import Glibc
import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import Testing

/// Several processes over one store.
@Suite struct WriterTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("laurel.db")
    }

    @Test func `two ingests at once both succeed`() throws {
        let lines = simulated(learners: 30, days: 25, seed: 62)
        let halves = [lines.prefix(lines.count / 2), lines.suffix(lines.count - lines.count / 2)]
        let files = try halves.enumerated().map { try folder.write($1.joined(separator: "\n"), to: "half\($0)") }
        let ingests = try files.map { try Program(laurel: ["ingest", "--store", store, $0]) }
        for ingest in ingests {
            let outcome = try ingest.wait()
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let together = try Bench(.sqlite)
        try together.ingest(lines)
        let fingerprint = try laurel("fingerprint", "--store", store).output
        #expect(try fingerprint == together.engine.fingerprint() + "\n")
        #expect(try laurel("replay", "--check", "--store", store).status == 0)
        #expect(try laurel("verify", "--store", store).status == 0)
    }

    /// The first process holds the lock, because its input, a plain file to the command, does not continue.
    @Test func `a writer that waits in vain names the holder`() throws {
        try laurel("ingest", "--store", store, input: folder.write(line("a"), to: "first"))
        let holder = try Holder(store)
        defer { holder.release() }
        let outcome = try laurel("ingest", "--store", store, input: folder.write(line("b"), to: "second"))
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("is being written by process \(holder.process)"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("Fatal"))
        // A reader does not wait.
        let read = try laurel("progress", "ana", "--json", "--store", store)
        #expect(read.status == 0)
        #expect(read.output.contains(#""events":1"#) || read.output.contains(#""events": 1"#), "\(read.output)")
        #expect(try laurel("verify", "--store", store).status == 0)
    }

    /// Batches of ten events of one learner. No reader ever sees part of a batch.
    @Test func `readers see whole batches`() throws {
        try laurel("ingest", "--store", store, input: folder.write("", to: "nothing"))
        let fifo = folder.file("fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        let ingest = try Program(laurel: ["ingest", "--store", store, fifo])
        let descriptor = open(fifo, O_WRONLY | O_CLOEXEC)
        let reader = try ProgressEngine.openForReading(store, rules: nil)
        var seen: Set<Int> = []
        func look() throws {
            let at = try Timestamp("2027-01-01T00:00:00Z")
            let progress = try reader.progress(of: "ana", language: nil, at: at)
            let events = try reader.statistics().events
            #expect(events % 10 == 0)
            #expect((progress?.numbers.counts.events ?? 0) % 10 == 0)
            #expect(try reader.check().differences.allSatisfy { $0.contains("other rules") })
            seen.insert(events)
        }
        for batch in 0..<8 {
            let lines = (0..<10).map { line("e\(batch)-\($0)") + "\n" }.joined()
            #expect(write(descriptor, lines, lines.utf8.count) == lines.utf8.count)
            let events = (batch + 1) * 10
            #expect(
                try becomesTrue {
                    try look()
                    return seen.contains(events)
                }
            )
        }
        close(descriptor)
        #expect(try ingest.wait().status == 0)
        try look()
        #expect(seen.isSuperset(of: stride(from: 10, through: 80, by: 10)))
    }

    /// Another process with the write lock, stopped in the middle of a transaction.
    private struct Holder {
        let program: Program
        private let folder: TemporaryFolder
        private let descriptor: Int32
        var process: pid_t { program.process }

        /// Starts the process, and stops it in a transaction.
        init(_ store: String) throws {
            folder = try TemporaryFolder()
            let fifo = folder.file("fifo")
            try #require(mkfifo(fifo, 0o600) == 0)
            program = try Program(laurel: ["ingest", "--store", store, fifo])
            descriptor = open(fifo, O_WRONLY | O_CLOEXEC)
            let lockFile = store + "-lock"
            let text = line("h1") + "\n"
            func isHeld() throws -> Bool {
                try String(decoding: contents(lockFile), as: UTF8.self).contains("process \(process) ")
            }
            // While lines keep coming, the transaction continues, and does not block readers. On a busy machine lines
            // may come too slowly; then it tries again.
            let isStopped = try becomesTrue {
                write(descriptor, text, text.utf8.count)
                guard try isHeld() else { return false }
                for _ in 0..<5 {
                    write(descriptor, text, text.utf8.count)
                    sleep(milliseconds: 2)
                }
                kill(program.process, SIGSTOP)
                sleep(milliseconds: 2)
                if try isHeld() { return true }
                kill(program.process, SIGCONT)
                return false
            }
            try #require(isStopped, "the lock was never held")
        }

        func release() {
            close(descriptor)
            kill(program.process, SIGCONT)
            _ = try? program.wait()
        }
    }
}
