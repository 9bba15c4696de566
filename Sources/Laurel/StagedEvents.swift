import LaurelEvents
import LaurelStore

/// Decoded events that are not stored yet, with the lines they came from.
struct StagedEvents {
    var table = EventTable()
    /// The lines, one after the other.
    private(set) var lines: [UInt8] = []
    /// Per row: the line's number, and where in `lines` it ends.
    private var numbers: [Int32] = []
    private var ends: [Int] = []
    /// Per row, where an adapter made them: which of its kinds, and whether a stored event stays without a word.
    private var kinds: [(kind: Int, keepsKnown: Bool)] = []

    var count: Int { numbers.count }

    mutating func note(line: Int, bytes: ArraySlice<UInt8>) {
        lines.append(contentsOf: bytes)
        numbers.append(Int32(truncatingIfNeeded: line))
        ends.append(lines.count)
    }

    /// Says more of the row noted last. All rows of a table have it, or none.
    mutating func noteKind(_ kind: Int, keepsKnown: Bool) { kinds.append((kind, keepsKnown)) }

    func kind(_ row: Int) -> (kind: Int, keepsKnown: Bool)? { kinds.isEmpty ? nil : kinds[row] }

    /// A row's line and its number.
    func original(_ row: Int) -> (line: Int, bytes: [UInt8]) {
        (Int(numbers[row]), Array(lines[(row == 0 ? 0 : ends[row - 1])..<ends[row]]))
    }

    /// The rows by learner, in the order of arrival; learners ascending.
    func groups(_ learner: ([UInt8]) throws -> Int64) rethrows -> [LearnerRows] {
        var rows: [[Int]] = []
        var groupOfSubject = Array(repeating: -1, count: table.texts.count)
        var subjects: [UInt32] = []
        for row in 0..<table.count {
            let subject = Int(table.subject[row])
            if groupOfSubject[subject] < 0 {
                groupOfSubject[subject] = rows.count
                rows.append([])
                subjects.append(UInt32(subject))
            }
            rows[groupOfSubject[subject]].append(row)
        }
        return try zip(subjects, rows)
            .map { LearnerRows(learner: try learner(Array(table.texts[$0])), rows: $1) }
            .sorted { $0.learner < $1.learner }
    }

    mutating func removeAll() {
        self = StagedEvents()
    }
}
