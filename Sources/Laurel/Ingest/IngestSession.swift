// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelProgress
import LaurelStore

/// Takes inputs one after the other, batch by batch, into the store.
final class IngestSession {
    /// Events per append, at least, unless their lines are long: most chunks have more, and need not be put together.
    private static let batchEvents = 8192
    private static let batchBytes = 16 << 20
    /// Events per transaction, at least: each folds the touched learners once, so more are cheaper; but others who want to
    /// write give up after ten seconds, and two cores take some eight for these. A pipe commits as it pauses. Later ones are
    /// as large as all before together, so that folding learners again stays in proportion.
    private static let transactionEvents = 6_000_000
    private static let largestTransaction = 16_000_000
    /// Learners per transaction: what was done to each is remembered.
    private static let transactionLearners = 262_144
    /// Of a larger batch the events are read again when they are folded.
    static let eventsKeptToFold = 4096
    /// Records that an adapter hands out between two looks at the batch.
    private static let adaptedRecords = 8192

    private(set) var report = IngestReport()
    /// As ``report``, with what is not committed yet.
    var pending = IngestReport()
    private var progress = IngestProgress()
    let options: IngestOptions
    /// nil if names do not matter.
    private let known: KnownNames?
    private(set) var unknownNames = UnknownNames()
    private var tools: IngestTools
    let store: any EventStore
    /// What is stored, or staged, at one go.
    var batch = PendingEvents()
    /// The inputs of the batch and of the events staged, and the first row of each.
    var batchInputs: [(firstRow: Int, name: String)] = []
    /// For the transactions of several partitions.
    var staged: StagedEvents
    var touched: [Int64: LearnerUpdater.Touch] = [:]
    var storedInTransaction = 0
    /// Of the transaction; nil if nobody is to be told of it.
    var announcer: Announcer?

    /// What is still to be read, the next one last.
    private var inputs: [IngestInput]
    /// The one being read; nil at the end.
    private(set) var input: IngestInput?
    /// Where the inputs are CloudEvents.
    private var pipeline: DecodingPipeline?
    /// Where they are not.
    var format: AdapterKind? { options.format?.kind }
    /// What the transaction's events say of which others count.
    var supersession = Supersession()
    /// What the inputs were copies of, to be compared with earlier ones when all is stored.
    private(set) var copies: [StoreCopy] = []
    /// What came of the pipeline before there was a transaction to store it.
    private var ahead: DecodingPipeline.Next?
    private(set) var chunk = DecodedInput(consumedBytes: 0)
    /// Index of the next record of `chunk`, and of its next refusal.
    private var nextIndex = 0
    private var nextRefusal = 0
    private var bytesBefore: Int64 = 0
    private var isAtInputStart = true

