// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelClient
import LaurelEvents
@_exported public import SeededRandom
import Synchronization
import Testing

/// A folder with an outbox, and the events delivered from it. The folder is removed with its last reference.
final class Workshop: Sendable {
    let folder: URL
    var outbox: URL { folder.appending(path: "outbox") }
    /// The delivered events, line by line.
    let delivered = Mutex<[String]>([])

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "laurel-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A client whose delivered events are kept here.
    func client(_ change: (inout ClientConfiguration) -> Void = { _ in }) throws -> LaurelClient {
        try client(delivery: ClosureDelivery { batch in self.take(batch) }, change)
    }

    func client(
        delivery: some Delivery,
        _ change: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> LaurelClient {
        var configuration = ClientConfiguration()
        configuration.now = { Workshop.now }
        configuration.timeZone = { TimeZone(secondsFromGMT: 3600)! }
        change(&configuration)
        return try LaurelClient(folder: outbox, application: "app", delivery: delivery, configuration: configuration)
    }

    func take(_ batch: Batch) -> Receipt {
        delivered.withLock { $0 += batch.lines }
        return .accepted
    }

    /// The `line` fields of the delivered events, in order.
    func lines() throws -> [String] { try delivered.withLock { try $0.map { try Line($0).name } } }

    static let now = Date(timeIntervalSince1970: 1_770_300_000)
    static let context = PracticeContext(learner: "ana", language: "es", session: "s1")

    /// The outbox's files by name, with their bytes.
    func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: outbox.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: outbox.appending(path: $0))) }
        )
    }

    /// Replaces the files of the outbox.
    func restore(_ files: [String: Data]) throws {
        try? FileManager.default.removeItem(at: outbox)
        try FileManager.default.createDirectory(at: outbox, withIntermediateDirectories: true)
        for (name, data) in files { try data.write(to: outbox.appending(path: name)) }
    }
}

extension Batch {
    var lines: [String] { String(decoding: ndjson, as: UTF8.self).split(separator: "\n").map(String.init) }
}

extension LaurelClient {
    /// Records a spoken line with a name.
    @discardableResult
    func speak(_ name: String) async throws -> EventIdentity {
        try await record(.lineSpoken(line: name), in: Workshop.context)
    }

    /// The present state.
    func status() async -> DeliveryProgress {
        for await state in progress { return state }
        return DeliveryProgress()
    }
}

/// A delivered event.
struct Line {
    let id: String
    let source: String
    /// The field `line`.
    let name: String

    init(_ json: String) throws {
        guard case .object(let members)? = JSONValue(validated: Array(json.utf8)),
            case .string(let id)? = members["id"], case .string(let source)? = members["source"],
            case .object(let data)? = members["data"], case .string(let name)? = data["line"]
        else { throw UnexpectedLine(json: json) }
        (self.id, self.source, self.name) = (id, source, name)
    }

    struct UnexpectedLine: Error { var json: String }
}

/// A clock by which nobody waits. It notes the requested waits.
final class NotingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private let waited = Mutex<[Duration]>([])
    var waits: [Duration] { waited.withLock { $0 } }
    var now: Instant { Instant(offset: waits.reduce(.zero, +)) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let duration = now.duration(to: deadline)
        waited.withLock { $0.append(duration) }
        await Task.yield()
    }
}
