// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import LaurelResults

/// A request's events, decoded into a shared table and checked as far as possible without the store.
struct DecodedRequest {
    let request: IngestRequest
    private(set) var report = RequestReport()
    /// The final outcome, if nothing of the request will be stored; otherwise nil.
    private(set) var verdict: IngestOutcome?
    let chunk: DecodedInput
    /// For each record, the index of its event in the request.
    private let eventOfRecord: [Int]
    /// The reason why the request is not a list of events; nil if it is such a list.
    private var requestRefusal: Refusal?

    /// - Parameter isSameLearner: returns true if two ids mean the same learner.
    init(
        _ request: IngestRequest,
        into table: inout EventTable,
        decoder: inout EventDecoder,
        clock: Int64,
        known: KnownNames,
        isSameLearner: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        self.request = request
        decoder.strictNames = request.isStrict ? known : nil
        if let converted = request.converted {
            // Each line of the request is one record.
            eventOfRecord = converted.map { $0.line - 1 }
            chunk = DecodedInput(converted, into: &table, decoder: &decoder, clock: clock, known: known)
            report.read = converted.count
            try finishReport(table, isSameLearner)
            return
        }
        let batch: InputBatch
        do throws(InputError) {
            batch = try DecodedRequest.records(of: request)
        } catch {
            (chunk, eventOfRecord) = (DecodedInput(consumedBytes: 0), [])
            verdict = .unreadable(error.message)
            requestRefusal = Refusal(code: .invalidJSON, message: error.message)
            return
        }
        var count = -1
        eventOfRecord = batch.records.map { record in
            if record.part == .whole || record.part == .begin { count += 1 }
            return count
        }
        report.read = count + 1
        chunk = DecodedInput(
            batch,
            consumedBytes: 0,
            into: &table,
            decoder: &decoder,
            clock: clock,
            known: known
        )
        try finishReport(table, isSameLearner)
    }

    /// Notes the events that are refused, and the verdict on the request.
    private mutating func finishReport(
        _ table: EventTable,
        _ isSameLearner: ([UInt8], [UInt8]) throws -> Bool
    ) rethrows {
        report.refused = report.read - chunk.recordOfRow.count
        if report.refused > 0 { report.problems = refusals.map { RequestReport.Problem($0.refusal, index: $0.index) } }
        if request.learner != nil || request.source != nil {
            verdict = try foreign(table, isSameLearner).map(IngestOutcome.notAllowed)
        }
        if verdict == nil, request.isAtomic, report.refused > 0 { verdict = .nothingStored(report) }
    }

    /// The index in the request of a row's event. Rows are numbered from the request's first row.
    func index(ofRow row: Int) -> Int { eventOfRecord[Int(chunk.recordOfRow[row])] }

    /// True if refused parts go to quarantine. For an all-or-nothing request that fails, nothing goes to quarantine.
    var isQuarantined: Bool {
        if requestRefusal != nil { return !request.isAtomic && request.bytes.contains { $0 > 0x20 } }
        return verdict == nil && report.refused > 0
    }

    /// For each part of the request that is not an event: the reason, the index, the line number and the bytes. An
    /// unreadable request is one part.
    var refusals: [(refusal: Refusal, index: Int, line: Int, bytes: [UInt8])] {
        if let requestRefusal { return [(requestRefusal, 0, 1, request.bytes)] }
        let records = chunk.batch.records
        let whole = chunk.refusals.map { item in
            let record = records[item.record]
            return (item.refusal, eventOfRecord[item.record], record.line, Array(chunk.batch.bytes(of: record)))
        }
        let long = records.indices.filter { records[$0].part == .begin }.map { first in
            let parts = records.indices[first...].prefix { eventOfRecord[$0] == eventOfRecord[first] }
            let bytes = parts.flatMap { chunk.batch.bytes(of: records[$0]) }
            return (Refusal.oversized, eventOfRecord[first], records[first].line, bytes)
        }
        return (whole + long).sorted { $0.1 < $1.1 }
    }

    /// The first event with a learner or a source for which the request may not write.
    private func foreign(
        _ table: EventTable,
        _ isSameLearner: ([UInt8], [UInt8]) throws -> Bool
    ) rethrows -> RequestReport.Problem? {
        let rows = chunk.rows
        // Usually all rows have the same subject.
        var own: UInt32?
        for row in rows {
            func problem(_ message: String) -> RequestReport.Problem {
                let index = index(ofRow: row - rows.lowerBound)
                return RequestReport.Problem(
                    table.refusal(of: row, .init(rawValue: "forbidden"), message),
                    index: index
                )
            }
            if let learner = request.learner, table.subject[row] != own {
                guard try isSameLearner(Array(table.texts[table.subject[row]]), Array(learner.utf8)) else {
                    return problem("the event is of another learner than the token")
                }
                own = table.subject[row]
            }
            if let allowed = request.source, !table.texts[table.source[row]].elementsEqual(allowed.utf8) {
                return problem("the key is for events of the source “\(allowed)” only")
            }
        }
        return nil
    }

    // MARK: Records

    private static func records(of request: IngestRequest) throws(InputError) -> InputBatch {
        func refusal(_ message: String) -> InputError {
            InputError(code: .otherFormat, file: request.name, byte: 0, message: message)
        }
        var batch = InputBatch()
        let bytes = request.bytes
        let first = request.firstByte
        // Compressed data are rejected, because the reader would decompress them to any size.
        if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            throw refusal("the events are packed, and nothing says so: name the coding in Content-Encoding")
        }
        let (isObject, isArray) = (first == UInt8(ascii: "{"), first == UInt8(ascii: "["))
        switch request.shape {
        case .event where !isObject: throw refusal("one event is a JSON object, which begins with {")
        case .list where !isArray: throw refusal("a batch of events is a JSON array, which begins with [")
        case .eventOrList where !isObject && !isArray:
            throw refusal("events are a JSON object, or a JSON array of objects")
        case .event, .list, .eventOrList: break
        case .lines:
            guard !isArray else { throw refusal("lines of events are JSON objects, one per line") }
        }
        if request.isSingle {
            batch.append(bytes, line: 1)
            return batch
        }
        // A list with too many events is rejected before all of it is read.
        let chunk = min(bytes.count + 1, request.shape == .lines && !request.isAtomic ? .max : 256 << 10)
        var reader = InputReader(MemorySource(bytes, name: request.name), chunk: chunk)
        var part = InputBatch()
        var isFirst = true
        while try reader.next(&part) {
            if isFirst { (batch, isFirst) = (part, false) } else { batch.append(part) }
            guard batch.records.count > IngestRequest.mostEvents else { continue }
            let most = "at most \(IngestRequest.mostEvents) events"
            if request.shape != .lines {
                throw refusal("a JSON array has \(most); send lines (application/x-ndjson) for more")
            }
            if request.isAtomic { throw refusal("all or nothing takes \(most)") }
        }
        return batch
    }
}

extension RequestReport.Problem {
    /// - Parameter index: the index of the event in the request.
    init(_ refusal: Refusal, index: Int) {
        self.init(
            index: index,
            id: refusal.id,
            source: refusal.source,
            learner: refusal.subject,
            code: refusal.code.rawValue,
            message: refusal.message
        )
    }
}
