// SPDX-License-Identifier: Apache-2.0

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

/// Records that were read, and how many bytes of the input there are up to their end.
struct ReadChunk: Sendable {
    var batch: InputBatch
    var consumedBytes: Int64
}

/// Reads and decodes an input ahead of the thread that stores its events, on all cores, and gives the chunks back in order.
///
/// An input that fits into one chunk is decoded by the caller: a thread would cost more than it saves.
final class DecodingPipeline {
    typealias Next = OrderedPipeline<ReadChunk, DecodedInput>.Received

    private let source: ChunkSource
    private let chunks: OrderedPipeline<ReadChunk, DecodedInput>

    private static let chunkBytes = 4 << 20
    private static let leastChunkBytes = 1 << 12
    /// A longer input is worth threads, and is cut up for all of them.
    private static let smallBytes = 1 << 20

    /// - Parameters:
    ///   - known: The names that are known; nil if that does not matter.
    ///   - callers: The caller's decoder, for what it decodes itself.
    init(_ input: IngestInput, _ options: IngestOptions, known: KnownNames?, decoder callers: ReusedDecoder) {
        // Packed inputs are longer than they look, but for that there are further chunks.
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

    /// The next chunk. Only of a pipe nothing may have come yet.
    /// - Parameter waits: Whether to wait however long a pipe pauses.
    /// - Throws: What broke reading off, after the chunks before it.
    func next(waits: Bool) throws(InputError) -> Next {
        do {
            return try chunks.receive(within: waits || !source.isPipe ? nil : ChunkSource.pause)
        } catch {
            // Decoding throws nothing.
            throw error as! InputError
        }
    }
}

/// Reads the chunks of an input.
private final class ChunkSource: Sendable {
    /// Seconds after which a wait for a pipe looks whether the bytes are still wanted.
    static let pause = 0.05

    private let reader: Mutex<InputReader>
    /// Open for reading, where the input may keep one waiting.
    private let pipe: Int32?
    private let isStopped = Atomic(false)

    var isPipe: Bool { pipe != nil }

    init(_ input: IngestInput, bytes: Int) {
        pipe = input.pipe
        reader = Mutex(InputReader(input.open(), chunk: bytes))
    }

    /// Waits for the next chunk; nil at the end, and where nobody wants it any more.
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

/// A decoder that is used again and again, by one thread at a time. Made with the first input that needs one.
final class ReusedDecoder: @unchecked Sendable {
    private var decoder: EventDecoder?

    func use<Result>(_ body: (inout EventDecoder) throws -> Result) rethrows -> Result {
        var own = decoder.take() ?? EventDecoder()
        defer { decoder = own }
        return try body(&own)
    }
}
