// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelStore
import Synchronization
import Testing

/// Calls from tasks run on a bounded number of threads, and are cancelled when no task waits for them.
@Suite struct WorkPoolTests {
    @Test func `many questions and streams take few threads, and give back what they took`() async throws {
        // A separate process, because other tests' threads and memory would be counted here.
        await #expect(processExitsWith: .success) {
            do {
                try await Crowd().run()
            } catch {
                // An error thrown here would end the process without a message.
                Issue.record("\(error)")
                exit(EXIT_FAILURE)
            }
        }
    }

    /// Blocks the writing thread until it is released.
    private func block(_ engine: ProgressEngine) async -> (go: @Sendable () -> Void, task: Task<Void, any Error>) {
        let gate = DispatchSemaphore(value: 0)
        let hasBegun = Flag()
        let task = Task.detached {
            try await engine.write { _ in
                hasBegun.set()
                gate.wait()
            }
        }
        while !hasBegun.isSet { await Task.yield() }
        return ({ gate.signal() }, task)
    }

    private func event(_ id: String) -> Data { Data(line(id).utf8) }

    @Test func `a call that waits leaves the queue at once`() async throws {
        let engine = try Bench(.memory).engine
        let (go, blocker) = await block(engine)
        let event = event("1")
        let waiting = (0..<50).map { _ in Task { try await engine.write { try $0.ingest(cloudEvents: event) } } }
        for task in waiting { task.cancel() }
        for task in waiting {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        let last = Task { try await engine.write { try $0.ingest(cloudEvents: event) } }
        go()
        try await blocker.value
        // None of the others ran.
        #expect(try await last.value.stored == 1)
    }

    @Test func `one that is cancelled before it begins never does`() async throws {
        let engine = try Bench(.memory).engine
        let event = event("1")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await engine.write { try $0.ingest(cloudEvents: event) }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try engine.learnerIDs() == [])
    }

    @Test func `a replay that is cancelled ends, and changes nothing`() async throws {
        let bench = try Bench(.sqlite)
        try bench.ingest(simulated(learners: 40, days: 30, seed: 3))
        let engine = bench.engine
        let fingerprint = try bench.soundFingerprint()
        let hasBegun = Flag()
        let gate = DispatchSemaphore(value: 0)
        let task = Task {
            try await engine.write {
                try $0.replay { _ in
                    // After the first of many shares.
                    guard !hasBegun.isSet else { return }
                    hasBegun.set()
                    gate.wait()
                }
            }
        }
        while !hasBegun.isSet { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        gate.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try bench.soundFingerprint() == fingerprint)
    }

    @Test func `an ingest that is cancelled stores nothing more`() async throws {
        let bench = try Bench(.sqlite)
        try bench.ingest([line("first")])
        let lines = simulated(learners: 60, days: 60, seed: 4)
        let bytes = Data(lines.joined(separator: "\n").utf8)
        let engine = bench.engine
        let task = Task {
            try await engine.write { try $0.ingest(cloudEvents: bytes, now: Date(timeIntervalSince1970: 2e9)) }
        }
        try await Task.sleep(for: .milliseconds(5))
        task.cancel()
        _ = try? await task.value
        let stored = try bench.export().count
        #expect(stored == 1 || stored == lines.count + 1)
        _ = try bench.soundFingerprint()
    }

    @Test func `errors come as they are`() async throws {
        let folder = try TemporaryFolder()
        let missing = URL(filePath: folder.file("missing.db"))
        await #expect { try await ProgressEngine.open(missing, for: .reading) } throws: {
            ($0 as? EngineError)?.code == .notFound
        }
    }
}

/// A flag that one task sets, and another reads.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set() { value.store(true, ordering: .releasing) }
}

private final class Tally: Sendable {
    /// The number of streams with a first state.
    let streams = Atomic(0)
    /// The largest number of threads.
    let threads = Mutex(0)
}

/// 1,000 questions and 100 streams at once.
private struct Crowd {
    private static let learners = 20

    private struct Failure: Error { let what: String }

    /// The memory in KiB.
    private func memory() throws -> Int {
        let text = String(decoding: try contents("/proc/self/status"), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// The numbers of all threads of the process, and of the engine's.
    private func threads() throws -> (all: Int, own: Int) {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        // A thread that has ended meanwhile has no name.
        let names = tasks.compactMap { FileManager.default.contents(atPath: "/proc/self/task/\($0)/comm") }
        return (tasks.count, names.count { $0.starts(with: Data("laurel ".utf8)) })
    }

    private func openFiles(_ folder: TemporaryFolder) throws -> [String] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap { try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .filter { $0.hasPrefix(folder.path) }
    }

    func run() async throws {
        let folder = try TemporaryFolder()
        let engine = try await ProgressEngine.open(URL(filePath: folder.file("laurel.db")))
        let events = Data(simulated(learners: Self.learners, days: 60, seed: 1).joined(separator: "\n").utf8)
        try await engine.write { try $0.ingest(cloudEvents: events, now: Date(timeIntervalSince1970: 2e9)) }
        let names = try engine.learnerIDs()
        // Loads what is loaded once and kept.
        _ = try await engine.read { try $0.learner(names[0]).vocabulary() }
        let before = try memory()
        let most = try await crowd(engine, names)
        // The threads for questions, a writer, an opener and a watcher.
        let fewThreads = max(2, Threads.processors) + 3
        guard most <= fewThreads else { throw Failure(what: "\(most) threads") }
        // SQLite keeps the file of a closed connection for the next one while another is open. So there are as many
        // files as there were connections at once: one for each thread and two for the store. The two that stay open
        // also have their logs and the shared memory.
        let fewFiles = fewThreads + 2 + 3
        for round in 0... {
            let (threads, memory, files) = (try threads(), try memory(), try openFiles(folder))
            if threads.own == 0, threads.all < 40, memory < before + 64 << 10, files.count <= fewFiles { break }
            guard round < 200 else {
                throw Failure(what: "\(threads) threads, \(before) KiB became \(memory), open files: \(files)")
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        exit(EXIT_SUCCESS)
    }

    /// - Returns: the largest number of threads.
    private func crowd(_ engine: ProgressEngine, _ names: [String]) async throws -> Int {
        let tally = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                let name = names[number % names.count]
                group.addTask {
                    var states = 0
                    for try await progress in engine.changes(of: name) {
                        guard progress != nil else { throw Failure(what: "no progress") }
                        states += 1
                        if states == 1 { tally.streams.add(1, ordering: .relaxed) }
                        if states == 2 { return }
                    }
                }
            }
            for number in 0..<1000 {
                let learner = engine.learner(names[number % names.count])
                group.addTask {
                    let found = try await engine.read { _ in
                        number % 2 == 0 ? try learner.progress() != nil : try !learner.words().isEmpty
                    }
                    guard found else { throw Failure(what: "no answer") }
                    let threads = try self.threads().own
                    tally.threads.withLock { $0 = max($0, threads) }
                }
            }
            // When all streams have their first state, all learners are touched.
            group.addTask {
                while tally.streams.load(ordering: .relaxed) < 100 { try await Task.sleep(for: .milliseconds(5)) }
                let lines = names.map { line("last", at: "2026-06-01T00:00:00Z", by: $0) }
                let data = Data(lines.joined(separator: "\n").utf8)
                try await engine.write { try $0.ingest(cloudEvents: data, now: Date(timeIntervalSince1970: 2e9)) }
            }
            try await group.waitForAll()
        }
        return tally.threads.withLock { $0 }
    }
}