    /// - Parameter tools: of any plan.
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
        // What it lacks is to be said before anything is written.
        pending.kinds = try format?.adapter(options.attributes.options).kinds.map { IngestReport.Kind(what: $0) } ?? []
        report.kinds = pending.kinds
        let sizes = inputs.map(\.size)
        if sizes.allSatisfy({ $0 != nil }) { progress.bytesTotal = sizes.reduce(0) { $0 + $1! } }
        openNextInput()
    }

    /// One that stores shares of what another has staged, on whatever thread.
    private init(storingFor other: IngestSession) {
        (store, options, known) = (other.store, other.options, nil)
        (staged, batchInputs) = (other.staged, other.batchInputs)
        tools = IngestTools(updater: other.tools.updater.following(other.tools.updater.plan))
        (inputs, input) = ([], nil)
    }

    /// Whether shares of what is staged may be stored by several threads: what another format's events say of one another is
    /// remembered in the order of all.
    var sharesMayMix: Bool { format == nil }

    /// For a thread that does so.
    func newShareSession() -> IngestSession { IngestSession(storingFor: self) }

    /// What shares that were stored by others have come to.
    func take(_ other: IngestReport) {
        pending.stored += other.stored
        pending.duplicates += other.duplicates
        pending.conflicts += other.conflicts
        pending.notKept += other.notKept
        for problem in other.problems { pending.note(problem) }
    }

    /// Begins to count anew.
    func takeReport() -> IngestReport {
        let done = report
        (report, pending) = (IngestReport(), IngestReport())
        return done
    }

    var isAtEnd: Bool { input == nil }

    /// The rules of what is filled in from now on.
    func use(_ plan: FoldPlan) {
        if plan !== tools.updater.plan { tools.updater = tools.updater.following(plan) }
    }

    /// What was filled in is durable.
    func commit() {
        report = pending
        tools.updater.commit()
    }

    /// For another small ingest; nil if these have seen much. To be asked for at the end.
    var spareTools: IngestTools? { report.read <= IngestSession.eventsKeptToFold ? tools : nil }

    /// To be called when no more is to be read.
    func stop() { pipeline = nil }

    /// Returns once there is something to store.
    func waitForInput() {
        if let pipeline {
            if ahead == nil { ahead = try? pipeline.next(waits: true) }
        } else {
            input?.waitUntilReadable()
        }
    }

    /// Stages what is to be stored in several partitions: reading and checking take no lock.
    /// - Returns: what is to be stored, by partitions; no share has more than a transaction should.
    func stage(observe: (IngestProgress) -> Void) throws -> [StagedShare] {
        staged = StagedEvents(for: store)
        batchInputs = []
        while input != nil, !staged.isFull {
            try Cancellation.check()
            guard try takeInput(nil, observe) else { break }
            observe(currentProgress)
        }
        try flush(nil)
        return staged.shares(in: store)
    }

    /// Fills one transaction with shares of what is staged, each of another partition.
    func fill(_ transaction: any StoreTransaction, with shares: [StagedShare]) throws {
        try Cancellation.check()
        begin()
        for line in shares.flatMap(\.refused) { noteKept(try transaction.quarantine(line.record, bytes: line.bytes)) }
        try store(shares.flatMap(\.subjects), transaction)
        try finish(transaction)
    }

    private func begin() {
        storedInTransaction = 0
        touched.removeAll()
    }

    private func finish(_ transaction: any StoreTransaction) throws {
        try retractSuperseded(transaction)
        try tools.updater.update(touched, in: transaction)
        try announcer?.finish(touched.keys, transaction, tools.updater)
        // What the transaction does last needs the memory.
        touched = [:]
    }

    /// Fills one transaction with what is read meanwhile, and brings the progress of all whom it touched up to date.
    func fill(_ transaction: any StoreTransaction, observe: (IngestProgress) -> Void) throws {
        begin()
        let wanted = min(max(IngestSession.transactionEvents, report.stored), IngestSession.largestTransaction)
        while input != nil, storedInTransaction < wanted, touched.count < IngestSession.transactionLearners {
            try Cancellation.check()
            // Nobody knows when a pipe goes on: what it has given is made durable first.
            guard try takeInput(transaction, observe) else { break }
            observe(currentProgress)
        }
        try flush(transaction)
        try finish(transaction)
    }

    /// Appends the batch.
    func append(_ groups: [LearnerRows], _ transaction: any StoreTransaction) throws -> AppendResult {
        if max(storedInTransaction + batch.count, staged.stock.count) > Announcer.mostEvents { announcer = nil }
        try announcer?.look(at: groups, transaction, tools.updater)
        return try transaction.append(batch.table, groups: groups)
    }

    private var currentProgress: IngestProgress {
        var current = progress
        current.bytesDone = bytesBefore + chunk.consumedBytes
        current.events = pending.read
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
    /// Takes what is at hand: a chunk of CloudEvents, or an adapter's whole input.
    /// - Parameter transaction: where it is stored as it comes; nil where all of it is only staged.
    /// - Returns: false where it is better to commit before waiting on.
    private func takeInput(_ transaction: (any StoreTransaction)?, _ observe: (IngestProgress) -> Void) throws -> Bool {
        do {
            if let format {
                try adapt(format, transaction, observe)
            } else {
                switch try nextChunk(waits: pending.read == report.read) {
                case .output(let chunk):
                    // Where the first record is an event, the input is what it is taken for.
                    if isAtInputStart, chunk.recordOfRow.first != 0 { try FormatGuess.expectCloudEvents(chunk.batch) }
                    isAtInputStart = false
                    try take(chunk, transaction)
                    if batch.count >= IngestSession.batchEvents || batch.bytes >= IngestSession.batchBytes {
                        try flush(transaction)
                    }
                    return true
                case .nothingYet: return false
                case .end: break
                }
            }
        } catch let error as InputError {
            pending.unreadable.append(.init(error))
        } catch let error as AdapterError {
            // Not of that format at all; the inputs before and after it still count.
            pending.unreadable.append(.init(otherFormat(error)))
        }
        try flush(transaction)
        openNextInput()
        return true
    }

    /// What the input looks like instead.
    private func otherFormat(_ error: AdapterError) -> InputError {
        let name = format?.name ?? "cloudevents"
        let look = FormatGuess.sentence(path: input?.path, asked: name).map { "; \($0)" } ?? ""
        let message = "is no input of format \(name): \(error.message)\(look)"
        return InputError(code: .otherFormat, file: input!.name, byte: 0, message: message)
    }

    func nextChunk(waits: Bool) throws(InputError) -> DecodingPipeline.Next {
        if let ahead = ahead.take() { return ahead }
        return try pipeline?.next(waits: waits) ?? .end
    }

    /// Stages a chunk's events, and puts what is none into quarantine.
    private func take(_ next: DecodedInput, _ transaction: (any StoreTransaction)?) throws {
        begin(next)
        for record in next.adapted { pending.count(.read, of: record.kind) }
        if next.isClean {
            pending.read += next.batch.records.count
            return
        }
        while let (record, refusal) = nextRecord() {
            pending.read += 1
            if record.part != .whole {
                try refuseOversized(record, transaction)
            } else if let refusal {
                if !chunk.adapted.isEmpty { pending.count(.refused, of: chunk.adapted[nextIndex - 1].kind) }
                try refuse(refusal, record.line, Array(chunk.batch.bytes(of: record)), transaction)
            }
        }
    }

    func begin(_ next: DecodedInput) {
        chunk = next
        (nextIndex, nextRefusal) = (0, 0)
        if !next.unknownNames.isEmpty { unknownNames.add(next.unknownNames, file: input!.name) }
        if batchInputs.last?.name != input!.name {
            batchInputs.append((staged.stock.count + batch.count, input!.name))
        }
        batch.append(next)
    }

    func nextRecord() -> (record: InputRecord, refusal: Refusal?)? {
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
        _ transaction: (any StoreTransaction)?,
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
            try take(whole, transaction)
            if batch.count >= IngestSession.batchEvents { try flush(transaction) }
            observe(currentProgress)
        }
        do {
            let leftOut = try adapter.read(&reader, path: input!.path) { record in
                adapted.append(record, decoder: &decoder, clock: options.clock)
                if adapted.batch.records.count >= IngestSession.adaptedRecords { try takeAdapted() }
            }
            pending.noteLeftOut(leftOut)
            copies += adapter.copies
        } catch {
            // Events before the point where an input breaks off count.
            try takeAdapted()
            throw error
        }
        try takeAdapted()
    }
}
