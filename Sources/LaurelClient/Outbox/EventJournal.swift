// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The durable queue of an outbox, without delivery. The Kotlin client on Apple's systems stores its events in such a
/// queue; see `Examples/KotlinBridge`.
///
/// Only one journal or ``LaurelClient`` at a time can open a folder. The methods read and write files. Call only one of
/// them at a time.
public final class EventJournal {
    private let outbox: Outbox

    /// The `source` of all events: this installation of the app.
    public var source: String { outbox.source }
    /// The number of lines.
    public var count: Int { outbox.waiting.count }
    /// The size of the lines, in bytes.
    public var bytes: Int { outbox.waiting.bytes }

    /// Opens a journal, and creates it if it does not exist.
    /// - Parameters:
    ///   - folder: a folder that contains only the journal.
    ///   - application: the app's name, with which ``source`` begins; 1 to 200 bytes without control characters.
    /// - Throws: ``OutboxError``.
    public init(folder: URL, application: String) throws {
        try Outbox.check(application: application)
        outbox = try Outbox(folder: folder.path, application: application, limits: .none)
    }

    /// Adds lines at the end. When the function returns, the lines survive a kill of the process and a power failure.
    /// - Throws: ``OutboxError``. The lines may come back when the journal is next opened.
    public func append(_ lines: [Data]) throws {
        guard !lines.isEmpty else { return }
        try outbox.reserve(lines.count)
        try outbox.stage(lines.map { Array($0) }, inFlight: 0)
        try outbox.commit()
    }

    /// Returns the oldest lines within the limits of count and bytes. If there are lines, at least one line is
    /// returned.
    /// - Throws: ``OutboxError``.
    public func oldest(_ count: Int, bytes: Int) throws -> [Data] {
        try outbox.oldest(events: count, bytes: bytes).map { Data($0.event) }
    }

    /// Removes the oldest lines. After a power failure, the lines may come back.
    public func removeOldest(_ count: Int) { outbox.removeDelivered(count) }

    /// Unlocks the folder. Do not use the journal afterwards.
    public func close() {
        // If closing fails, some reserved numbers stay unused, which is harmless.
        try? outbox.close()
    }
}

extension OutboxLimits {
    /// No limits, because the caller counts the lines.
    fileprivate static var none: OutboxLimits { OutboxLimits(events: .max, bytes: .max) }
}
