// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The ids of a block's events, split into the columns of the format.
struct IdentifierColumns {
    private(set) var originCounts: [Int64] = []
    private(set) var sources: [UInt32] = []
    private(set) var prefixes: [UInt32] = []
    private(set) var styles: [Int64] = []
    private(set) var ofRow: [Int64] = []
    private(set) var numbers: [Int64] = []
    private(set) var uuidHighs: [UInt64] = []
    private(set) var uuidLows: [UInt64] = []
    /// The ids that are stored whole and are not UUIDs, as indexes into `fullIDTexts`.
    private(set) var fullIDs: [UInt32] = []
    private(set) var fullIDTexts = TextTable()

    private struct Origin: Hashable {
        var source: UInt32
        var prefix: UInt32
        var style: UInt8
    }

    /// The indexes of the current learner's origins.
    private var indexes: [Origin: Int] = [:]
    private var lastNumbers: [UInt64] = []
    private var last = (origin: Origin(source: 0, prefix: 0, style: 0), index: -1)

    mutating func removeAll() {
        originCounts.removeAll(keepingCapacity: true)
        sources.removeAll(keepingCapacity: true)
        prefixes.removeAll(keepingCapacity: true)
        styles.removeAll(keepingCapacity: true)
        ofRow.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        uuidHighs.removeAll(keepingCapacity: true)
        uuidLows.removeAll(keepingCapacity: true)
        fullIDs.removeAll(keepingCapacity: true)
        fullIDTexts.removeAll()
    }

    mutating func beginLearner() {
        indexes.removeAll(keepingCapacity: true)
        lastNumbers.removeAll(keepingCapacity: true)
        last.index = -1
    }

    mutating func endLearner() { originCounts.append(Int64(lastNumbers.count)) }

    /// - Parameter record: a cursor at the id.
    @inline(__always)
    mutating func append(_ context: PackedEvents.Context, _ record: inout PackedCursor) {
        let origin = Origin(source: context.source, prefix: context.prefix, style: context.style)
        if last.index < 0 || last.origin != origin { last = (origin, index(of: origin)) }
        ofRow.append(Int64(last.index))
        switch origin.style {
        case BlockFormat.uuidStyle:
            uuidHighs.append(record.word())
            uuidLows.append(record.word())
        case EventIdentifier.whole:
            let text = record.text(count: Int(record.varint()))
            fullIDs.append(text.isEmpty ? 0 : fullIDTexts.intern(text))
        default:
            let number = record.varint()
            numbers.append(Int64(bitPattern: number &- lastNumbers[last.index] &- 1))
            lastNumbers[last.index] = number
        }
    }

    private mutating func index(of origin: Origin) -> Int {
        if let index = indexes[origin] { return index }
        indexes[origin] = lastNumbers.count
        lastNumbers.append(0)
        sources.append(origin.source)
        prefixes.append(origin.prefix)
        styles.append(Int64(origin.style))
        return lastNumbers.count - 1
    }
}
