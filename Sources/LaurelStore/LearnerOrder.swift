internal import LaurelEvents

/// Sorting into a learner's order: time, source, id.
extension EventTable {
    /// Sorts rows of one learner; rows that are in order already cost one pass.
    func sortIntoLearnerOrder(_ rows: inout [Int]) {
        for place in rows.indices.dropFirst() where !precedes(rows[place - 1], rows[place]) {
            rows.sort(by: precedes)
            return
        }
    }

    /// Whether a row comes before another of the same learner. Rows of equal identity do not precede each other.
    func precedes(_ one: Int, _ other: Int) -> Bool {
        if milliseconds[one] != milliseconds[other] { return milliseconds[one] < milliseconds[other] }
        let (oneID, otherID) = (identifiers[one], identifiers[other])
        // Ids that count up from one device are the usual tie: with equally many digits their numbers decide.
        if source[one] == source[other], oneID.prefix == otherID.prefix, oneID.style == otherID.style,
            oneID.style != EventIdentifier.whole,
            oneID.style != EventIdentifier.natural || sameDigitCount(oneID.number, otherID.number)
        {
            return oneID.number < otherID.number
        }
        return isBefore(one, self, other)
    }

    private func sameDigitCount(_ one: UInt64, _ other: UInt64) -> Bool {
        let (less, more) = (min(one, other), max(one, other))
        var bound: UInt64 = 10
        while bound <= less { bound *= 10 }
        return more < bound
    }
}
