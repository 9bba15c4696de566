// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelProgress
import LaurelStore

/// Reads inputs one after the other, and stores them batch by batch.
final class IngestSession {
    /// The minimum number of events per append, unless the lines are long. Most chunks have more events, so they are
    /// not combined.
    private static let batchEvents = 8192
    private static let batchBytes = 16 << 20
    /// The minimum number of events per transaction. Each transaction folds every touched learner once, so larger
    /// transactions are cheaper. But other writers give up after 10 seconds, and two cores need about 8 seconds for
    /// this number.
    ///
    /// If a pipe pauses, the transaction is committed earlier. Each later transaction is as large as all earlier ones
    /// together. So folding the same learners again stays a bounded part of the work.
    private static let transactionEvents = 6_000_000
    private static let largestTransaction = 16_000_000
    /// The maximum number of learners per transaction. Each learner needs a record in memory.
    private static let transactionLearners = 262_144
    /// The maximum size of a batch whose events stay in memory until they are folded. Events of larger batches are read
    /// again.
    private static let eventsKeptToFold = 4096
    /// The number of adapted records between two checks of the batch's size.
    private static let adaptedRecords = 8192

    /// The counts so far, including uncommitted events.
    var report = IngestReport()
    private var progress = IngestProgress()
    let options: IngestOptions
    /// The known names; nil if names are not checked.
    private let known: KnownNames?
    private(set) var unknownNames = UnknownNames()
    private var tools: IngestTools
    let store: any EventStore
    /// The next events to store or stage together.
    var batch = PendingEvents()
    /// The inputs of the batch and of the staged events, with the first row of each.
    var batchInputs: [(firstRow: Int, name: String)] = []
    /// The events for transactions of several partitions.
    var staged: StagedEvents
    var storedInTransaction = 0

    /// The inputs that are not read yet, the next one last.
    private var inputs: [IngestInput]
    /// The current input; nil at the end.
    private(set) var input: IngestInput?
    /// The pipeline for CloudEvents.
    private var pipeline: DecodingPipeline?
    /// The format, if the inputs are not CloudEvents.
    var format: AdapterKind? { options.format?.kind }
    /// The transaction's events that must not count, because other events report the same activity.
    var supersession = Supersession()
    /// The copies of apps' own stores among the inputs. They are compared with earlier copies after all events are
    /// stored.
    private(set) var copies: [StoreCopy] = []
    /// The next chunk, if it was read before its transaction began.
    private var ahead: DecodingPipeline.Next?
    private(set) var chunk = DecodedInput(consumedBytes: 0)
    /// The index of the next record in `chunk`.
    private var nextIndex = 0
    private var nextRefusal = 0
    /// The oversized line that is being read; nil if there is none.
    var oversized: OversizedLine?
    private var bytesBefore: Int64 = 0
    private var isAtInputStart = true

    /// - Parameter tools: tools set to any plan.
    init(
        _ store: any EventStore,
        tools: IngestTools,
        inputs: [IngestInput],
        options: IngestOptions,
        known: KnownNames
    ) throws {
        self.store = store
        staged = StagedEvents(for: store)
        self.options = options
        self.known = options.looksForUnknownNames ? known : nil
        self.inputs = inputs.reversed()
        self.tools = tools
        // Missing options must be reported before an event is written.
        report.kinds = try format?.adapter(options.attributes.options).kinds.map { IngestReport.Kind(what: $0) } ?? []
        let sizes = inputs.map(\.size)
        if sizes.allSatisfy({ $0 != nil }) { progress.bytesTotal = sizes.reduce(0) { $0 + $1! } }
        openNextInput()
    }

    /// Creates a session that stores shares staged by another session. It may run on any thread.
    private init(storingFor other: IngestSession) {
        (store, options, known) = (other.store, other.options, nil)
        (staged, batchInputs) = (other.staged, other.batchInputs)
        tools = IngestTools(updater: other.tools.updater.following(other.tools.updater.plan))
        (inputs, input) = ([], nil)
    }

    /// True if several threads may store the staged shares. In adapted formats, one event may supersede another, so
    /// their order matters.
    var sharesMayMix: Bool { format == nil }

