// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The origins of a block's ids.
struct Origins {
    private let ofLearner: [Range<Int>]
    /// The source of each origin, as an index of a text.
    private(set) var sources: [UInt32]
    private var prefixes: [UInt32]
    private var styles: [UInt8]

    /// The number of ids of each kind in some rows. Each kind has a separate stream.
    fileprivate struct Counts {
        var numbers = 0
        var fullIDs = 0
        var uuids = 0

        mutating func add(_ style: UInt8, _ count: Int = 1) {
            switch style {
            case EventIdentifier.whole: fullIDs += count
            case BlockFormat.uuidStyle: uuids += count
            default: numbers += count
            }
        }
    }

    /// The origins of some rows, and the positions of their ids in the streams.
    struct IdentifierPositions {
        fileprivate(set) var origins: [UInt32]
        fileprivate var before = Counts()
        fileprivate var within = Counts()
        fileprivate var total = Counts()
    }

    init(_ column: inout SectionReader, learnerCount: Int, limit: Int, texts: inout TextCollector) throws {
        var (total, ofLearner) = (0, [Range<Int>]())
        ofLearner.reserveCapacity(learnerCount)
        for count in try column.integers(count: learnerCount) {
            guard count >= 0, count <= limit - total else { throw Corruption("too many origins") }
            ofLearner.append(total..<total + Int(count))
            total += Int(count)
        }
        self.ofLearner = ofLearner
        sources = try texts.readColumn(from: &column, count: total, 0..<total, limit: total)
        prefixes = try texts.readColumn(from: &column, count: total, 0..<total, limit: total)
        styles = try column.integers(count: total).map { code in
            guard let style = UInt8(exactly: code), style <= 18 || style == EventIdentifier.natural else {
                throw Corruption("an id of an unknown style")
            }
            return style
        }
    }

    /// Reads the origins of some learners' rows.
    /// - Parameters:
    ///   - starts: the first row of each learner, followed by the number of all rows.
    ///   - learners: the learners whose rows are wanted.
    func positions(from column: inout SectionReader, starts: [Int], learners: Range<Int>) throws -> IdentifierPositions
    {
        let allLearners = 0..<ofLearner.count
        let rows = starts[learners.lowerBound]..<starts[learners.upperBound]
        let count = starts[allLearners.upperBound]
        guard let style = styles.first, styles.allSatisfy({ stream($0) == stream(style) }) else {
            let all = try origins(try column.integers(count: count), starts, allLearners)
            var positions = IdentifierPositions(origins: Array(all[rows]))
            for origin in all[..<rows.lowerBound] { positions.before.add(styles[Int(origin)]) }
            for origin in positions.origins { positions.within.add(styles[Int(origin)]) }
            for origin in all { positions.total.add(styles[Int(origin)]) }
            return positions
        }
        // The stream contains the ids of all rows, so a row's number is also its position in the stream.
        var positions = IdentifierPositions(
            origins: try origins(try column.integers(count: count, rows), starts, learners)
        )
        positions.before.add(style, rows.lowerBound)
        positions.within.add(style, rows.count)
        positions.total.add(style, count)
        return positions
    }

    /// - Parameter codes: for each row of the learners, the index of its origin among its learner's origins.
    private func origins(
        _ codes: UnsafeBufferPointer<Int64>,
        _ starts: [Int],
        _ learners: Range<Int>
    ) throws -> [UInt32] {
        try [UInt32](unsafeUninitializedCapacity: codes.count) { output, filled in
            var row = 0
            for learner in learners {
                let (first, count) = (ofLearner[learner].lowerBound, Int64(ofLearner[learner].count))
                for _ in starts[learner]..<starts[learner + 1] {
                    let code = codes[row]
                    guard code >= 0, code < count else { throw Corruption("an origin that is not there") }
                    output.initializeElement(at: row, to: UInt32(truncatingIfNeeded: first &+ Int(code)))
                    row &+= 1
                }
            }
            filled = row
        }
    }

    private func stream(_ style: UInt8) -> Int {
        style == EventIdentifier.whole ? 0 : style == BlockFormat.uuidStyle ? 1 : 2
    }

    func identifiers(
        at positions: IdentifierPositions,
        from ids: inout SectionReader,
        texts: inout TextCollector
    ) throws -> [EventIdentifier] {
        let (before, within, total) = (positions.before, positions.within, positions.total)
        let numbers = Array(
            try ids.integers(count: total.numbers, before.numbers..<before.numbers + within.numbers)
        )
        let (base, textCount) = try texts.read(from: &ids, limit: total.fullIDs)
        let codes = try ids.integers(count: total.fullIDs, before.fullIDs..<before.fullIDs + within.fullIDs)
        guard codes.isEmpty || codes.areAll(in: 1...Int64(max(1, textCount))), textCount > 0 || codes.isEmpty else {
            throw Corruption("an id that is not there")
        }
        let fullIDs = codes.indexes(base: base)
        let firstUUID = try texts.append(uuids: within.uuids) { _ in
            UnsafeRawBufferPointer(rebasing: try ids.frame(count: total.uuids)[before.uuids...].prefix(within.uuids))
        }
        return try identifiers(at: positions.origins, numbers, fullIDs, firstUUID)
    }

    /// Combines the streams into identifiers.
    /// - Parameters:
    ///   - numbers: the differences between successive numbers of the same origin.
    ///   - fullIDs: the indexes of ids that are stored whole and are not UUIDs.
    ///   - firstUUID: the index of the first UUID's text. The other UUIDs follow it.
    private func identifiers(
        at origins: [UInt32],
        _ numbers: [Int64],
        _ fullIDs: [UInt32],
        _ firstUUID: UInt32
    ) throws -> [EventIdentifier] {
        var last = [UInt64](repeating: 0, count: sources.count)
        var next = (number: 0, whole: 0, uuid: firstUUID)
        var identifier = EventIdentifier(prefix: 0)
        // No bounds are checked below. Each row takes one number, whole id or UUID, and exactly that many were read.
        let (styles, prefixes) = (styles.addressWhileAlive, prefixes.addressWhileAlive)
        let (numbers, fullIDs) = (numbers.addressWhileAlive, fullIDs.addressWhileAlive)
        defer { withExtendedLifetime(self) {} }
        return try last.withUnsafeMutableBufferPointer { last in
            try [EventIdentifier](unsafeUninitializedCapacity: origins.count) { output, filled in
                for row in origins.indices {
                    let origin = Int(origins[row])
                    identifier.style = styles[origin]
                    if identifier.style == EventIdentifier.whole {
                        identifier.prefix = fullIDs[next.whole]
                        identifier.number = 0
                        next.whole &+= 1
                    } else if identifier.style == BlockFormat.uuidStyle {
                        identifier.prefix = next.uuid
                        identifier.number = 0
                        identifier.style = EventIdentifier.whole
                        next.uuid &+= 1
                    } else {
                        let number = last[origin] &+ UInt64(bitPattern: numbers[next.number]) &+ 1
                        guard number < 1_000_000_000_000_000_000 else {
                            throw Corruption("an id's number is too large")
                        }
                        last[origin] = number
                        identifier.prefix = prefixes[origin]
                        identifier.number = number
                        next.number &+= 1
                    }
                    output.initializeElement(at: row, to: identifier)
                }
                filled = origins.count
            }
        }
    }
}
