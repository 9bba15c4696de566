// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// The corrections in force: retracted events and discarded sessions.
struct Voids: Sendable {
    /// The keys of retracted events. A key is the source's length in four bytes, then the source, then the id.
    var retracted = DistinctValues()
    var discardedSessions = DistinctValues()

    init() {}

    var isEmpty: Bool { retracted.count == 0 && discardedSessions.count == 0 }

    /// True if every key of a retracted event contains a source and an id. Invalid bytes in a snapshot can make it
    /// false.
    var isWellFormed: Bool {
        (0..<retracted.count).allSatisfy { index in
            retracted.keys[UInt32(index + 1)].withUnsafeBufferPointer { key in
                key.count >= 4 && Voids.idStart(in: key) <= key.count
            }
        }
    }

    /// The offset of the id in a key.
    static func idStart(in key: UnsafeBufferPointer<UInt8>) -> Int {
        4 + (0..<4).reduce(0) { $0 | Int(key[$1]) << ($1 * 8) }
    }

    static func key(source: some Collection<UInt8>, id: some Collection<UInt8>) -> [UInt8] {
        withUnsafeBytes(of: UInt32(source.count).littleEndian) { Array($0) } + source + id
    }

    func isRetracted(_ table: EventTable, _ row: Int) -> Bool {
        guard retracted.count > 0 else { return false }
        let key = Voids.key(source: table.texts[table.source[row]], id: table.identifier(row))
        return key.withUnsafeBufferPointer { retracted.keys.find($0) != nil }
    }

    /// The reason why an event is void. The event must be void.
    func reason(_ table: EventTable, _ row: Int) -> VoidReason {
        isRetracted(table, row) ? .retracted : .sessionDiscarded
    }
}

/// Decides which rows of a table are void. For most rows, comparing a number is enough.
struct VoidEvents {
    /// The corrections; nil if the learner has none.
    private let voids: Voids?
    /// A bit set that excludes most events quickly. For each retracted id, bit n % 4096 is set, where n is the number
    /// at the end of the id. A full comparison takes a hundred times as long.
    private let retractedNumbers: [UInt64]
    /// The session of the latest row, as an index into the table's texts, and a flag that is true if this session is
    /// discarded.
    private var session: UInt32 = 0
    private var isDiscarded = false
    var isNeeded: Bool { voids != nil }

    init(_ voids: Voids) {
        self.voids = voids.isEmpty ? nil : voids
        var numbers: [UInt64] = []
        if !voids.isEmpty { numbers = Array(repeating: 0, count: 64) }
        for index in 0..<voids.retracted.count {
            voids.retracted.keys[UInt32(index + 1)].withUnsafeBufferPointer { key in
                let number = EventIdentifier.split(UnsafeBufferPointer(rebasing: key[Voids.idStart(in: key)...])).number
                numbers[Int(number >> 6 & 63)] |= 1 << (number & 63)
            }
        }
        retractedNumbers = numbers
    }

    /// True if a correction voids the event. Retractions are never void. A discarded session does not void an
    /// administrator's event. Only a retraction can void such an event.
    mutating func isVoid(_ bound: PlannedTable, _ columns: EventColumns, _ row: Int) -> Bool {
        if columns.session[row] != session { enter(columns.session[row], columns) }
        let number = columns.identifiers[row].number
        let mayBeRetracted = retractedNumbers[Int(number >> 6 & 63)] & (1 << (number & 63)) != 0
        return (isDiscarded || mayBeRetracted) && isVoid(bound, row)
    }

    @inline(never)
    private func isVoid(_ bound: PlannedTable, _ row: Int) -> Bool {
        if case .eventRetracted = bound.kind(row) { return false }
        return isDiscarded && !bound.isAdministered(row) || voids?.isRetracted(bound.table, row) == true
    }

    private mutating func enter(_ session: UInt32, _ columns: EventColumns) {
        self.session = session
        isDiscarded = session != 0 && voids?.discardedSessions.keys.find(columns.bytes(session)) != nil
    }
}
