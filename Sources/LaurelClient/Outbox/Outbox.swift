// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The events that wait to be delivered. Their files survive a kill of the process at any moment. Acknowledged events
/// also survive a power failure.
///
/// Segments are append-only, and only the process that created a segment writes to it. A length and a checksum delimit
/// records (see ``RecordFormat``). After a failed write, no further record is written to the segment, because its state
/// on disk is unknown. Numbers ascend. A number is never reused, even after a failed write, because the record may be
/// on disk.
final class Outbox {
    struct Segment {
        var number: Int
        var size: Int
    }

    static let segmentBytes = 256 << 10

    var source: String { device.source }
    /// The number of the next event.
    private(set) var next: UInt64
    private(set) var waiting: EntryQueue
    /// The number of events that were dropped since the outbox was opened.
    private(set) var dropped = 0

    private let folder: String
    private let limits: OutboxLimits
    private let lock: DurableFile
    private var device: DeviceFile
    /// The segments, ascending by number.
    private var segments: [Segment] = []
    /// The number of waiting events in each segment, by the segment's number.
    private var live: [Int: Int] = [:]
    /// The last segment, if this process created it and no write failed; otherwise nil.
    private var active: DurableFile?
    private var staged: [(number: UInt64, event: [UInt8])] = []
    private var stagedBytes = 0
    /// The records of removed events, to be written with the next commit.
    private var removals: [UInt8] = []

    /// Opens the outbox in a folder, and creates it if it does not exist.
    /// - Complexity: O(bytes in the outbox).
    init(folder: String, application: String, limits: OutboxLimits) throws(OutboxError) {
        self.folder = folder
        self.limits = limits
        try Outbox.prepare(folder)
        lock = try DurableFile("\(folder)/lock", .append)
        guard Outbox.takes(lock) else {
            throw OutboxError(.inUse, "the outbox \(folder) is in use; one client at a time may open it")
        }
        device = DeviceFile(folder: folder, application: application)
        let found = try RecoveredSegments(folder: folder)
        segments = found.segments
        waiting = EntryQueue(found.waiting)
        for entry in found.waiting { live[entry.segment, default: 0] += 1 }
        next = max(found.highest, device.reserved) + 1
        // The writes of a killed process may not be durable. They are made durable before delivery. Otherwise the
        // events' numbers could be used again after a power failure.
        for segment in segments where live[segment.number] != nil {
            try DurableFile(path(segment.number), .append).synchronize()
        }
        if !segments.isEmpty { try FileNames.synchronize(folder: folder) }
        removeEmptySegments()
    }

    static func check(application: String) throws(OutboxError) {
        guard 1...200 ~= application.utf8.count, application.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw OutboxError(.invalidConfiguration, "the application's name must have 1 to 200 bytes, none of control")
        }
    }

    /// Tries to lock the outbox; false if another process or client holds the lock. Retries for a while, because
    /// another thread may still be closing a released client.
    private static func takes(_ lock: DurableFile) -> Bool {
        for _ in 0..<50 {
            if lock.lock(wait: false) { return true }
            usleep(10_000)
        }
        return false
    }

    /// Frees numbers that were reserved but not used, and unlocks the outbox.
    func close() throws(OutboxError) {
        defer { lock.unlock() }
        try device.release(after: next - 1)
    }

    // MARK: Writing

    /// Reserves numbers for some events, from ``next`` on. Numbers that ``stage(_:)`` does not use stay unused.
    func reserve(_ count: Int) throws(OutboxError) { try device.reserve(through: next + UInt64(count) - 1) }

    /// Stages events for the next ``commit()``, numbered from ``next`` on.
    /// - Parameter inFlight: the number of events at the front of the queue that are being sent. They are not dropped.
    /// - Throws: ``OutboxError/Code/full``. Then no event is staged.
    func stage(_ events: [[UInt8]], inFlight: Int) throws(OutboxError) {
        let bytes = events.reduce(0) { $0 + $1.count }
        try makeRoom(events: events.count, bytes: bytes, inFlight: inFlight)
        for event in events {
            staged.append((next, event))
            next += 1
        }
        stagedBytes += bytes
    }

    /// Makes all staged events durable.
    /// - Throws: the error of the write. The staged events are dropped, and their numbers are not reused.
    func commit() throws(OutboxError) {
        guard !staged.isEmpty else { return }
        defer {
            staged = []
            stagedBytes = 0
            removals = []
        }
        do throws(OutboxError) {
            let file = try activeSegment()
            var bytes = removals
            var entries: [Entry] = []
            let (segment, start) = (segments[segments.count - 1].number, segments[segments.count - 1].size)
            for (number, event) in staged {
                RecordFormat.append(.event, number...number, event, to: &bytes)
                let offset = start + bytes.count - event.count
                entries.append(Entry(number: number, segment: segment, offset: offset, length: event.count))
            }
            try file.append(bytes)
            try file.synchronize()
            segments[segments.count - 1].size += bytes.count
            live[segment, default: 0] += entries.count
            for entry in entries { waiting.append(entry) }
        } catch {
            active = nil
            throw error
        }
        reclaimSpace()
    }

    /// Removes the oldest events after their delivery.
    func removeDelivered(_ count: Int) {
        guard count > 0 else { return }
        var bytes: [UInt8] = []
        forget(waiting.remove(count), .delivered, &bytes)
        // The removal is not synchronized to disk. If the removal is lost, the events are delivered again, which has no
        // effect. So an error here does not make the delivery fail.
        do throws(OutboxError) {
            let file = try activeSegment()
            try file.append(bytes)
            segments[segments.count - 1].size += bytes.count
        } catch {
            active = nil
        }
        reclaimSpace()
    }

    private func forget(_ removed: [Entry], _ kind: RecordFormat.Kind, _ output: inout [UInt8]) {
        guard let first = removed.first, let last = removed.last else { return }
        RecordFormat.append(kind, first.number...last.number, to: &output)
        for entry in removed { live[entry.segment]! -= 1 }
    }

    // MARK: Reading

    /// The JSON of the oldest events within the limits of count and bytes. If there are events, at least one is
    /// returned.
    func oldest(events: Int, bytes: Int) throws(OutboxError) -> [(number: UInt64, event: [UInt8])] {
        var batch: [(number: UInt64, event: [UInt8])] = []
        var size = 0
        var file: (segment: Int, file: DurableFile)?
        for entry in waiting.all.prefix(events) {
            size += entry.length + 1
            if size > bytes, !batch.isEmpty { break }
            if file?.segment != entry.segment {
                file = (entry.segment, try DurableFile(path(entry.segment), .read))
            }
            batch.append((entry.number, try file!.file.read(at: entry.offset, count: entry.length)))
        }
        return batch
    }
}

