// SPDX-License-Identifier: Apache-2.0

/// Reads CloudEvents 1.0 (JSON, one event per line) into a table, and checks every part.
///
/// A decoder keeps memory and look-ups between events. Create one decoder and use it for all events, on one thread at a
/// time.
package struct EventDecoder {
    package enum Result {
        case ok
        case refused(Refusal)
    }

    let parser = JSONParser()
    let pending = PendingRows()
    let contexts = RecentContexts()
    let shapes = TypeShapes.shared
    let limits = AttributeLimits()
    var names = NameCache()
    var date = RecentDate()
    var zones: ZoneClocks
    var scratch: [UInt8] = []
    /// The names allowed in a strict ingest; nil if all names are allowed.
    package var strictNames: KnownNames? {
        didSet {
            // The cached names were checked for the previous setting.
            if oldValue != nil || strictNames != nil { names = NameCache() }
        }
    }

    /// True if an event of the latest batch had a type or an attribute that the catalogue does not know. An event that
    /// is decoded alone belongs to the latest batch.
    package internal(set) var hasMetUnknownName = false

    /// True if an event so far may have had an unknown field in a type of the catalogue. An unknown field is noticed
    /// when it is first looked up, not at each event. So the check costs nothing.
    package internal(set) var mayHaveMetUnknownField = false

    package init(zones database: TimeZoneDatabase = .shared) {
        zones = ZoneClocks(database)
    }

    /// Decodes one event and appends it to the table. A refused event leaves the table unchanged, except for interned
    /// texts.
    ///
    /// - Parameters:
    ///   - line: one JSON object. Bytes after it are not read.
    ///   - clock: the ingest clock in milliseconds; an event more than 24 hours ahead of it is refused. nil if events may have
    ///     any time.
    /// - Complexity: O(length).
    package mutating func decode(
        line: UnsafeBufferPointer<UInt8>,
        into table: inout EventTable,
        clock: Int64?
    ) -> Result {
        contexts.forget()
        names.begin()
        let refusal = take(line: line, &table, clock)
        pending.move(to: &table)
        return refusal.map(Result.refused) ?? .ok
    }

    /// Decodes the whole records and appends them to the table. Partial records are skipped.
    /// - Parameters:
    ///   - bytes: the bytes that the records' ranges refer to.
    ///   - clock: as for ``decode(line:into:clock:)``.
    ///   - taken: called with the index of each record that became a row.
    ///   - refused: called with the index of each other whole record, and the reason.
    package mutating func decode(
        _ records: [InputRecord],
        of bytes: UnsafeBufferPointer<UInt8>,
        into table: inout EventTable,
        clock: Int64?,
        taken: (Int) -> Void,
        refused: (Int, Refusal) -> Void
    ) {
        contexts.forget()
        hasMetUnknownName = false
        names.begin()
        let names = names
        // The number of successive lines that `appendOrdinary` could not read. After two such lines, it usually
        // cannot read the next lines either. Then it tries only one line in 16.
        var unusual = 0
        for (index, record) in records.enumerated() where record.part == .whole {
            if pending.isFull { pending.move(to: &table) }
            let line = UnsafeBufferPointer(rebasing: bytes[record.range])
            if unusual <= 1 || unusual % 16 == 0, EventDecoder.isEnded(record.range, bytes),
                appendOrdinary(line, names, &table, clock: clock)
            {
                unusual = 0
                taken(index)
            } else {
                unusual += 1
                if let refusal = take(line: line, &table, clock) { refused(index, refusal) } else { taken(index) }
            }
        }
        pending.move(to: &table)
    }

    /// True if a line is not too long, a control character follows it, and enough readable bytes follow that
    /// character. Then a search in the line stops at the control character, and needs no other bound.
    @inline(__always)
    private static func isEnded(_ line: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.count - line.upperBound >= OrdinaryEvent.slack && bytes[line.upperBound] < 0x20
            && 1...Limits.event ~= line.count
    }
}
