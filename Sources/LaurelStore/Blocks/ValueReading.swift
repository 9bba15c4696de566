// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// The positions of one field's values among the values of all events.
struct ValueOffsets {
    /// The field, as an index into the table's fields.
    let field: UInt32
    /// All values of the table.
    let values: UnsafeMutableBufferPointer<EventValue>
    /// The position in `values` of each wanted value of this field.
    let positions: UnsafeBufferPointer<UInt32>

    @inline(__always)
    func fill(_ kind: EventValue.Kind, _ payload: (Int) -> UInt64) {
        // One value is changed and copied, because `EventValue`'s initialiser would be a call into another module.
        var value = EventValue(field: field, kind: kind)
        for index in positions.indices {
            value.payload = payload(index)
            values[Int(positions[index])] = value
        }
    }
}

/// Reads the output of `append(values:texts:dictionary:)`.
extension SectionReader {
    /// - Parameters:
    ///   - count: the number of values in the whole column.
    ///   - range: the wanted values, by their positions in the column. The output has an element for each.
    mutating func readValues(
        count: Int,
        _ range: Range<Int>,
        texts: inout TextCollector,
        into positions: ValueOffsets
    ) throws {
        switch try directory.byte() {
        case ValueColumn.uniform:
            try readUniform(try kind(Int64(try directory.byte())), count: count, range, texts: &texts, into: positions)
        case ValueColumn.derived: try readDerived(count: count, range, into: positions)
        case ValueColumn.listed: try readListed(count: count, range, texts: &texts, into: positions)
        default: throw Corruption("values in an unknown layout")
        }
    }

    /// Reads values of one kind. Nearly every column has only one kind.
    private mutating func readUniform(
        _ kind: EventValue.Kind,
        count: Int,
        _ range: Range<Int>,
        texts: inout TextCollector,
        into positions: ValueOffsets
    ) throws {
        if ValueColumn.isText(kind) {
            let indexes = try texts.readColumn(from: &self, count: count, range, limit: count)
            indexes.withUnsafeBufferPointer { indexes in positions.fill(kind) { UInt64(indexes[$0]) } }
            return
        }
        guard ValueColumn.isNumber(kind) else { return positions.fill(kind) { _ in 0 } }
        let scale = try readScale()
        let numbers = try integers(count: count, range)
        if scale == Int(ValueColumn.unscaled) || ValueColumn.isInteger(kind) && scale == 0 {
            // Integers and doubles have separate streams. Here one of the two is empty.
            if !ValueColumn.isInteger(kind) { try SectionReader.checkDoubles(numbers) }
            positions.fill(kind) { UInt64(bitPattern: numbers[$0]) }
        } else if ValueColumn.isInteger(kind) {
            let power = ValueColumn.integerPowers[scale]
            positions.fill(kind) { UInt64(bitPattern: numbers[$0] / power) }
        } else {
            let divisor = ValueColumn.powers[scale]
            positions.fill(kind) { (Double(numbers[$0]) / divisor).bitPattern }
        }
    }

    /// Checks that all numbers are finite. Events contain only finite numbers, so any other number is damage.
    private static func checkDoubles(_ bitPatterns: UnsafeBufferPointer<Int64>) throws {
        for bits in bitPatterns { try checkDouble(bits) }
    }

    private static func checkDouble(_ bits: Int64) throws {
        guard Double(bitPattern: UInt64(bitPattern: bits)).isFinite else { throw Corruption("a number that is none") }
    }

    private func kind(_ code: Int64) throws -> EventValue.Kind {
        guard let kind = UInt8(exactly: code).flatMap(EventValue.Kind.init(rawValue:)) else {
            throw Corruption("a value of an unknown kind")
        }
        return kind
    }

    private mutating func readScale() throws -> Int {
        let scale = Int(try directory.byte())
        guard scale < ValueColumn.powers.count || scale == Int(ValueColumn.unscaled) else {
            throw Corruption("numbers of an unknown scale")
        }
        return scale
    }

    private mutating func readDerived(count: Int, _ range: Range<Int>, into positions: ValueOffsets) throws {
        let scale = try readScale()
        guard scale != Int(ValueColumn.unscaled) else { throw Corruption("numbers without a scale") }
        let numbers = try integers(count: count, range)
        guard scale > 0 else { return positions.fill(.integer) { UInt64(bitPattern: numbers[$0]) } }
        let (power, divisor) = (ValueColumn.integerPowers[scale], ValueColumn.powers[scale])
        var (integer, double) = (
            EventValue(field: positions.field, kind: .integer), EventValue(field: positions.field, kind: .double)
        )
        for index in numbers.indices {
            // Scaled numbers are below 2^53. So the quotient is whole only if the division is exact.
            let quotient = Double(numbers[index]) / divisor
            let whole = Int64(quotient)
            integer.payload = UInt64(bitPattern: whole)
            double.payload = quotient.bitPattern
            positions.values[Int(positions.positions[index])] = whole &* power == numbers[index] ? integer : double
        }
    }

    private mutating func readListed(
        count: Int,
        _ range: Range<Int>,
        texts: inout TextCollector,
        into positions: ValueOffsets
    ) throws {
        let kinds = try integers(count: count).map { try kind($0) }
        for (kind, position) in zip(kinds[range], positions.positions) {
            positions.values[Int(position)] = EventValue(field: positions.field, kind: kind)
        }
        if kinds.contains(where: ValueColumn.isNumber) {
            let scale = try readScale()
            if scale == Int(ValueColumn.unscaled) {
                for isInteger in [true, false] {
                    try read(kinds, range, into: positions) {
                        ValueColumn.isNumber($0) && ValueColumn.isInteger($0) == isInteger
                    } payload: { _, number in
                        if !isInteger { try SectionReader.checkDouble(number) }
                        return UInt64(bitPattern: number)
                    }
                }
            } else {
                let (power, divisor) = (ValueColumn.integerPowers[scale], ValueColumn.powers[scale])
                try read(kinds, range, into: positions, ValueColumn.isNumber) { kind, number in
                    ValueColumn.isInteger(kind)
                        ? UInt64(bitPattern: number / power) : (Double(number) / divisor).bitPattern
                }
            }
        }
        let textValues = kinds.count { ValueColumn.isText($0) }
        guard textValues > 0 else { return }
        let (base, textCount) = try texts.read(from: &self, limit: textValues)
        try read(kinds, range, into: positions, ValueColumn.isText) { _, code in
            guard code >= 0, code <= textCount else { throw Corruption("a text that is not there") }
            return code == 0 ? 0 : UInt64(base) + UInt64(code) - 1
        }
    }

    /// Reads the stream for the values of some kinds.
    private mutating func read(
        _ kinds: [EventValue.Kind],
        _ range: Range<Int>,
        into positions: ValueOffsets,
        _ isIncluded: (EventValue.Kind) -> Bool,
        payload: (EventValue.Kind, Int64) throws -> UInt64
    ) throws {
        let before = kinds[..<range.lowerBound].count(where: isIncluded)
        let wanted = range.filter { isIncluded(kinds[$0]) }
        let numbers = try integers(count: kinds.count(where: isIncluded), before..<before + wanted.count)
        for (index, number) in zip(wanted, numbers) {
            let position = Int(positions.positions[index - range.lowerBound])
            positions.values[position].payload = try payload(positions.values[position].kind, number)
        }
    }
}
