import Glibc
import LaurelAdapters
import LaurelEvents
import LaurelProgress
import LaurelStore

/// Whether there is something to read, or the end, within so many milliseconds; −1 waits for ever.
private func pollForInput(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) != 0
}

/// Reads inputs one after the other, batch by batch, into the store.
final class IngestSession {
    /// Events per append: enough for well-filled blocks, little enough to hold with their lines.
    static let batchEvents = 131_072
    static let batchBytes = 48 << 20
    /// Events per transaction: each folds the touched learners once, so more are cheaper; a pipe commits as it pauses.
    static let transactionEvents = 4_000_000

    private(set) var report = IngestReport()
    /// As ``report``, with what is not committed yet.
    private var pending = IngestReport()
    private var progress = IngestProgress()
    private let options: IngestOptions
    private let updater: LearnerUpdater
    private var decoder = EventDecoder()
    private var staged = StagedEvents()
    private var touched: [Int64: LearnerUpdater.Touch] = [:]
    private var stagedInTransaction = 0

    /// What is still to be read, the next one last.
    private var inputs: [any ByteSource]
    /// As `inputs`: the descriptors of those that may keep one waiting.
    private var pipes: [Int32?]
    private var pipe: Int32?
    private var reader: InputReader?
    private var batch = InputBatch()
    /// Index of the next record of `batch`.
    private var nextIndex = 0
    private var bytesBefore: Int64 = 0
    private var hasBegun = false
    /// nil where the inputs are CloudEvents.
    private var format: AdapterKind? { options.format }
    /// As `inputs`: where those lie that are files.
    private var paths: [String?]
    private var path: String?
    /// What apps say that learners had, to be completed when all is stored.
    private(set) var totals: [AppTotal] = []

    convenience init(plan: FoldPlan, sources: [IngestSource], options: IngestOptions) throws {
        try self.init(
            plan: plan,
            inputs: sources.map { FileSource(descriptor: $0.descriptor, name: $0.name) },
            options: options,
            pipes: sources.map { $0.size == nil ? $0.descriptor : nil },
            paths: sources.map(\.path)
        )
    }

    init(
        plan: FoldPlan,
        inputs: [any ByteSource],
        options: IngestOptions,
        pipes: [Int32?] = [],
        paths: [String?] = []
    ) throws {
        self.options = options
        self.inputs = inputs.reversed()
        self.pipes = pipes.reversed()
        updater = LearnerUpdater(plan: plan)
        self.paths = paths.reversed()
        // What it lacks is to be said before anything is written.
        pending.kinds = try options.format?.adapter(options.adapter).kinds.map { IngestReport.Kind(what: $0) } ?? []
        report.kinds = pending.kinds
        let sizes = inputs.map(\.total)
        if sizes.allSatisfy({ $0 != nil }) { progress.bytesTotal = sizes.reduce(0) { $0 + $1! } }
        openNextInput()
    }

    var isAtEnd: Bool { reader == nil }

    /// What was filled in is durable.
    func commit() { report = pending }

    /// Returns once there is something to read.
    func waitForInput() {
        if let pipe { _ = pollForInput(pipe, milliseconds: -1) }
    }

    /// Fills one transaction and brings the progress of all whom it touched up to date.
    func fill(_ transaction: any StoreTransaction, observe: (IngestProgress) -> Void) throws {
        stagedInTransaction = 0
        touched.removeAll()
        while reader != nil, stagedInTransaction < IngestSession.transactionEvents {
            // Nobody knows when a pipe goes on: what it has given is made durable first.
            if let pipe, !pollForInput(pipe, milliseconds: 50), pending.read > report.read { break }
            try takeInput(transaction, observe)
            observe(currentProgress)
        }
        try flush(transaction)
        try updater.update(touched, in: transaction)
    }

    private var currentProgress: IngestProgress {
        var current = progress
        current.bytesDone = bytesBefore + (reader?.consumedBytes ?? 0)
        current.events = pending.read
        return current
    }

    private func openNextInput() {
        bytesBefore += reader?.consumedBytes ?? 0
        pipe = pipes.popLast() ?? nil
        path = paths.popLast() ?? nil
        reader = inputs.popLast().map { InputReader($0, shape: format?.shape ?? .events) }
        batch = InputBatch()
        nextIndex = 0
        hasBegun = false
    }
}

// MARK: Reading