    /// Creates a session for another thread that stores shares.
    func newShareSession() -> IngestSession { IngestSession(storingFor: self) }

    /// Adds the report of another session that has stored shares.
    func take(_ other: IngestReport) {
        report.stored += other.stored
        report.duplicates += other.duplicates
        report.conflicts += other.conflicts
        report.notKept += other.notKept
        for problem in other.problems { report.note(problem) }
    }

    /// Returns the report, and starts a new one.
    func takeReport() -> IngestReport {
        defer { report = IngestReport() }
        return report
    }

    var isAtEnd: Bool { input == nil }

    /// The updater for the next transaction.
    func updater(of plan: FoldPlan) -> LearnerUpdater { tools.updater(of: plan) }

    /// Marks the filled transaction as durable.
    func commit() { tools.updater.commit() }

    /// Tools that a later small ingest can reuse; nil if this ingest is large. Read the property at the end.
    var spareTools: IngestTools? { report.read <= IngestSession.eventsKeptToFold ? tools : nil }

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
            begin(chunk)
            for record in chunk.batch.records { oversized?.append(Array(chunk.batch.bytes(of: record))) }
        }
    }

    /// Stages input for several partitions. Reading and checking it needs no lock.
    /// - Returns: the staged shares, by partition, none larger than a transaction should be.
    func stage(observe: (IngestProgress) -> Void) throws -> [StagedShare] {
        staged = StagedEvents(for: store)
        batchInputs = []
        while input != nil, !staged.isFull {
            try Cancellation.check()
            guard try readInput(nil, observe) else { break }
            observe(currentProgress)
        }
        try flush(nil)
        return staged.shares(in: store)
    }

    /// Fills one transaction with staged shares of different partitions.
    func fill(_ writing: IngestTransaction, with shares: [StagedShare]) throws {
        try Cancellation.check()
        storedInTransaction = 0
        for line in shares.flatMap(\.refused) {
            noteKept(try writing.transaction.quarantine(line.record, bytes: line.bytes))
        }
        try store(shares.flatMap(\.subjects), writing)
        try finish(writing)
    }

    private func finish(_ writing: IngestTransaction) throws {
        try retractSuperseded(writing)
        try writing.finish()
    }

    /// Fills one transaction while reading, and updates the progress of all learners that it touched.
    func fill(_ writing: IngestTransaction, observe: (IngestProgress) -> Void) throws {
        storedInTransaction = 0
        let wanted = min(max(IngestSession.transactionEvents, report.stored), IngestSession.largestTransaction)
        while input != nil, storedInTransaction < wanted, writing.touched.count < IngestSession.transactionLearners {
            try Cancellation.check()
            // A pipe may pause for a long time, so the events read so far are committed first.
            guard try readInput(writing, observe) else { break }
            observe(currentProgress)
        }
        try flush(writing)
        try finish(writing)
    }

    /// Appends the batch.
    func append(_ groups: [LearnerRows], _ writing: IngestTransaction) throws -> AppendResult {
        if max(storedInTransaction + batch.count, staged.stock.count) > Announcer.mostEvents { writing.announcer = nil }
        let kept = batch.count > IngestSession.eventsKeptToFold ? nil : EventTableReference(batch.table)
        return try writing.append(batch, groups, kept: kept)
    }

    private var currentProgress: IngestProgress {
        var current = progress
        current.bytesDone = bytesBefore + chunk.consumedBytes
        current.events = report.read
        return current
    }

    private func openNextInput() {
        bytesBefore += chunk.consumedBytes
        chunk = DecodedInput(consumedBytes: 0)
        (nextIndex, nextRefusal) = (0, 0)
        isAtInputStart = true
        pipeline = nil
        input = inputs.popLast()
        guard format == nil, let input else { return }
        pipeline = DecodingPipeline(input, options, known: known, decoder: tools.decoder)
    }
}

// MARK: Reading

