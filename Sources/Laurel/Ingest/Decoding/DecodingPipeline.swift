// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LaurelEvents
import LaurelStore
import LaurelSystem
import Synchronization

/// Something to ingest, to be opened by whoever reads it.
struct IngestInput: Sendable {
    /// For messages.
    var name: String
    /// In bytes, where known.
    var size: Int64?
    /// Open for reading, where the input may keep one waiting.
    var pipe: Int32?
    /// Where it lies, where it is a file.
    var path: String?
    var open: @Sendable () -> any ByteSource

    init(_ source: IngestSource) {
        name = source.name
        size = source.size
        path = source.path
        pipe = source.size == nil ? source.descriptor : nil
        open = { FileSource(descriptor: source.descriptor, name: source.name) }
    }

    init(_ bytes: [UInt8], name: String) {
        self.name = name
        size = Int64(bytes.count)
        open = { MemorySource(bytes, name: name) }
    }

    /// Returns once a pipe has something to read, or has ended.
    func waitUntilReadable() {
        if let pipe { _ = IngestInput.poll(pipe, milliseconds: -1) }
    }

    /// Whether a pipe has something to read, or has ended, within so many milliseconds; −1 waits for ever.
    static func poll(_ pipe: Int32, milliseconds: Int32) -> Bool {
        var request = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        return LaurelSystem.poll(&request, 1, milliseconds) != 0
    }
}

/// Reads and decodes an input ahead of whoever stores its events, on all cores, and gives the chunks back in order.
///
/// Reading is one thread's at a time; decoding is not. An input that fits into one chunk is decoded by the caller: a
/// thread would cost more than it saves.
final class DecodingPipeline: Sendable {
    enum Next {
        case chunk(DecodedInput)
        case end
        /// Nothing has come in the time given; only where the input is a pipe.
        case nothingYet
    }

    private struct State {
        /// Numbers chunks in the order in which they were read.
        var read = 0
        var delivered = 0
        var finished: [Int: Result<DecodedInput?, InputError>] = [:]
    }

    let name: String
    private let clock: Int64
    private let known: KnownNames?
    private let isStrict: Bool
    private let reader: Mutex<InputReader>
    private let state = Mutex(State())
    private let isStopped = Atomic(false)
    private let ready = DispatchSemaphore(value: 0)
    /// Bounds the chunks that are read but not taken. Begins at 0: a semaphore must not end below where it began.
    private let room = DispatchSemaphore(value: 0)
    /// Open for reading, where the input may keep one waiting.
    private let pipe: Int32?
    private let threads: Mutex<Threads>

    private static let chunkBytes = 4 << 20
    private static let leastChunkBytes = 1 << 12
    /// A longer input is worth threads, and is cut up for all of them.
    private static let smallBytes = 1 << 20
    /// Pipes are looked at so often whether they, or the one who asked, have gone on.
    private static let pause: Int32 = 50

    /// - Parameter known: The names that are known; nil if that does not matter.
    init(_ input: IngestInput, _ options: IngestOptions, known: KnownNames?) {
        name = input.name
        pipe = input.pipe
        clock = options.clock
        self.known = known
        isStrict = options.isStrict
        // Packed inputs are longer than they look, but for that there are further chunks.
        let size = Int(clamping: input.size ?? .max)
        let isSmall = size <= DecodingPipeline.smallBytes
        let part = isSmall ? max(size, DecodingPipeline.leastChunkBytes) : max(size / 8, DecodingPipeline.smallBytes)
        let chunk = min(part, DecodingPipeline.chunkBytes)
        reader = Mutex(InputReader(input.open(), chunk: chunk))
        let workers = isSmall ? 0 : Threads.processors
        threads = Mutex(Threads())
        for _ in 0..<workers + 2 { room.signal() }
        for _ in 0..<workers { threads.withLock { $0.start { self.work() } } }
    }

    /// The next chunk.
    /// - Parameters:
    ///   - waits: Whether to wait however long a pipe pauses.
    ///   - decoder: The caller's, for what it decodes itself. Made if there is none.
    /// - Throws: What broke reading off, after the chunks before it.
    func next(waits: Bool, _ decoder: inout EventDecoder?) throws(InputError) -> Next {
        let hasThreads = threads.withLock { !$0.isEmpty }
        while true {
            if let result = takeNext() {
                room.signal()
                return try result.get().map(Next.chunk) ?? .end
            }
            if !hasThreads {
                guard step(&decoder) else { return .end }
            } else if pipe == nil || waits {
                ready.wait()
            } else if ready.wait(timeout: .now() + .milliseconds(Int(DecodingPipeline.pause))) == .timedOut {
                return .nothingYet
            }
        }
    }

    /// To be called when no more is wanted.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        for _ in 0..<Threads.processors { room.signal() }
        var threads = threads.withLock { threads in
            defer { threads = Threads() }
            return threads
        }
        threads.join()
    }

    private func takeNext() -> Result<DecodedInput?, InputError>? {
        state.withLock { state in
            guard let result = state.finished.removeValue(forKey: state.delivered) else { return nil }
            // The end, or what broke reading off, is there for whoever asks again.
            if case .success(_?) = result { state.delivered += 1 } else { state.finished[state.delivered] = result }
            return result
        }
    }

    private func work() {
        var decoder: EventDecoder?
        repeat { room.wait() } while step(&decoder)
    }

    /// Reads and decodes the next chunk; false if there is none any more.
    /// - Parameter decoder: Made with the first chunk.
    private func step(_ decoder: inout EventDecoder?) -> Bool {
        guard let (number, result) = read() else { return false }
        let decoded = result.map { read in
            read.map { read in
                var own = decoder.take() ?? EventDecoder()
                defer { decoder = own }
                own.strictNames = isStrict ? known : nil
                return DecodedInput(
                    read.batch,
                    consumedBytes: read.consumed,
                    decoder: &own,
                    clock: clock,
                    known: known
                )
            }
        }
        state.withLock { $0.finished[number] = decoded }
        ready.signal()
        return true
    }

    private typealias ReadResult = Result<(batch: InputBatch, consumed: Int64)?, InputError>

    /// Reads the next chunk, with its number; nil if there is none any more.
    private func read() -> (Int, ReadResult)? {
        reader.withLock { reader in
            guard waitForPipe(), !isStopped.load(ordering: .relaxed) else { return nil }
            let number = state.withLock { state in
                state.read += 1
                return state.read - 1
            }
            var batch = InputBatch()
            do throws(InputError) {
                if try reader.next(&batch) {
                    batch.trim()
                    return (number, .success((batch, reader.consumedBytes)))
                }
                isStopped.store(true, ordering: .relaxed)
                return (number, .success(nil))
            } catch {
                isStopped.store(true, ordering: .relaxed)
                return (number, .failure(error))
            }
        }
    }

    /// Returns once there is something to read; false where nobody wants it any more.
    private func waitForPipe() -> Bool {
        guard let pipe else { return true }
        while !isStopped.load(ordering: .relaxed) {
            if IngestInput.poll(pipe, milliseconds: DecodingPipeline.pause) { return true }
        }
        return false
    }
}
