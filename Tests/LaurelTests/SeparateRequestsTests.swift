// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelStore
import StoreTesting
import Synchronization
import Testing

/// Requests that are stored together, while the store fails: each has its own outcome, and the outcome is true.
@Suite struct SeparateRequestsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// One character per request: `a` is all or nothing, `j` is stored with the other `j`.
        let requests: String
        /// The codes of the writes that fail, by number from 1.
        let failures: [Int: String]
        /// A word per request; nil if the call throws.
        let outcomes: String?
        /// The number of stored events afterwards.
        let stored: Int
        /// The number of attempted writes.
        let writes: Int

        init(_ name: String, _ requests: String, _ failures: [Int: String], _ outcomes: String?, _ counts: (Int, Int)) {
            (testDescription, self.requests, self.failures) = (name, requests, failures)
            (self.outcomes, stored, writes) = (outcomes, counts.0, counts.1)
        }
    }

    private static let rows = [
        Row("all is stored", "aja", [:], "done done done", (3, 3)),
        Row("the second fails", "aaa", [2: "corrupt"], "done corrupt done", (2, 3)),
        Row("the last fails", "aaa", [3: "corrupt"], "done done corrupt", (2, 3)),
        Row("those stored together fail", "jaj", [2: "corrupt"], "corrupt done corrupt", (1, 2)),
        Row("it is unknown if one is stored", "aaa", [2: "outcome-unknown"], "done outcome-unknown done", (2, 3)),
        Row(
            "a full disk fails the others without a write",
            "aaaj",
            [2: "disk-full"],
            "done disk-full disk-full disk-full",
            (1, 2)
        ),
        Row("each fails", "aj", [1: "corrupt", 2: "corrupt"], nil, (0, 2)),
        Row("the only one fails", "a", [1: "corrupt"], nil, (0, 1)),
        Row("all those stored together fail", "jj", [1: "corrupt"], nil, (0, 1)),
        Row("there are none", "", [:], "", (0, 0)),
    ]

    @Test(arguments: rows, [Backend.memory, .memoryPartitioned, .sqlite])
    func `each request has its own outcome`(row: Row, backend: Backend) throws {
        let bench = try Bench(backend)
        let store = WatchedStore(bench.store)
        let engine = try ProgressEngine(store: store, rules: Bench.load("version: 1"), clock: Bench.now)
        // The first write of a store gives it its rules.
        _ = try engine.ingest(Array(line("first").utf8), now: Bench.now)
        let counted = Counted(row.failures)
        store.willWrite = { try counted.next() }
        let requests = row.requests.enumerated().map { index, kind in
            var request = IngestRequest(.event, Array(line("\(index)").utf8))
            request.isAtomic = kind == "a"
            return request
        }
        let outcomes = Result { () throws(EngineError) in
            try engine.ingest(together: requests, now: Date(milliseconds: Bench.now))
        }
        store.willWrite = {}
        switch outcomes {
        case .success(let outcomes): #expect(outcomes.map(Self.word).joined(separator: " ") == row.outcomes)
        case .failure(let error): #expect(row.outcomes == nil && error.code == .corrupt)
        }
        #expect(counted.count == row.writes)
        #expect(try engine.statistics().events - 1 == row.stored)
    }

    /// An event is stored, but the progress that the request asked for cannot be read.
    @Test func `what is stored is told as stored`() throws {
        let bench = try Bench(.sqlite)
        let store = WatchedStore(bench.store)
        let engine = try ProgressEngine(store: store, rules: Bench.load("version: 1"), clock: Bench.now)
        store.didCommit = { [weak store] in
            store?.willRead = { throw StoreError(.ioError, "reading fails") }
        }
        // Progress at the present needs a read, because the event lies ahead of it.
        let later = line("1", at: Timestamp(milliseconds: Bench.now + 3_600_000).description)
        var request = IngestRequest(.event, Array(later.utf8))
        (request.isAtomic, request.progressLimit) = (true, 1)
        let outcomes = try engine.ingest(together: [request], now: Date(milliseconds: Bench.now))
        (store.willRead, store.didCommit) = ({}, {})
        guard case .done(let report) = outcomes[0] else { throw CocoaError(.featureUnsupported) }
        #expect(report.stored == 1 && report.progress == [])
        #expect(try engine.statistics().events == 1)
    }

    private static func word(_ outcome: IngestOutcome) -> String {
        switch outcome {
        case .done(let report): report.stored == 1 ? "done" : "nothing"
        case .failed(let error): error.code.rawValue
        case .nothingStored, .notAllowed, .unreadable: "refused"
        }
    }
}

/// Counts writes, and lets some of them fail.
private final class Counted: Sendable {
    private let number = Mutex(0)
    private let failures: [Int: String]

    init(_ failures: [Int: String]) { self.failures = failures }

    var count: Int { number.withLock { $0 } }

    func next() throws {
        let number = number.withLock { number in
            number += 1
            return number
        }
        guard let code = failures[number] else { return }
        throw StoreError(StoreError.Code(rawValue: code), "write \(number) fails")
    }
}
