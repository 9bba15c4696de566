// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelResults
import LaurelStore

/// A destination for events and refused lines, in the order of arrival. It is a transaction, or the staged events.
protocol IngestTarget: AnyObject {
    /// True if the content should be stored before more is read.
    var isFull: Bool { get }
    func append(_ events: PendingEvents) throws
    func append(_ line: RefusedLine) throws
    func append(_ line: OversizedLine, _ record: QuarantineRecord) throws
}

/// Reads inputs one after the other.
final class IngestReader {
    /// The minimum number of events per batch, unless the lines are long. Most chunks have more events, so they are not
    /// combined.
    private static let batchEvents = 8192
    private static let batchBytes = 16 << 20
    /// The number of adapted records between two checks of the batch's size.
    private static let adaptedRecords = 8192

    private let session: IngestSession
    /// The known names; nil if names are not checked.
    private let known: KnownNames?
    private(set) var unknownNames = UnknownNames()
    /// The copies of apps' own stores among the inputs. They are compared with earlier copies after all events are
    /// stored.
    private(set) var copies: [StoreCopy] = []
    /// The merges that the inputs list, as exports do. The learners are merged after all events are stored.
    private(set) var merges: [LearnerMerge] = []
    /// The next events for the target.
    private var batch = PendingEvents()
    /// The inputs that are not read yet, the next one last.
    private var inputs: [IngestInput]
    /// The current input; nil at the end.
    private var input: IngestInput?
    private var isAtInputStart = true
    /// The pipeline that reads and decodes CloudEvents in advance; nil if none is running.
    private var pipeline: DecodingPipeline?
    /// The next chunk, if it was read before its transaction began.
    private var ahead: DecodingPipeline.Next?
    /// The oversized line that is being read; nil if there is none.
    private var oversized: OversizedLine?
    /// Numbers of bytes: `before` for the inputs before the current one, `current` for the current input, `total` for
    /// all inputs. `total` is nil if the sizes are unknown.
    private var bytes: (before: Int64, current: Int64, total: Int64?) = (0, 0, nil)

    private var options: IngestOptions { session.options }

    init(_ inputs: [IngestInput], known: KnownNames, _ session: IngestSession) {
        self.session = session
        self.known = session.options.looksForUnknownNames ? known : nil
        self.inputs = inputs.reversed()
        let sizes = inputs.compactMap(\.size)
        if sizes.count == inputs.count { bytes.total = sizes.reduce(0, +) }
        openNextInput()
    }

    var isAtEnd: Bool { input == nil }

    private var progress: IngestProgress {
        var progress = IngestProgress()
        (progress.bytesDone, progress.bytesTotal) = (bytes.before + bytes.current, bytes.total)
        progress.events = session.report.read
        return progress
    }

    /// Stops reading input in advance.
    func stop() { pipeline = nil }

    /// Waits until there is something to store. Pieces of an oversized line are also read, because they need no
    /// transaction.
    func waitForInput() {
        guard let pipeline else { input?.waitUntilReadable(); return }
        while ahead == nil {
            // The error is thrown again, and reported, when the next chunk is read.
            guard let next = try? pipeline.next(waits: true) else { return }
            guard case .output(let chunk) = next, chunk.batch.records.allSatisfy({ $0.part == .piece }) else {
                ahead = next
                return
            }
            bytes.current = chunk.consumedBytes
            for record in chunk.batch.records { oversized?.append(Array(chunk.batch.bytes(of: record))) }
        }
    }

    /// Reads until the target is full, until a pipe pauses, or to the end.
    func fill(_ target: any IngestTarget, observe: (IngestProgress) -> Void) throws {
        while input != nil, !target.isFull {
            try Cancellation.check()
            // A pipe may pause for a long time, so the events read so far are stored first.
            guard try readInput(target, observe) else { break }
            observe(progress)
        }
        try flush(target)
    }

    private func openNextInput() {
        bytes = (bytes.before + bytes.current, 0, bytes.total)
        isAtInputStart = true
        pipeline = nil
        input = inputs.popLast()
        guard session.format == nil, let input else { return }
        pipeline = DecodingPipeline(input, options, known: known, decoder: session.tools.decoder)
    }

    // MARK: Reading

    /// Reads a chunk of CloudEvents, or an adapter's whole input.
    /// - Returns: false if the content of the target should be stored before more is read.
    private func readInput(_ target: any IngestTarget, _ observe: (IngestProgress) -> Void) throws -> Bool {
        do {
            if let format = session.format {
                try adapt(format, target, observe)
            } else {
                switch try nextChunk() {
                case .output(let chunk):
                    // If the first record is an event, the input is CloudEvents.
                    if isAtInputStart, chunk.recordOfRow.first != 0 { try FormatGuess.expectCloudEvents(chunk.batch) }
                    isAtInputStart = false
                    try take(chunk, target)
                    return true
                case .nothingYet: return false
                case .end: break
                }
            }
        } catch let error as InputError {
            session.report.unreadable.append(.init(error))
        } catch let error as AdapterError {
            // The input has another format. The other inputs are still ingested.
            session.report.unreadable.append(.init(otherFormat(error)))
        }
        try flush(target)
        // The input may have ended within an oversized line.
        try refuseOversized(target)
        openNextInput()
        return true
    }