extension IngestSession {
    /// Takes what is at hand: a batch of CloudEvents, or an adapter's whole input.
    private func takeInput(_ transaction: any StoreTransaction, _ observe: (IngestProgress) -> Void) throws {
        do {
            if let format {
                try adapt(format, transaction, observe)
            } else if try nextBatch() {
                while let record = nextRecord() { try take(record, transaction) }
                return
            }
        } catch let error as InputError {
            pending.unreadable.append(error)
        } catch let error as AdapterError {
            // Not of that format at all; the inputs before and after it still count.
            pending.unreadable.append(otherFormat(error))
        }
        try flush(transaction)
        openNextInput()
    }

    /// What the input looks like instead.
    private func otherFormat(_ error: AdapterError) -> InputError {
        let name = format?.name ?? "cloudevents"
        let look = FormatGuess.sentence(path: path, asked: name).map { "; \($0)" } ?? ""
        let message = "is no input of format \(name): \(error.message)\(look)"
        return InputError(code: .otherFormat, file: reader!.name, byte: 0, message: message)
    }

    private func nextBatch() throws -> Bool {
        nextIndex = 0
        let isFirst = !hasBegun
        hasBegun = true
        guard try reader!.next(&batch) else { return false }
        if isFirst, format == nil { try FormatGuess.expectCloudEvents(batch) }
        return true
    }

    private func nextRecord() -> InputRecord? {
        guard nextIndex < batch.records.count else { return nil }
        nextIndex += 1
        return batch.records[nextIndex - 1]
    }

    private func take(_ record: InputRecord, _ transaction: any StoreTransaction) throws {
        pending.read += 1
        guard record.part == .whole else { return try refuseOversized(record, transaction) }
        let result = batch.withBytes { bytes in
            decoder.decode(
                line: UnsafeBufferPointer(rebasing: bytes[record.range]),
                into: &staged.table,
                clock: options.now
            )
        }
        try stage(result, record.line, batch.bytes(of: record), transaction)
    }

    private func adapt(
        _ format: AdapterKind,
        _ transaction: any StoreTransaction,
        _ observe: (IngestProgress) -> Void
    ) throws {
        var adapter = try format.adapter(options.adapter)
        var input = reader!
        defer { reader = input }
        let leftOut = try adapter.read(&input, path: path) { record in
            count(.read, of: record.kind)
            if pending.read % 4096 == 0 { observe(currentProgress) }
            switch record.outcome {
            case .refused(let refusal): try refuse(refusal, record, transaction)
            case .event(let json): try stage(json, record, transaction)
            case .total(let json, let total): try note(total, json, record, transaction)
            }
        }
        pending.noteLeftOut(leftOut)
    }

    /// Counts in the whole, and where the format tells kinds apart in that kind.
    private func count(_ number: IngestReport.Count, of kind: Int?) { pending.count(number, of: kind) }

    private func stage(_ json: [UInt8], _ record: AdaptedRecord, _ transaction: any StoreTransaction) throws {
        let result = json.withUnsafeBufferPointer {
            decoder.decode(line: $0, into: &staged.table, clock: options.now)
        }
        switch result {
        case .refused(let refusal): try refuse(refusal, record, transaction)
        case .ok:
            staged.note(line: record.line, bytes: record.original)
            staged.noteKind(record.kind, keepsKnown: record.keepsKnown)
            try flushIfFull(transaction)
        }
    }

    /// Keeps a total for when it is known what the events explain. It is checked as the event that it may become.
    private func note(
        _ total: Int64,
        _ json: [UInt8],
        _ record: AdaptedRecord,
        _ transaction: any StoreTransaction
    ) throws {
        guard let found = AppTotal(json, total, kind: record.kind, clock: options.now) else {
            // Without an amount the check says what is wrong besides.
            return try stage(json, record, transaction)
        }
        totals.append(found)
    }

    private func refuse(
        _ refusal: Refusal,
        _ record: AdaptedRecord,
        _ transaction: any StoreTransaction
    ) throws {
        var refusal = refusal
        if let place = record.place { refusal.message = "\(place): \(refusal.message)" }
        if pending.kinds.indices.contains(record.kind) { pending.kinds[record.kind].refused += 1 }
        try refuse(refusal, record.line, Array(record.original), transaction)
    }

    private func stage(
        _ result: EventDecoder.Result,
        _ line: Int,
        _ bytes: ArraySlice<UInt8>,
        _ transaction: any StoreTransaction
    ) throws {
        switch result {
        case .refused(let refusal): try refuse(refusal, line, Array(bytes), transaction)
        case .ok:
            staged.note(line: line, bytes: bytes)
            try flushIfFull(transaction)
        }
    }

