// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore
import LaurelSystem
import Synchronization

/// An input of an ingest. The thread that reads it opens it.
struct IngestInput: Sendable {
    /// The name for messages.
    var name: String
    /// The size in bytes; nil if unknown.
    var size: Int64?
    /// The descriptor of a pipe, from which reading may block; otherwise nil.
    var pipe: Int32?
    /// The path; nil if the input is not a file.
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

    /// Waits until a pipe has bytes to read or has ended.
    func waitUntilReadable() {
        if let pipe { _ = IngestInput.poll(pipe, milliseconds: -1) }
    }

    /// Waits until a pipe has bytes to read or has ended.
    /// - Parameter milliseconds: the time limit; −1 for no limit.
    /// - Returns: false if the time limit is reached.
    static func poll(_ pipe: Int32, milliseconds: Int32) -> Bool {
        var request = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        return LaurelSystem.poll(&request, 1, milliseconds) != 0
    }
}

/// Records that were read, and the number of input bytes up to their end.
struct ReadChunk: Sendable {
    var batch: InputBatch
    var consumedBytes: Int64
}

/// Reads and decodes an input on all cores, ahead of the thread that stores its events. Returns the chunks in order.
/// If an input fits into one chunk, the caller decodes it, because starting a thread would take longer.
final class DecodingPipeline {
    typealias Next = OrderedPipeline<ReadChunk, DecodedInput>.Received

    private let source: ChunkSource
    private let chunks: OrderedPipeline<ReadChunk, DecodedInput>

    private static let chunkBytes = 4 << 20
    private static let leastChunkBytes = 1 << 12
    /// The size in bytes above which an input is divided into chunks for several threads.
    private static let smallBytes = 1 << 20

    /// - Parameters:
    ///   - known: the known names; nil if names are not checked.
    ///   - callers: the caller's decoder, which is used if no thread is started.
    init(_ input: IngestInput, _ options: IngestOptions, known: KnownNames?, decoder callers: ReusedDecoder) {
        // The size of a compressed input is less than its content. The remaining content is read in further chunks.
        let size = Int(clamping: input.size ?? .max)
        let isSmall = size <= DecodingPipeline.smallBytes
        let part = isSmall ? max(size, DecodingPipeline.leastChunkBytes) : max(size / 8, DecodingPipeline.smallBytes)
        let source = ChunkSource(input, bytes: min(part, DecodingPipeline.chunkBytes))
        let workers = isSmall ? 0 : Threads.processors
        let (clock, strictNames) = (options.clock, options.isStrict ? known : nil)
        self.source = source
        chunks = OrderedPipeline(workers: workers, limit: workers + 2) {
            try source.next()
        } worker: {
            let decoder = isSmall ? callers : ReusedDecoder()
            return { chunk in
                decoder.use { decoder in
                    decoder.strictNames = strictNames
                    return DecodedInput(
                        chunk.batch,
                        consumedBytes: chunk.consumedBytes,
                        decoder: &decoder,
                        clock: clock,
                        known: known
                    )
                }
            }
        }
    }

    deinit { source.stop() }

    /// The next chunk. `nothingYet` is returned only for pipes.
    /// - Parameter waits: true to wait for a pipe without limit.
    /// - Throws: the error that ended reading, after all earlier chunks were returned.
    func next(waits: Bool) throws(InputError) -> Next {
        do {
            return try chunks.receive(within: waits || !source.isPipe ? nil : ChunkSource.pause)
        } catch {
            // Decoding never throws.
            throw error as! InputError
        }
    }
}

/// Reads the chunks of an input.
private final class ChunkSource: Sendable {
    /// The number of seconds after which a thread that waits for a pipe checks if the bytes are still needed.
    static let pause = 0.05

    private let reader: Mutex<InputReader>
    /// The descriptor of a pipe, from which reading may block; otherwise nil.
    private let pipe: Int32?
    private let isStopped = Atomic(false)

    var isPipe: Bool { pipe != nil }

    init(_ input: IngestInput, bytes: Int) {
        pipe = input.pipe
        reader = Mutex(InputReader(input.open(), chunk: bytes))
    }

    /// Waits for the next chunk; nil at the end, or if reading was cancelled.
    func next() throws(InputError) -> ReadChunk? {
        var isReadable = pipe == nil
        while !isReadable, !isStopped.load(ordering: .relaxed) {
            isReadable = pipe.map { IngestInput.poll($0, milliseconds: Int32(ChunkSource.pause * 1000)) } ?? true
        }
        guard !isStopped.load(ordering: .relaxed) else { return nil }
        return try reader.withLock { (reader) throws(InputError) in
            var batch = InputBatch()
            guard try reader.next(&batch) else { return nil }
            batch.trim()
            return ReadChunk(batch: batch, consumedBytes: reader.consumedBytes)
        }
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }
}

/// A decoder that is created at its first use and then reused. Use it from one thread at a time.
final class ReusedDecoder: @unchecked Sendable {
    private var decoder: EventDecoder?

    func use<Result>(_ body: (inout EventDecoder) throws -> Result) rethrows -> Result {
        var own = decoder.take() ?? EventDecoder()
        defer { decoder = own }
        return try body(&own)
    }
}