extension IngestSession {
    /// Reads a chunk of CloudEvents, or an adapter's whole input.
    /// - Parameter writing: the transaction to store into; nil to stage everything.
    /// - Returns: false if the transaction should be committed before more is read.
    private func readInput(_ writing: IngestTransaction?, _ observe: (IngestProgress) -> Void) throws -> Bool {
        do {
            if let format {
                try adapt(format, writing, observe)
            } else {
                switch try nextChunk() {
                case .output(let chunk):
                    // If the first record is an event, the input is CloudEvents.
                    if isAtInputStart, chunk.recordOfRow.first != 0 { try FormatGuess.expectCloudEvents(chunk.batch) }
                    isAtInputStart = false
                    try take(chunk, writing)
                    if batch.count >= IngestSession.batchEvents || batch.bytes >= IngestSession.batchBytes {
                        try flush(writing)
                    }
                    return true
                case .nothingYet: return false
                case .end: break
                }
            }
        } catch let error as InputError {
            report.unreadable.append(.init(error))
        } catch let error as AdapterError {
            // The input has another format. The other inputs are still ingested.
            report.unreadable.append(.init(otherFormat(error)))
        }
        try flush(writing)
        // The input may have ended within an oversized line.
        try refuseOversized(writing?.transaction)
        openNextInput()
        return true
    }

    /// The error for an input in another format, with the format that it seems to have.
    private func otherFormat(_ error: AdapterError) -> InputError {
        let name = format?.name ?? "cloudevents"
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

    /// Stages a chunk's events, and quarantines its other records.
    private func take(_ next: DecodedInput, _ writing: IngestTransaction?) throws {
        begin(next)
        for record in next.adapted { report.count(.read, of: record.kind) }
        if next.isClean {
            report.read += next.batch.records.count
            return
        }
        while let (record, refusal) = nextRecord() {
            guard record.part == .whole else {
                try collect(record, writing)
                continue
            }
            report.read += 1
            if let refusal {
                if !chunk.adapted.isEmpty { report.count(.refused, of: chunk.adapted[nextIndex - 1].kind) }
                try refuse(refusal, record.line, Array(chunk.batch.bytes(of: record)), writing)
            }
        }
    }

    private func begin(_ next: DecodedInput) {
        chunk = next
        (nextIndex, nextRefusal) = (0, 0)
        if !next.unknownNames.isEmpty { unknownNames.add(next.unknownNames, file: input!.name) }
        if batchInputs.last?.name != input!.name {
            batchInputs.append((staged.stock.count + batch.count, input!.name))
        }
        batch.append(next)
    }

    private func nextRecord() -> (record: InputRecord, refusal: Refusal?)? {
        guard nextIndex < chunk.batch.records.count else { return nil }
        let record = chunk.batch.records[nextIndex]
        var refusal: Refusal?
        if nextRefusal < chunk.refusals.count, chunk.refusals[nextRefusal].record == nextIndex {
            refusal = chunk.refusals[nextRefusal].refusal
            nextRefusal += 1
        }
        nextIndex += 1
        return (record, refusal)
    }

    private func adapt(
        _ format: AdapterKind,
        _ writing: IngestTransaction?,
        _ observe: (IngestProgress) -> Void
    ) throws {
        var adapter = try format.adapter(options.attributes.options)
        var reader = InputReader(input!.open(), shape: format.shape)
        var decoder = EventDecoder()
        if options.isStrict { decoder.strictNames = known }
        var adapted = DecodedInput(consumedBytes: 0)
        func stageAdapted() throws {
            adapted.lookForUnknownNames(decoder, known)
            let whole = adapted
            adapted = DecodedInput(consumedBytes: 0)
            try take(whole, writing)
            if batch.count >= IngestSession.batchEvents { try flush(writing) }
            observe(currentProgress)
        }
        do {
            let leftOut = try adapter.read(&reader, path: input!.path) { record in
                adapted.append(record, decoder: &decoder, clock: options.clock)
                if adapted.batch.records.count >= IngestSession.adaptedRecords { try stageAdapted() }
            }
            report.noteLeftOut(leftOut)
            copies += adapter.copies
        } catch {
            // Events before the end of a broken input are stored.
            try stageAdapted()
            throw error
        }
        try stageAdapted()
    }
}
