// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP

/// Receives the body of a `POST /v1/events`.
///
/// A body of limited size is collected first, and then stored as a whole. A body of lines can have any length. Its
/// lines are stored piece by piece, in several transactions, and the connection waits while a piece is stored.
final class EventUpload: HTTPBodyReceiver, @unchecked Sendable {
    /// The maximum size of a collected body in bytes, before and after decompression.
    static let limit = 16 << 20
    /// The size in bytes of the pieces in which lines are stored. Each piece is stored in one transaction.
    static let pieceBytes = 1 << 20
    /// The number of compressed bytes that are decompressed in one step.
    private static let packedPiece = 256 << 10
    /// The maximum ratio between the decompressed and the compressed size of a body. The first 16 MiB are exempt.
    /// Events usually compress to a tenth or a thirtieth of their size.
    private static let mostRatio = 200
    /// In binary mode, the maximum size of an event's data that is checked on the server's thread, in bytes. Larger
    /// data is checked on another thread.
    private static let quickBytes = 4 << 10
    /// The maximum number of bytes of lines that go to the writer as one piece. Longer bodies are split into pieces on
    /// another thread.
    private static let quickLines = 16 << 10

    private let intake: Intake
    private let request: ServiceRequest
    private let keys: KeyRing
    private let limits: CallerLimits
    private let share: HeldBytes.Share
    private let format: EventFormat
    private let unpacker: BodyUnpacker?
    /// The time and the version of the last credential check.
    private let checked: (version: Int, at: ContinuousClock.Instant)
    // The properties below are used by one thread at a time: the server's thread, or a thread of the intake while the
    // connection waits.
    private var body: [UInt8] = []
    private var received = 0
    private var report: RequestReport?
    private var isHeld = false
    /// True if the body is one event, and not a list of events.
    private var isSingle = false

    init(_ intake: Intake, _ request: ServiceRequest, _ keys: KeyRing, _ limits: CallerLimits) throws(Problem) {
        (self.intake, self.request, self.keys, self.limits) = (intake, request, keys, limits)
        checked = (keys.version, .now)
        share = limits.upload(of: request.caller)
        format = try EventFormat(request.head)
        unpacker = try BodyUnpacker.make(request.head)
        if !isStream, let length = request.head.contentLength, length > Self.limit { throw Self.tooLong }
    }

    static let tooLong = Problem(
        413,
        "body-too-large",
        "a body may have \(limit >> 20) MiB, packed or not; send lines (application/x-ndjson) for more"
    )

    private var isAtomic: Bool { request.query.flag(Intake.atomic) }
    private var isStream: Bool {
        if case .whole(.lines) = format { !isAtomic } else { false }
    }

    /// True if checking the body takes long, so that another thread must do it.
    private var mustBeChecked: Bool {
        switch format {
        case .binary: body.count > Self.quickBytes
        case .whole(.lines): !isAtomic && body.count > Self.quickLines
        case .whole: false
        }
    }

    // MARK: Pieces

    func receive(_ bytes: UnsafeRawBufferPointer, _ exchange: any HTTPExchange) -> Bool {
        received += bytes.count
        body += bytes
        do throws(Problem) {
            if !isStream, received > Self.limit { throw Self.tooLong }
            try share.hold(body.count + rest.count)
        } catch {
            body = []
            exchange.respond(error.response)
            return true
        }
        if !isHeld, !intake.commit.hasRoom {
            isHeld = true
            intake.hold(exchange)
            return false
        }
        guard isStream, body.count >= (unpacker == nil ? Self.pieceBytes : Self.packedPiece) else { return true }
        return intake.work(for: request.caller) { [self] in
            do throws(Problem) {
                try storeLines(isLast: false)
                try share.hold(rest.count)
                exchange.resume()
            } catch {
                respond(error, exchange)
            }
        } ? false : answerBusy(exchange)
    }

    func finish(_ exchange: any HTTPExchange) {
        // A complete body that needs no long check goes directly to the writer.
        if unpacker == nil, report == nil, !mustBeChecked { return submitBody(exchange) }
        let isAccepted = intake.work(for: request.caller) { [self] in
            do throws(Problem) {
                if isStream {
                    try storeLines(isLast: true)
                    exchange.respond(answer(.success(.done(report ?? RequestReport()))))
                } else {
                    body = try unpacked()
                    submitBody(exchange)
                }
            } catch {
                respond(error, exchange)
            }
        }
        if !isAccepted { _ = answerBusy(exchange) }
    }

    func abandon() { body = [] }

    private func answerBusy(_ exchange: any HTTPExchange) -> Bool {
        exchange.respond(Problem.busy("too many uploads at once").response)
        return true
    }

    // MARK: Whole bodies

    private func unpacked() throws(Problem) -> [UInt8] {
        guard let unpacker else { return body }
        let packed = body
        body = []
        return try unpacker.unpack(packed, atMost: Self.limit, else: Self.tooLong)
    }

    private func submitBody(_ exchange: any HTTPExchange) {
        let ingest: IngestRequest
        do throws(Problem) {
            ingest = try ingestRequest(body)
        } catch {
            return exchange.respond(error.response)
        }
        body = []
        intake.commit.add(GroupCommit.Item(request: ingest) { [self] in exchange.respond(answer($0)) })
    }