    private func flushIfFull(_ transaction: any StoreTransaction) throws {
        if staged.count >= IngestSession.batchEvents || staged.lines.count >= IngestSession.batchBytes {
            try flush(transaction)
        }
    }

    private func refuse(
        _ refusal: Refusal,
        _ line: Int,
        _ bytes: [UInt8],
        _ transaction: any StoreTransaction
    ) throws {
        pending.refused += 1
        pending.note(.init(file: reader!.name, line: line, message: refusal.message))
        try transaction.quarantine(quarantined(refusal, line), bytes: bytes)
    }

    /// A line too long to hold goes to quarantine piece by piece.
    private func refuseOversized(_ record: InputRecord, _ transaction: any StoreTransaction) throws {
        let refusal = Refusal(
            code: .tooLong,
            message: "the line is longer than \(Limits.event) bytes; an event may have 1 MiB at most"
        )
        pending.refused += 1
        pending.note(.init(file: reader!.name, line: record.line, message: refusal.message))
        var piece: InputRecord? = record
        try transaction.quarantine(quarantined(refusal, record.line)) {
            guard let part = piece else { return nil }
            let bytes = Array(batch.bytes(of: part))
            piece = part.part == .end ? nil : try nextPiece()
            return bytes
        }
    }

    /// The rest of a record that began before; nil where the input breaks off within it.
    private func nextPiece() throws -> InputRecord? {
        while true {
            if let record = nextRecord() { return record }
            do {
                guard try nextBatch() else { return nil }
            } catch {
                // The next attempt to read throws it again, and reports it.
                return nil
            }
        }
    }

    private func quarantined(_ refusal: Refusal, _ line: Int) -> QuarantinedLine {
        QuarantinedLine(
            reason: refusal.code.rawValue,
            message: refusal.message,
            file: reader!.name,
            line: line,
            receivedAt: options.now,
            eventID: refusal.id.map { Array($0.utf8) },
            source: refusal.source.map { Array($0.utf8) },
            subject: refusal.subject.map { Array($0.utf8) }
        )
    }
}

// MARK: Storing

extension IngestSession {
    private func flush(_ transaction: any StoreTransaction) throws {
        guard staged.count > 0 else { return }
        let groups = try staged.groups { try transaction.learnerID(for: $0) }
        let result = try transaction.append(staged.table, groups: groups)
        for (row, outcome) in result.outcomes.enumerated() {
            switch outcome {
            case .stored: count(.stored, of: staged.kind(row)?.kind)
            case .duplicate: count(.duplicates, of: staged.kind(row)?.kind)
            case .conflict where staged.kind(row)?.keepsKnown == true:
                count(.duplicates, of: staged.kind(row)?.kind)
            case .conflict: try quarantineConflict(row, transaction)
            case .skipped: break
            }
        }
        for group in result.stored where !group.rows.isEmpty { touch(group) }
        stagedInTransaction += staged.count
        staged.removeAll()
    }

    private func quarantineConflict(_ row: Int, _ transaction: any StoreTransaction) throws {
        let table = staged.table
        let (line, bytes) = staged.original(row)
        let id = table.identifier(row)
        let message =
            "an event with id “\(String(decoding: id, as: UTF8.self))” of source "
            + "“\(table.texts.string(table.source[row]))” is stored with other content; the stored one stays"
        count(.conflicts, of: staged.kind(row)?.kind)
        pending.note(.init(file: reader?.name ?? "", line: line, message: message))
        try transaction.quarantine(
            QuarantinedLine(
                reason: "conflict",
                message: message,
                file: reader?.name,
                line: line,
                receivedAt: options.now,
                eventID: id,
                source: Array(table.texts[table.source[row]]),
                subject: Array(table.texts[table.subject[row]])
            ),
            bytes: bytes
        )
    }

    private func touch(_ group: LearnerRows) {
        let table = staged.table
        let earliest = EventPosition(table, group.rows[0])
        let corrects = group.rows.contains { row in
            let type = table.types.string(table.type[row])
            return type == EventKind.eventRetracted.rawValue || type == EventKind.sessionDiscarded.rawValue
        }
        guard let known = touched[group.learner] else {
            touched[group.learner] = LearnerUpdater.Touch(earliest: earliest, hasCorrections: corrects)
            return
        }
        touched[group.learner] = LearnerUpdater.Touch(
            earliest: min(known.earliest, earliest),
            hasCorrections: known.hasCorrections || corrects
        )
    }
}