// MARK: Room

extension Outbox {
    private func makeRoom(events: Int, bytes: Int, inFlight: Int) throws(OutboxError) {
        var tooMany = waiting.count + staged.count + events - limits.events
        var tooLong = waiting.bytes + stagedBytes + bytes - limits.bytes
        guard tooMany > 0 || tooLong > 0 else { return }
        guard limits.whenFull == .dropOldest, events <= limits.events, bytes <= limits.bytes else { throw full() }
        var count = 0
        for entry in waiting.all.dropFirst(inFlight) {
            if tooMany <= 0, tooLong <= 0 { break }
            count += 1
            tooMany -= 1
            tooLong -= entry.length
        }
        guard tooMany <= 0, tooLong <= 0 else { throw full() }
        // If the commit fails, the dropped events are still in the files, and wait again when the outbox is next
        // opened.
        forget(waiting.remove(count, behind: inFlight), .dropped, &removals)
        dropped += count
    }

    private func full() -> OutboxError {
        OutboxError(
            .full,
            "the outbox is full: \(waiting.count) events of \(waiting.bytes) bytes wait to be delivered, "
                + "\(limits.events) events of \(limits.bytes) bytes may"
        )
    }

    /// Removes unneeded segments. Compacts waiting events if that frees much space.
    private func reclaimSpace() {
        removeEmptySegments()
        let size = segments.reduce(0) { $0 + $1.size }
        if size > 2 * waiting.bytes + 4 * Outbox.segmentBytes {
            // If compaction fails, for example because the disk is full, the outbox is unchanged.
            try? compact()
        }
    }

    /// Removes empty segments in order, beginning with the oldest: see ``RecordFormat``.
    private func removeEmptySegments() {
        while let first = segments.first, live[first.number] ?? 0 == 0, segments.count > 1 || active == nil {
            guard (try? FileNames.remove(path(first.number))) != nil else { return }
            live[first.number] = nil
            segments.removeFirst()
        }
    }

    /// Copies all waiting events to a new segment, and removes all other segments.
    private func compact() throws(OutboxError) {
        let number = nextSegment
        var isDone = false
        defer { if !isDone { try? FileNames.remove(path(number)) } }
        let file = try DurableFile(path(number), .replace)
        var bytes = RecordFormat.header
        var moved: [Entry] = []
        var size = 0
        var source: (segment: Int, file: DurableFile)?
        for entry in waiting.all {
            if source?.segment != entry.segment {
                source = (entry.segment, try DurableFile(path(entry.segment), .read))
            }
            let event = try source!.file.read(at: entry.offset, count: entry.length)
            RecordFormat.append(.event, entry.number...entry.number, event, to: &bytes)
            let offset = size + bytes.count - event.count
            moved.append(Entry(number: entry.number, segment: number, offset: offset, length: event.count))
            guard bytes.count >= Outbox.segmentBytes else { continue }
            try file.append(bytes)
            size += bytes.count
            bytes = []
        }
        try file.append(bytes)
        try file.synchronize()
        try FileNames.synchronize(folder: folder)
        waiting.relocate(moved)
        segments.append(Segment(number: number, size: size + bytes.count))
        live = [number: moved.count]
        active = file
        isDone = true
        removeEmptySegments()
    }
}

// MARK: Segments

extension Outbox {
    private func path(_ segment: Int) -> String { Outbox.path(folder, segment) }
    private var nextSegment: Int { (segments.last?.number ?? 0) + 1 }

    /// The segment to append to. It is new if the last segment is full, or if another process created that segment.
    private func activeSegment() throws(OutboxError) -> DurableFile {
        if let active, segments[segments.count - 1].size < Outbox.segmentBytes { return active }
        active = nil
        let number = nextSegment
        let file = try DurableFile(path(number), .replace)
        segments.append(Segment(number: number, size: RecordFormat.header.count))
        try file.append(RecordFormat.header)
        try FileNames.synchronize(folder: folder)
        active = file
        return file
    }

    static func path(_ folder: String, _ segment: Int) -> String { "\(folder)/\(fileName(segment))" }

    static func fileName(_ segment: Int) -> String {
        let digits = String(segment)
        return "outbox-\(String(repeating: "0", count: max(0, 10 - digits.count)))\(digits).log"
    }

    private static func prepare(_ folder: String) throws(OutboxError) {
        do {
            let url = URL(fileURLWithPath: folder, isDirectory: true)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            #if canImport(Darwin)
                // The folder is excluded from backups. A backup restored to a second device would give two devices the
                // same source.
                var excluded = url
                var values = URLResourceValues()
                values.isExcludedFromBackup = true
                try excluded.setResourceValues(values)
            #endif
        } catch {
            throw OutboxError(.ioError, "the folder \(folder) cannot be made: \(error.localizedDescription)")
        }
    }
}