    private func ingestRequest(_ bytes: [UInt8]) throws(Problem) -> IngestRequest {
        // The credential is checked again if the body took long to arrive, or if credentials have changed.
        let isFresh = keys.version == checked.version && checked.at.duration(to: .now) < .seconds(KeyRing.refresh)
        guard isFresh || keys.isValid(request.caller.credential) else {
            throw .unauthorized("the key or token has ended while the events were being sent")
        }
        var ingest: IngestRequest
        switch format {
        case .whole(let shape): ingest = IngestRequest(shape, bytes)
        case .binary(let attributes): ingest = IngestRequest(.event, try EventFormat.event(attributes, data: bytes))
        }
        isSingle = ingest.isSingle
        ingest.name = "POST /v1/events"
        ingest.isStrict = request.query.flag(Intake.strict)
        ingest.isAtomic = isAtomic
        ingest.limit(to: request.caller)
        ingest.mayQuarantine = limits.quarantine(of: request.caller)
        if wantsProgress { ingest.progressLimit = 10 }
        return ingest
    }

    // MARK: Lines

    /// Stores the lines that have arrived completely.
    private func storeLines(isLast: Bool) throws(Problem) {
        let taken = body
        body = []
        if let unpacker {
            try unpacker.unpack(taken, isLast: isLast) { (piece) throws(Problem) in
                unpackedBytes += piece.count
                guard unpackedBytes <= Self.limit + received * Self.mostRatio else {
                    throw Problem(
                        413,
                        "body-too-large",
                        "the body unpacks to more than \(Self.mostRatio) times its size"
                    )
                }
                rest += piece
                if rest.count >= Self.pieceBytes { try storePiece(isLast: false) }
            }
        } else {
            rest += taken
        }
        try storePiece(isLast: isLast)
    }

    /// The decompressed bytes that are not stored yet.
    private var rest: [UInt8] = []
    private var unpackedBytes = 0

    /// Stores the complete lines, piece by piece.
    private func storePiece(isLast: Bool) throws(Problem) {
        let end = isLast ? rest.count : (rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
        guard end > 0 || (isLast && report == nil) else {
            // A longer line is not an event, and must not fill the memory.
            if rest.count > Self.limit { throw Self.tooLong }
            return
        }
        var start = 0
        repeat {
            let piece = LinePiece(rest[start..<end], ofAtMost: linesOfPiece)
            if piece.hasText || (isLast && report == nil) { try store(Array(rest[start..<piece.end])) }
            start = piece.end
        } while start < end
        rest.removeFirst(end)
    }

    /// The maximum number of lines in a piece. A piece reports the progress of its own learners only. So uploads that
    /// ask for progress have large pieces.
    private var linesOfPiece: Int { wantsProgress ? IngestRequest.mostEvents : intake.commit.linesOfPiece }
    private var wantsProgress: Bool { request.query.text(Intake.wanted) != nil }

    private func store(_ lines: [UInt8]) throws(Problem) {
        switch try intake.commit.outcome(of: ingestRequest(lines)) {
        case .done(let more):
            var sum = report ?? RequestReport()
            sum.add(more)
            if let progress = more.progress { sum.progress = progress }
            sum.limitProblems()
            report = sum
        case let other: throw Intake.problem(other) ?? Problem(500, "internal", "the events have no result")
        }
    }

    private func respond(_ problem: Problem, _ exchange: any HTTPExchange) {
        var problem = problem
        // Earlier pieces stay stored. The client can send all lines again, because stored events count as duplicates.
        if let report, let json = try? JSONAnswer.encode(report) {
            problem.members["before"] = .string(String(decoding: json, as: UTF8.self))
        }
        exchange.respond(problem.response)
    }

    // MARK: Answers

    private func answer(_ result: Result<IngestOutcome, Problem>) -> HTTPResponse {
        switch result {
        case .failure(let problem): return problem.response
        case .success(let outcome):
            if let problem = Intake.problem(outcome) { return problem.response }
            guard case .done(var report) = outcome else {
                return Problem(500, "internal", "the request has no result").response
            }
            report.limitProblems()
            if isSingle, let problem = report.problems.first {
                return Intake.problem(problem, report, status: report.conflicts > 0 ? 409 : 422).response
            }
            return (try? intake.response(report))
                ?? Problem(500, "internal", "the answer cannot be written").response
        }
    }
}

/// The first lines of some bytes, as many as one transaction can store. Blank lines are not counted.
private struct LinePiece {
    let end: Int
    let hasText: Bool

    init(_ bytes: ArraySlice<UInt8>, ofAtMost most: Int) {
        var (lines, isBlank, hasText, place) = (0, true, false, bytes.startIndex)
        while place < bytes.endIndex, lines < most {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\n") {
                lines += isBlank ? 0 : 1
                isBlank = true
            } else if byte > 0x20 {
                (isBlank, hasText) = (false, true)
            }
            place += 1
        }
        (end, self.hasText) = (place, hasText)
    }
}
