// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelHTTP
import LaurelResults

/// The client with which `laurel conform` tries a service. It keeps its events in memory, and sends each batch until the
/// service has acknowledged it.
struct DiligentClient {
    let service: Upstream
    let headers: HTTPHeaders
    /// The beginning of each event's mark. A mark identifies an event: it is the event's id, and the line in its data.
    let name: String

    private static let batches = 40
    private static let eventsInBatch = 20

    /// Sends all batches.
    /// - Returns: the marks of the acknowledged events.
    func run(until end: ContinuousClock.Instant) -> [String] {
        var acknowledged: [String] = []
        for batch in 0..<Self.batches {
            let marks = (0..<Self.eventsInBatch).map { "\(name)-\(batch * Self.eventsInBatch + $0)" }
            guard deliver(marks.map(event)[...], until: end) else { break }
            acknowledged += marks
        }
        return acknowledged
    }

    private func event(_ mark: String) -> String {
        #"{"specversion":"1.0","id":"\#(mark)","source":"laurel-conform","type":"line.spoken","subject":"\#(name)","#
            + #""time":"2026-04-05T18:00:00Z","language":"es","data":{"line":"\#(mark)","accuracy":0.9}}"#
    }

    /// Sends a batch again and again until it is acknowledged.
    /// - Returns: false if the time is over.
    private func deliver(_ lines: ArraySlice<String>, until end: ContinuousClock.Instant) -> Bool {
        while ContinuousClock.now < end {
            let body = Array(lines.joined(separator: "\n").utf8)
            let answer = service.ask("POST", "/v1/events", headers: headers, body: body)
            let report = answer.flatMap { try? LaurelJSON.decode(RequestReport.self, from: Data($0.bytes)) }
            if answer?.status == 200, report?.read == lines.count { return true }
            if answer?.status == 413, lines.count > 1 {
                let middle = lines.startIndex + lines.count / 2
                return deliver(lines[..<middle], until: end) && deliver(lines[middle...], until: end)
            }
            let seconds = answer?.headers["Retry-After"].flatMap { Double($0) }
            Thread.sleep(forTimeInterval: min(seconds ?? 0.02, 60))
        }
        return false
    }
}
