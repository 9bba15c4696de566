// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelResults

extension IngestRequest {
    /// Limits the request to events that the caller may send.
    mutating func limit(to caller: Caller) {
        (learner, source) = (caller.learner, caller.source)
        actor = caller.actor
        rights = caller.may(.decree) ? .administrator : .limited(types: caller.types)
    }
}

/// Stores events that do not come from uploads, but from a page's form or from quarantine.
extension LaurelService {
    /// Stores events in a transaction with other waiting events, and blocks the thread until they are stored.
    /// - Parameter quarantines: true if a refused event goes to quarantine. If false, all events are stored, or none.
    func store(
        _ bytes: [UInt8],
        _ shape: IngestRequest.Shape = .event,
        name: String,
        for caller: Caller,
        quarantines: Bool = true
    ) throws -> RequestReport {
        var request = IngestRequest(shape, bytes)
        // A refused event in an atomic request is not quarantined.
        request.isAtomic = !quarantines
        request.name = name
        return try store(request, for: caller)
    }

    /// Stores the events of a file piece by piece, and blocks the thread until all of them are stored.
    func store(_ file: ConvertedFile, for caller: Caller) throws -> RequestReport {
        var report = RequestReport()
        var start = 0
        while start < file.count {
            let end = min(start + commit.linesOfPiece, file.count)
            var request = file.request(for: start..<end)
            request.mayQuarantine = limits.quarantine(of: caller)
            report.add(try store(request, for: caller))
            report.limitProblems()
            start = end
        }
        return report
    }

    private func store(_ request: IngestRequest, for caller: Caller) throws -> RequestReport {
        var request = request
        request.limit(to: caller)
        switch try commit.outcome(of: request) {
        case .done(let report), .nothingStored(let report): return report
        case let other: throw Intake.problem(other) ?? Problem(500, "internal", "the event has no result")
        }
    }

    /// Stores a corrected line, and removes the original line from quarantine. If the corrected line is refused, the
    /// original line stays. The event must be within the rights of the caller that sends the correction.
    func feed(_ line: Int, _ bytes: [UInt8], for caller: Caller) throws -> RequestReport {
        guard try engine.quarantinedLines(after: line - 1, limit: 1).first?.id == line else {
            throw Problem.notFound("there is no such line")
        }
        let report = try store(bytes, name: "quarantine \(line)", for: caller, quarantines: false)
        if report.problems.isEmpty { _ = try engine.dropQuarantined([line], by: caller.actor) }
        return report
    }
}