    /// The error for an input in another format, with the format that it seems to have.
    private func otherFormat(_ error: AdapterError) -> InputError {
        let name = session.format?.name ?? "cloudevents"
        let look = FormatGuess.sentence(path: input?.path, asked: name).map { "; \($0)" } ?? ""
        let message = "is no input of format \(name): \(error.message)\(look)"
        return InputError(code: .otherFormat, file: input!.name, byte: 0, message: message)
    }

    /// The next chunk. While a pipe pauses, the result is `nothingYet`, because a write that has begun must not wait
    /// for the pipe.
    private func nextChunk() throws(InputError) -> DecodingPipeline.Next {
        if let ahead = ahead.take() { return ahead }
        return try pipeline?.next(waits: false) ?? .end
    }

    private func adapt(
        _ format: AdapterKind,
        _ target: any IngestTarget,
        _ observe: (IngestProgress) -> Void
    ) throws {
        var adapter = try format.adapter(options.attributes.options)
        var reader = InputReader(input!.open(), shape: format.shape)
        var decoder = EventDecoder()
        if options.isStrict { decoder.strictNames = known }
        var adapted = DecodedInput(consumedBytes: 0)
        func takeAdapted() throws {
            adapted.lookForUnknownNames(decoder, known)
            let whole = adapted
            adapted = DecodedInput(consumedBytes: 0)
            try take(whole, target)
            observe(progress)
        }
        do {
            let leftOut = try adapter.read(&reader, path: input!.path) { record in
                adapted.append(record, decoder: &decoder, clock: options.clock)
                if adapted.batch.records.count >= IngestReader.adaptedRecords { try takeAdapted() }
            }
            session.report.noteLeftOut(leftOut)
            copies += adapter.copies
        } catch {
            // Events before the end of a broken input are stored.
            try takeAdapted()
            throw error
        }
        try takeAdapted()
    }

    // MARK: Passing on

    /// Takes a chunk's events into the batch, and passes its refused lines on.
    private func take(_ chunk: DecodedInput, _ target: any IngestTarget) throws {
        bytes.current = chunk.consumedBytes
        if !chunk.unknownNames.isEmpty { unknownNames.add(chunk.unknownNames, file: input!.name) }
        batch.append(chunk, of: input!.name)
        for record in chunk.adapted { session.report.count(.read, of: record.kind) }
        if chunk.isClean {
            session.report.read += chunk.batch.records.count
        } else {
            try refuse(chunk, target)
        }
        if batch.count >= IngestReader.batchEvents || batch.bytes >= IngestReader.batchBytes { try flush(target) }
    }

    /// Counts a chunk's records, and passes on the records that are not events.
    private func refuse(_ chunk: DecodedInput, _ target: any IngestTarget) throws {
        var refusals = chunk.refusals[...]
        for (index, record) in chunk.batch.records.enumerated() {
            if record.part == .whole || record.part == .begin { session.report.read += 1 }
            guard record.part == .whole else {
                if record.part == .begin { oversized = OversizedLine(number: record.line) }
                oversized?.append(Array(chunk.batch.bytes(of: record)))
                if record.part == .end { try refuseOversized(target) }
                continue
            }
            guard let (refused, refusal) = refusals.first, refused == index else { continue }
            refusals.removeFirst()
            if session.format == nil, let merge = LearnerMerge(line: chunk.batch.bytes(of: record)) {
                session.report.read -= 1
                merges.append(merge)
                continue
            }
            if !chunk.adapted.isEmpty { session.report.count(.refused, of: chunk.adapted[index].kind) }
            let bytes = Array(chunk.batch.bytes(of: record))
            try target.append(RefusedLine(record: note(refusal, record.line), bytes: bytes))
        }
    }

    private func refuseOversized(_ target: any IngestTarget) throws {
        guard let line = oversized.take() else { return }
        try target.append(line, note(.oversized, line.number))
    }

    /// Counts a refused line, and describes it for quarantine.
    private func note(_ refusal: Refusal, _ line: Int) -> QuarantineRecord {
        session.report.refused += 1
        session.report.note(.init(file: input!.name, line: line, message: refusal.message))
        return QuarantineRecord(refusal, file: input!.name, line: line, clock: options.clock)
    }

    private func flush(_ target: any IngestTarget) throws {
        guard batch.count > 0 else { return }
        try target.append(batch)
        batch.removeAll()
    }
}
