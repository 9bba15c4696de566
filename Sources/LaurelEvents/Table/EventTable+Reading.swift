// SPDX-License-Identifier: Apache-2.0

/// Reading single rows.
extension EventTable {
    package func values(of row: Int) -> ArraySlice<EventValue> {
        values[Int(valueStarts[row])..<Int(valueStarts[row + 1])]
    }

    package func timestamp(_ row: Int) -> Timestamp {
        Timestamp(
            milliseconds: milliseconds[row],
            offset: WrittenOffset(code: offsets[row]),
            spelling: Timestamp.Spelling(code: flags[row] & 15)
        )
    }

    /// The id's bytes.
    package func identifier(_ row: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        appendIdentifier(of: row, to: &bytes)
        return bytes
    }

    /// Appends the id's bytes.
    package func appendIdentifier(of row: Int, to output: inout [UInt8]) {
        let identifier = identifiers[row]
        output.append(contentsOf: texts[identifier.prefix])
        guard identifier.style != EventIdentifier.whole else { return }
        if identifier.style != EventIdentifier.natural {
            var digits = 1
            var rest = identifier.number / 10
            while rest > 0 {
                digits += 1
                rest /= 10
            }
            output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Int(identifier.style) - digits))
        }
        JSONWriter.write(magnitude: identifier.number, to: &output)
    }

    /// True if a row precedes another row in a learner's order: by instant, then source, then id. Sources and ids are
    /// compared bytewise.
    package func isBefore(_ row: Int, _ other: EventTable, _ otherRow: Int) -> Bool {
        if milliseconds[row] != other.milliseconds[otherRow] {
            return milliseconds[row] < other.milliseconds[otherRow]
        }
        let (one, two) = (texts[source[row]], other.texts[other.source[otherRow]])
        if one.lexicographicallyPrecedes(two) { return true }
        if two.lexicographicallyPrecedes(one) { return false }
        return identifier(row).lexicographicallyPrecedes(other.identifier(otherRow))
    }

    /// True if the rows have the same identity within a learner: source and id.
    package func hasSameIdentity(_ row: Int, _ other: EventTable, _ otherRow: Int) -> Bool {
        texts[source[row]] == other.texts[other.source[otherRow]] && identifier(row) == other.identifier(otherRow)
    }
}
