// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelClient

/// The Kotlin client's journal over LaurelClient's outbox: synchronized files with checksums, which Apple's backups
/// exclude.
///
/// An app creates one journal for waiting events and one for refused events, in two folders:
///
/// ```swift
/// let support = URL.applicationSupportDirectory
/// let client = LaurelClient(
///     service: "https://progress.example",
///     events: try OutboxJournal(folder: support.appending(path: "laurel/events"), application: "school"),
///     refusals: try OutboxJournal(folder: support.appending(path: "laurel/refused"), application: "school"),
///     transport: SessionTransport(),
///     clock: { let now = deviceTime(); return Moment(milliseconds: now.milliseconds, offsetMinutes: now.offsetMinutes) },
///     …
/// )
/// ```
final class OutboxJournal: Journal {
    private let journal: EventJournal

    init(folder: URL, application: String) throws {
        journal = try EventJournal(folder: folder, application: application)
    }

    var source: String { journal.source }
    var count: Int32 { Int32(clamping: journal.count) }
    var bytes: Int64 { Int64(journal.bytes) }

    func append(lines: [String]) throws { try journal.append(lines.map { Data($0.utf8) }) }

    func oldest(count: Int32, bytes: Int64) throws -> [String] {
        try journal.oldest(Int(count), bytes: Int(clamping: bytes)).map { String(decoding: $0, as: UTF8.self) }
    }

    func removeOldest(count: Int32) throws { journal.removeOldest(Int(count)) }

    func close() { journal.close() }
}

/// The present time and the minutes that the device's clock is ahead of UTC, for the Kotlin client's clock.
func deviceTime() -> (milliseconds: Int64, offsetMinutes: Int32) {
    let now = Date()
    let offset = TimeZone.autoupdatingCurrent.secondsFromGMT(for: now) / 60
    return (Int64(now.timeIntervalSince1970 * 1000), Int32(offset))
}
