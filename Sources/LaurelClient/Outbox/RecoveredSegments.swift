// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The contents of the segments in a folder. A killed process may have left them incomplete.
struct RecoveredSegments {
    /// The segments, ascending by number.
    private(set) var segments: [Outbox.Segment] = []
    /// The waiting events, ascending by number.
    private(set) var waiting: [Entry] = []
    /// The highest number in any record.
    private(set) var highest: UInt64 = 0

    init(folder: String) throws(OutboxError) {
        var entries: [UInt64: Entry] = [:]
        var removals: [ClosedRange<UInt64>] = []
        for number in RecoveredSegments.numbers(folder) {
            let file = try DurableFile(Outbox.path(folder, number), .read)
            let bytes = try file.read(at: 0, count: file.size)
            segments.append(Outbox.Segment(number: number, size: bytes.count))
            try RecordFormat.scan(bytes) { record in
                highest = max(highest, record.numbers.upperBound)
                guard record.kind == .event else { return removals.append(record.numbers) }
                let event = record.numbers.lowerBound
                // A process that was killed after copying an event may have left two copies. Both copies count as one
                // event.
                entries[event] = Entry(
                    number: event,
                    segment: number,
                    offset: record.range.lowerBound,
                    length: record.range.count
                )
            }
        }
        waiting = RecoveredSegments.without(removals, entries.values.sorted { $0.number < $1.number })
    }

    /// The largest number of a segment. Laurel makes no files with larger numbers or without a number.
    private static let largest = 1 << 62

    private static func numbers(_ folder: String) -> [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("outbox-") && $0.hasSuffix(".log") }
            .compactMap { Int($0.dropFirst(7).dropLast(4)) }
            .filter { (1...largest).contains($0) && names.contains(Outbox.fileName($0)) }
            .sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// The entries without removed events. Numbers are never reused, so the order of events and removals does not
    /// matter.
    private static func without(_ removals: [ClosedRange<UInt64>], _ entries: [Entry]) -> [Entry] {
        var merged: [ClosedRange<UInt64>] = []
        for range in removals.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        var rest = merged[...]
        return entries.filter { entry in
            while let first = rest.first, first.upperBound < entry.number { rest.removeFirst() }
            return rest.first.map { !$0.contains(entry.number) } ?? true
        }
    }
}
